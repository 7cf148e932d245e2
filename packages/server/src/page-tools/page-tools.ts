import { isObject } from '@adorn/core/backend';

import { RequestInvalidError } from '../errors.js';

/** A tool that a page runs, as the page declares it. */
export interface PageTool {
  /** Begins with a letter or `_`, and has at most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a page tells about itself: a text, and what it is. */
export interface PageFact {
  readonly description: string;
  readonly value: string;
}

/** The state of a session that holds the tools of the page that spoke last. */
export const PAGE_TOOLS = 'page_tools';

/** The state of a session that holds what the page that spoke last tells about itself. */
export const PAGE_CONTEXT = 'page_context';

const NAME = /^[a-zA-Z_][\w-]{0,63}$/;

/** The most tools of a page, the most facts, and the most characters of both together. */
const MOST_TOOLS = 128;
const MOST_FACTS = 64;
const MOST_CHARACTERS = 100_000;

/**
 * Reads what a page declares: the `tools` and the `context` of AG-UI, or the `tools` of a chat, a list or an object by name.
 *
 * @param state of the session
 * @returns the change of that state; empty if the page declares what is known
 * @throws {RequestInvalidError}
 */
export function pageDeclaration(
  state: Readonly<Record<string, unknown>>,
  { tools, context }: { readonly tools: unknown; readonly context?: unknown },
): Readonly<Record<string, unknown>> {
  const declared = { [PAGE_TOOLS]: readTools(tools), [PAGE_CONTEXT]: readFacts(context) };
  const size = JSON.stringify(declared).length;
  if (size > MOST_CHARACTERS) {
    const fault = `"tools" and "context" have ${String(size)} characters, and may have ${String(MOST_CHARACTERS)}`;
    throw new RequestInvalidError(fault, 'Declare fewer tools, or shorter descriptions.', 'tools');
  }
  const changed = Object.entries(declared).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(state[name] ?? []),
  );
  return Object.fromEntries(changed);
}

/** The names of the tools of the page, in the state of a session with a declaration that is about to be written. */
export function pageToolNames(
  state: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, unknown>> = {},
): ReadonlySet<string> {
  const tools: unknown = declared[PAGE_TOOLS] ?? state[PAGE_TOOLS];
  return new Set(Array.isArray(tools) ? tools.filter(isPageTool).map(({ name }) => name) : []);
}

/** True for a tool as the state has it: other code may write there. */
export function isPageTool(value: unknown): value is PageTool {
  if (!isObject(value)) return false;
  const { name, description, parameters } = value;
  return (
    typeof name === 'string' && NAME.test(name) && typeof description === 'string' && isObject(parameters)
  );
}

/** True for a fact as the state has it. */
export function isPageFact(value: unknown): value is PageFact {
  return isObject(value) && typeof value['description'] === 'string' && typeof value['value'] === 'string';
}

function readTools(given: unknown): readonly PageTool[] {
  if (given === undefined || given === null) return [];
  const tools = isObject(given) && !Array.isArray(given) ? byName(given) : given;
  if (!Array.isArray(tools)) throw refused('it is no list and no object');
  if (tools.length > MOST_TOOLS)
    throw refused(`it has ${String(tools.length)} tools, and may have ${String(MOST_TOOLS)}`);
  const read = tools.map((tool: unknown, index) => readTool(tool, index));
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (twice) throw refused(`it has two tools "${twice.name}"`);
  return read;
}

function byName(tools: object): unknown[] {
  return Object.entries(tools).map(([name, tool]: [string, unknown]) =>
    isObject(tool) ? { ...tool, name } : tool,
  );
}

function readTool(tool: unknown, index: number): PageTool {
  const fields = isObject(tool) ? tool : {};
  const parameters: unknown = fields['parameters'] ??
    fields['inputSchema'] ?? { type: 'object', properties: {} };
  const read = { name: fields['name'], description: fields['description'] ?? '', parameters };
  if (isPageTool(read)) return read;
  throw refused(`tool ${String(index)} has no name that is one, no description that is a text, or no schema`);
}

function readFacts(given: unknown): readonly PageFact[] {
  const facts: readonly unknown[] = Array.isArray(given) ? given : [];
  return facts.slice(0, MOST_FACTS).flatMap((fact) => {
    if (!isObject(fact)) return [];
    const { description = '', value } = fact;
    const read = { description, value: typeof value === 'string' ? value : JSON.stringify(value) };
    return isPageFact(read) ? [{ description: read.description, value: read.value }] : [];
  });
}

function refused(fault: string): RequestInvalidError {
  const cure =
    'Send a list of { name, description, parameters }, whose names have at most 64 letters, digits, "_" and "-".';
  return new RequestInvalidError(`"tools" cannot be read: ${fault}`, cure, 'tools');
}
