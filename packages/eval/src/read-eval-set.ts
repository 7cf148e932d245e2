import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { EvalSetInvalidError } from './errors.js';
import { type Fields, isGiven } from './file-reader.js';
import type {
  EvalCase,
  EvalInvocation,
  EvalSet,
  IntermediateData,
  InvocationEvent,
  Rubric,
  SessionInput,
} from './eval-set.js';
import { PlayReader } from './read-play.js';

/**
 * Reads a file with an eval set: ADK's `*.evalset.json` and `*.test.json`, also its older forms, a list of
 * `{ query, expected_tool_use, reference }` and a list of `{ name, data, initial_session }`.
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
 * Reads an eval set from JSON. Keys are in camel case or snake case; null counts as absent, and a key that does not exist is
 * refused: a misspelt expectation would expect nothing.
 *
 * @param source what is named in errors; the id of a set that has none
 * @throws {EvalSetInvalidError}
 */
export function parseEvalSet(json: unknown, source = 'given'): EvalSet {
  const reader = new EvalSetReader(source);
  if (!Array.isArray(json)) return reader.set(json);
  return json.some(isOlderCase) ? reader.olderCases(json) : reader.olderTurns(json);
}

/** @throws {EvalSetInvalidError} */
export function parseEvalCase(json: unknown, source = 'given'): EvalCase {
  return new EvalSetReader(source).case(json, 'the case');
}

class EvalSetReader extends PlayReader {
  set(json: unknown): EvalSet {
    const fields = this.object(json, '', 'set');
    const cases = this.list(fields['evalCases'], 'evalCases');
    return {
      evalSetId: this.text(fields, ['evalSetId', 'id'], '') ?? nameOf(this.source),
      ...this.texts(fields, '', ['name', 'description']),
      evalCases: cases.map((one, index) => this.case(one, `evalCases[${String(index)}]`)),
      ...this.time(fields, ''),
    };
  }

  case(json: unknown, place: string): EvalCase {
    const fields = this.object(json, place, 'case');
    const evalId = this.text(fields, ['evalId', 'id'], place);
    if (evalId === undefined) throw this.fault(`${place}.evalId`, 'it is missing');
    const { conversation, conversationScenario } = fields;
    if (isGiven(conversationScenario) && Array.isArray(conversation) && conversation.length > 0)
      throw this.fault(place, 'it has a conversation and a conversationScenario; keep one of them');
    return {
      evalId,
      conversation: isGiven(conversationScenario)
        ? []
        : this.items(conversation, `${place}.conversation`, (one, at) => this.turn(one, at)),
      ...this.given(fields, place, 'conversationScenario', (value, at) => this.scenario(value, at)),
      ...this.given(fields, place, 'toolStubs', (value, at) =>
        this.items(value, at, (one, stub) => this.toolStub(one, stub)),
      ),
      ...this.given(fields, place, 'faults', (value, at) =>
        this.items(value, at, (one, fault) => this.evalFault(one, fault)),
      ),
      ...this.given(fields, place, 'sessionInput', (value, at) => this.sessionInput(value, at)),
      ...this.given(fields, place, 'rubrics', (value, at) => this.rubrics(value, at)),
      ...this.given(fields, place, 'finalSessionState', (value, at) => this.record(value, at)),
      ...this.time(fields, place),
    };
  }

  /** A list of turns, as ADK wrote it before it had eval sets: one case. */
  olderTurns(json: readonly unknown[]): EvalSet {
    const evalSetId = nameOf(this.source);
    return { evalSetId, evalCases: [{ evalId: evalSetId, conversation: this.olderConversation(json, '') }] };
  }

  /** A list of cases `{ name, data, initial_session }`, as ADK wrote its first eval sets. */
  olderCases(json: readonly unknown[]): EvalSet {
    const evalCases = this.items(json, '', (one, place): EvalCase => {
      const fields = this.object(one, place, 'olderCase');
      const evalId = this.text(fields, ['name'], place);
      if (evalId === undefined) throw this.fault(`${place}.name`, 'it is missing');
      return {
        evalId,
        conversation: this.olderConversation(this.list(fields['data'], `${place}.data`), `${place}.data`),
        ...(isGiven(fields['initialSession']) && {
          sessionInput: this.sessionInput(fields['initialSession'], `${place}.initialSession`),
        }),
      };
    });
    return { evalSetId: nameOf(this.source), evalCases };
  }

  private olderConversation(json: readonly unknown[], list: string): EvalInvocation[] {
    return this.items(json, list, (one, place): EvalInvocation => {
      const fields = this.object(one, place, 'olderTurn');
      const query = this.text(fields, ['query'], place);
      if (query === undefined) throw this.fault(`${place}.query`, 'it is missing');
      const reference = this.text(fields, ['reference'], place);
      const intermediateData = this.olderIntermediate(fields, place);
      return {
        userContent: { role: 'user', parts: [{ text: query }] },
        ...(reference !== undefined &&
          reference !== '' && { finalResponse: { role: 'model', parts: [{ text: reference }] } }),
        ...(Object.keys(intermediateData).length > 0 && { intermediateData }),
      };
    });
  }

