import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Content, FunctionCall, Part } from '@adorn/core';
import { readContent } from '@adorn/core/backend';

import { camelKeys } from './camel-keys.js';
import { EvalSetInvalidError } from './errors.js';
import type { EvalCase, EvalInvocation, EvalSet, IntermediateData, SessionInput } from './eval-set.js';

/**
 * Reads a file with an eval set: ADK's `*.evalset.json` and `*.test.json`, also its older form, a list of
 * `{ query, expected_tool_use, reference }`.
 *
 * @throws {EvalSetInvalidError} (`EVAL_SET_INVALID`) with the place of the fault
 */
export async function readEvalSet(file: string): Promise<EvalSet> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new EvalSetInvalidError(file, '', 'the file cannot be opened', { cause });
  }
  try {
    return parseEvalSet(JSON.parse(text), file);
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw new EvalSetInvalidError(file, '', `it is no JSON: ${cause.message}`, { cause });
    throw cause;
  }
}

/**
 * Reads an eval set from JSON. Keys are in camel case or snake case; keys that are not known, and null, are ignored.
 *
 * @param source what is named in errors; the id of a set that has none
 * @throws {EvalSetInvalidError}
 */
export function parseEvalSet(json: unknown, source = 'given'): EvalSet {
  const reader = new EvalSetReader(source);
  if (Array.isArray(json)) return reader.olderSet(json);
  return reader.set(json);
}

/** @throws {EvalSetInvalidError} */
export function parseEvalCase(json: unknown, source = 'given'): EvalCase {
  return new EvalSetReader(source).case(json, 'the case');
}

type Fields = Readonly<Record<string, unknown>>;

class EvalSetReader {
  constructor(private readonly source: string) {}

  set(json: unknown): EvalSet {
    const fields = this.object(json, '');
    const cases = this.list(fields['evalCases'], 'evalCases');
    return {
      evalSetId: this.text(fields, ['evalSetId', 'id'], '') ?? nameOf(this.source),
      ...this.optional(fields, '', ['name', 'description']),
      evalCases: cases.map((one, index) => this.case(one, `evalCases[${String(index)}]`)),
      ...timeOf(fields),
    };
  }

  case(json: unknown, place: string): EvalCase {
    const fields = this.object(json, place);
    const evalId = this.text(fields, ['evalId', 'id'], place);
    if (evalId === undefined) throw this.fault(`${place}.evalId`, 'it is missing');
    const turns = this.list(fields['conversation'], `${place}.conversation`);
    const input = fields['sessionInput'];
    return {
      evalId,
      conversation: turns.map((one, index) => this.turn(one, `${place}.conversation[${String(index)}]`)),
      ...(isGiven(input) && { sessionInput: this.sessionInput(input, `${place}.sessionInput`) }),
      ...timeOf(fields),
    };
  }

  /** A list of turns, as ADK wrote it before it had eval sets: one case. */
  olderSet(json: readonly unknown[]): EvalSet {
    const conversation = json.map((one, index): EvalInvocation => {
      const place = `[${String(index)}]`;
      const fields = this.object(one, place);
      const query = this.text(fields, ['query'], place);
      if (query === undefined) throw this.fault(`${place}.query`, 'it is missing');
      const uses = fields['expectedToolUse'];
      const reference = this.text(fields, ['reference'], place);
      return {
        userContent: { role: 'user', parts: [{ text: query }] },
        ...(reference !== undefined && { finalResponse: { role: 'model', parts: [{ text: reference }] } }),
        ...(isGiven(uses) && {
          intermediateData: {
            toolUses: this.list(uses, `${place}.expected_tool_use`).map((use) =>
              this.olderToolUse(use, `${place}.expected_tool_use`),
            ),
          },
        }),
      };
    });
    const evalSetId = nameOf(this.source);
    return { evalSetId, evalCases: [{ evalId: evalSetId, conversation }] };
  }

  private olderToolUse(json: unknown, place: string): FunctionCall {
    const fields = this.object(json, place);
    const args = fields['toolInput'];
    return {
      name: this.text(fields, ['toolName'], place) ?? '',
      args: isGiven(args) ? (args as Fields) : {},
    };
  }

