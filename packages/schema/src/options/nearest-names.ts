import { shownName } from '../names/check-name.js';

/** A longer name is no slip of any other: it is not compared. */
const LONGEST = 256;

/** How many pairs of characters are compared in one search: some milliseconds. */
const MOST_STEPS = 1_000_000;

/** How many letters a slip changes, at most. */
const MOST_OF_SLIP = 2;

/**
 * The names most like the one that was meant, the best first: at most three, and none that is far off. The work is
 * bounded, however long and many the names are.
 */
export function nearestNames(meant: string, offered: Iterable<string>): string[] {
  if (meant.length > LONGEST) return [];
  const wanted = meant.toLowerCase();
  const near: { readonly name: string; readonly distance: number }[] = [];
  let steps = 0;
  for (const name of offered) {
    const farthest = Math.max(2, Math.ceil(name.length / 2));
    // The distance of two names is no less than the difference of their lengths.
    const isFar = name.length > LONGEST || Math.abs(name.length - meant.length) > farthest;
    steps += isFar ? 1 : (meant.length + 1) * (name.length + 1);
    if (steps > MOST_STEPS) break;
    if (isFar) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= farthest) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, 3).map(({ name }) => name);
}

/** The name that was meant by a slip: one of at most two letters, or of upper and lower case. */
export function slipOf(name: string, offered: ReadonlySet<string>): string | undefined {
  if (offered.has(name)) return undefined;
  // The distance of two names is no less than the difference of their lengths.
  const close = [...offered].filter((meant) => Math.abs(meant.length - name.length) <= MOST_OF_SLIP);
  const near = nearestNames(name, close);
  return near.find((meant) => editDistance(name.toLowerCase(), meant.toLowerCase()) <= MOST_OF_SLIP);
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(changed, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

/** The names of the options of a type, every one of them. */
export function optionNames<Options>(
  names: Readonly<Record<keyof Options & string, true>>,
): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/** A fault of options and its cure, as two sentences of an error's message; the first without its period. */
export interface OptionFault {
  /** What is wrong, as a sentence without its period. */
  readonly fault: string;
  /** What to do about it, as a sentence. */
  readonly cure: string;
}

/** The first option that does not exist, and the one that was probably meant. An option that is undefined counts as left out. */
export function unknownOption(options: object, names: ReadonlySet<string>): OptionFault | undefined {
  for (const name in options) {
    if (names.has(name) || (options as Record<string, unknown>)[name] === undefined) continue;
    return { fault: `there is no option ${shownName(name)}`, cure: suggestName(name, names) };
  }
  return undefined;
}

/** What other kits call an option, and what it is called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['input', 'prompt', 'text', 'query', 'content', 'messages', 'newMessage', 'new_message'].map(
    (name) => [name, 'message'] as const,
  ),
  ...['system', 'systemPrompt', 'systemInstruction', 'instructions'].map(
    (name) => [name, 'instruction'] as const,
  ),
  ...['schema', 'inputSchema', 'input_schema'].map((name) => [name, 'parameters'] as const),
  ...['execute', 'handler', 'func', 'invoke'].map((name) => [name, 'run'] as const),
  ...['responseFormat', 'outputType', 'structuredOutput'].map((name) => [name, 'outputSchema'] as const),
  ...['needsApproval', 'requireApproval', 'requireConfirmation'].map((name) => [name, 'confirm'] as const),
  ...['user', 'resourceId'].map((name) => [name, 'userId'] as const),
  ...['session', 'threadId', 'thread', 'chatId', 'conversationId'].map(
    (name) => [name, 'sessionId'] as const,
  ),
  ['agents', 'subAgents'],
  ['abortSignal', 'signal'],
]);

/** The valid name that was probably meant: the one for the word of another kit, else the nearest. */
function meantName(meant: string, names: ReadonlySet<string>): string | undefined {
  const near = nearestNames(meant, names);
  if (slipOf(meant, names) !== undefined) return near[0];
  const other = OTHER_NAMES.get(meant);
  return other !== undefined && names.has(other) ? other : near[0];
}

/** The valid name that was probably meant, and all of them. */
export function suggestName(meant: unknown, names: ReadonlySet<string>): string {
  const best = typeof meant === 'string' ? meantName(meant, names) : undefined;
  const all = `Valid: ${[...names].join(', ')}.`;
  return best === undefined ? all : `Did you mean ${best}? ${all}`;
}