  private olderIntermediate(fields: Fields, place: string): IntermediateData {
    const { expectedToolUse: uses, expectedIntermediateAgentResponses: said } = fields;
    return {
      ...(isGiven(uses) && {
        toolUses: this.items(uses, `${place}.expected_tool_use`, (one, at) => {
          const use = this.object(one, at, 'olderToolUse');
          const name = this.text(use, ['toolName'], at);
          if (name === undefined) throw this.fault(`${at}.tool_name`, 'it is missing');
          return { name, args: isGiven(use['toolInput']) ? this.record(use['toolInput'], at) : {} };
        }),
      }),
      ...(isGiven(said) && {
        intermediateResponses: this.items(
          said,
          `${place}.expected_intermediate_agent_responses`,
          (one, at) => {
            const { author, text } = this.texts(this.object(one, at, 'olderResponse'), at, [
              'author',
              'text',
            ]);
            return [author ?? '', [{ text: text ?? '' }]] as const;
          },
        ),
      }),
    };
  }

  private turn(json: unknown, place: string): EvalInvocation {
    const fields = this.object(json, place, 'turn');
    const userContent = this.content(fields['userContent'], `${place}.userContent`);
    if (!userContent) throw this.fault(`${place}.userContent`, 'it says nothing');
    const finalResponse = this.content(fields['finalResponse'], `${place}.finalResponse`);
    return {
      ...this.texts(fields, place, ['invocationId']),
      userContent: { ...userContent, role: 'user' },
      ...(finalResponse && { finalResponse }),
      ...this.given(fields, place, 'intermediateData', (value, at) => this.intermediate(value, at)),
      ...this.given(fields, place, 'rubrics', (value, at) => this.rubrics(value, at)),
      ...this.time(fields, place),
    };
  }

  /** Without calls and events no calls are expected: ADK leaves out an empty list. */
  private intermediate(json: unknown, place: string): IntermediateData {
    const fields = this.object(json, place, 'intermediateData');
    const hasEvents = isGiven(fields['invocationEvents']);
    if (hasEvents && isGiven(fields['toolUses']))
      throw this.fault(place, 'it has toolUses and invocationEvents; keep one of them');
    return {
      ...(!hasEvents && {
        toolUses: this.items(fields['toolUses'] ?? [], `${place}.toolUses`, (one, at) =>
          this.toolUse(one, at),
        ),
      }),
      ...this.given(fields, place, 'toolResponses', (value, at) =>
        this.parts(
          this.list(value, at).map((functionResponse) => ({ functionResponse })),
          at,
        ).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : [])),
      ),
      ...this.given(fields, place, 'intermediateResponses', (value, at) =>
        this.items(value, at, (one, pair) => {
          const [author, parts] = this.list(one, pair);
          if (typeof author !== 'string') throw this.fault(pair, 'it is no list of an author and parts');
          return [author, this.parts(parts, pair)] as const;
        }),
      ),
      ...this.given(fields, place, 'invocationEvents', (value, at) =>
        this.items(value, at, (one, event) => this.event(one, event)),
      ),
    };
  }

  private event(json: unknown, place: string): InvocationEvent {
    const fields = this.object(json, place, 'invocationEvent');
    const content = this.content(fields['content'], `${place}.content`);
    return { author: this.text(fields, ['author'], place) ?? '', ...(content && { content }) };
  }

  private rubrics(json: unknown, list: string): Rubric[] {
    return this.items(json, list, (one, place): Rubric => {
      if (typeof one === 'string') return { rubricContent: { textProperty: one } };
      const fields = this.object(one, place, 'rubric');
      const at = `${place}.rubricContent`;
      const textProperty = this.text(
        this.object(fields['rubricContent'], at, 'rubricContent'),
        ['textProperty'],
        at,
      );
      if (textProperty === undefined) throw this.fault(`${at}.textProperty`, 'it is missing');
      return {
        ...this.texts(fields, place, ['rubricId', 'description', 'type']),
        rubricContent: { textProperty },
      };
    });
  }

  private sessionInput(json: unknown, place: string): SessionInput {
    const fields = this.object(json, place, 'sessionInput');
    return {
      ...this.texts(fields, place, ['appName', 'userId', 'sessionId']),
      ...this.given(fields, place, 'state', (value, at) => this.record(value, at)),
    };
  }
}

/** True for a case, rather than a turn, of ADK's older forms. */
function isOlderCase(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'data', 'initial_session', 'initialSession'].some((key) => key in value)
  );
}

function nameOf(source: string): string {
  return basename(source).replace(/\.(?:evalset|test)?\.?json$/, '');
}
