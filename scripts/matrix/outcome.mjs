import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const EXPECTED = new URL('expected.json', import.meta.url);

/**
 * What a cell has to do. `judge` gives undefined where a run did it, else what it did instead.
 *
 * @typedef {{ says: string, judge(run: { code: number, output: string, outcome?: object }): string | undefined }} Expectation
 */

/** The program offers and receives exactly what it does in every other cell. */
export function works() {
  return {
    says: 'works',
    judge: ({ outcome, output }) => {
      if (outcome === undefined) return `printed no outcome:\n${output}`;
      if (outcome.code !== undefined) return `was refused: ${outcome.code} ${outcome.message}`;
      const expected = JSON.parse(readFileSync(EXPECTED, 'utf8'));
      if (isDeepStrictEqual(outcome, expected)) return undefined;
      return differences(expected, outcome).join('\n');
    },
  };
}

/** The program refuses to start with an error of Adorn's, and its message says what the pattern asks. */
export function refuses(code, pattern) {
  return {
    says: code,
    judge: ({ outcome, output }) => {
      if (outcome?.code === code && pattern.test(outcome.message)) return undefined;
      return `expected ${code} (${String(pattern)})\nand got  ${outcome === undefined ? output : JSON.stringify(outcome)}`;
    },
  };
}

/** The tool itself fails, with words that the pattern finds. */
export function fails(pattern) {
  return {
    says: 'the tool refuses it',
    judge: ({ code, output }) =>
      code !== 0 && pattern.test(output)
        ? undefined
        : `expected a failure (${String(pattern)})\nand it ended with ${String(code)}:\n${output}`,
  };
}

/** The command ends well; for what leaves nothing to compare. */
export function endsWell(says, pattern = /(?:)/) {
  return {
    says,
    judge: ({ code, output }) =>
      code === 0 && pattern.test(output) ? undefined : `ended with ${String(code)}:\n${output}`,
  };
}

/** The JSON that the program printed behind `OUTCOME`. */
export function outcomeIn(output) {
  const line = /^.*?OUTCOME (\{.*\})\s*$/m.exec(output)?.[1];
  return line === undefined ? undefined : JSON.parse(line);
}

/** Where two values differ, a line for each place. */
function differences(expected, got, path = 'the outcome') {
  if (isDeepStrictEqual(expected, got)) return [];
  const places = [expected, got].every((value) => typeof value === 'object' && value !== null)
    ? [...new Set([...Object.keys(expected), ...Object.keys(got)])]
    : [];
  if (places.length > 0)
    return places.flatMap((key) => differences(expected[key], got[key], `${path}.${key}`));
  return [`${path} is ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
}