  private turn(json: unknown, place: string): EvalInvocation {
    const fields = this.object(json, place);
    const userContent = this.content(fields['userContent'], `${place}.userContent`);
    if (!userContent?.parts?.length) throw this.fault(`${place}.userContent`, 'it says nothing');
    const finalResponse = this.content(fields['finalResponse'], `${place}.finalResponse`);
    const data = fields['intermediateData'];
    return {
      ...this.optional(fields, place, ['invocationId']),
      userContent: { role: 'user', parts: userContent.parts },
      ...(finalResponse && { finalResponse }),
      ...(isGiven(data) && { intermediateData: this.intermediate(data, `${place}.intermediateData`) }),
      ...timeOf(fields),
    };
  }

  private intermediate(json: unknown, place: string): IntermediateData {
    const { toolUses, intermediateResponses } = this.object(json, place);
    const uses = isGiven(toolUses) ? this.list(toolUses, `${place}.toolUses`) : undefined;
    const said = isGiven(intermediateResponses)
      ? this.list(intermediateResponses, `${place}.intermediateResponses`)
      : undefined;
    return {
      ...(uses && { toolUses: uses.flatMap((use) => callsOf({ functionCall: use })) }),
      ...(said && { intermediateResponses: said.map((one) => this.said(one, place)) }),
    };
  }

  private said(json: unknown, place: string): [string, Part[]] {
    const [author, parts] = this.list(json, `${place}.intermediateResponses`);
    return [String(author), partsOf(parts)];
  }

  private sessionInput(json: unknown, place: string): SessionInput {
    const fields = this.object(json, place);
    const { state } = fields;
    return {
      ...this.optional(fields, place, ['appName', 'userId']),
      ...(isGiven(state) && { state: this.record(state, `${place}.state`) }),
    };
  }

  private content(json: unknown, place: string): Content | undefined {
    if (!isGiven(json)) return undefined;
    if (typeof json === 'string') return { parts: [{ text: json }] };
    const { role, parts } = this.object(json, place);
    return readContent({ ...(isGiven(role) && { role }), parts: partsOf(parts) });
  }

  private optional<Name extends string>(
    fields: Fields,
    place: string,
    names: readonly Name[],
  ): Partial<Record<Name, string>> {
    const found: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const text = this.text(fields, [name], place);
      if (text !== undefined) found[name] = text;
    }
    return found;
  }

  /** The first of the fields that is given. */
  private text(fields: Fields, names: readonly string[], place: string): string | undefined {
    for (const name of names) {
      const value = fields[name];
      if (!isGiven(value)) continue;
      if (typeof value !== 'string')
        throw this.fault(`${place}.${name}`, `it is ${JSON.stringify(value)}, and no text`);
      return value;
    }
    return undefined;
  }

  private list(value: unknown, place: string): readonly unknown[] {
    if (!Array.isArray(value)) throw this.fault(place, 'it is no list');
    return value as readonly unknown[];
  }

  private record(value: unknown, place: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.fault(place, 'it is no object');
    return value as Fields;
  }

  /** An object with its keys in camel case. */
  private object(value: unknown, place: string): Fields {
    return camelKeys(this.record(value, place));
  }

  private fault(place: string, fault: string): EvalSetInvalidError {
    return new EvalSetInvalidError(this.source, place.replace(/^\./, ''), fault);
  }
}

function nameOf(source: string): string {
  return basename(source).replace(/\.(?:evalset|test)?\.?json$/, '');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function timeOf({ creationTimestamp }: Fields): { readonly creationTimestamp?: number } {
  return typeof creationTimestamp === 'number' ? { creationTimestamp } : {};
}

/** The calls in a part: none if it is no call. */
function callsOf(part: unknown): FunctionCall[] {
  return partsOf([part]).flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
}

/** Parts as ADK writes them: in snake case, with a null for each field that a part does not have. */
function partsOf(value: unknown): Part[] {
  if (!Array.isArray(value)) return [];
  const parts = value.map((part: unknown) => (isRecord(part) ? camelPart(part) : part));
  return readContent({ parts })?.parts ?? [];
}

function camelPart(part: Fields): Fields {
  return Object.fromEntries(
    Object.entries(camelKeys(part)).map(([name, value]) => [
      name,
      isRecord(value) ? camelKeys(value) : value,
    ]),
  );
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
