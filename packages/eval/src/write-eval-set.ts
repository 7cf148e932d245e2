import type { EvalSet } from './eval-set.js';

/** The keys that an eval set gives names to: those of arguments and of the state are the user's. */
const KEYS = [
  'evalSetId',
  'evalCases',
  'evalId',
  'sessionInput',
  'appName',
  'userId',
  'invocationId',
  'userContent',
  'finalResponse',
  'intermediateData',
  'toolUses',
  'intermediateResponses',
  'creationTimestamp',
] as const;

const SNAKE = new Map<string, string>(
  KEYS.map((key) => [key, key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);

/** Whose keys are not those of an eval set. */
const FOREIGN: ReadonlySet<string> = new Set(['state', 'args', 'response', 'userContent', 'finalResponse']);

/** An eval set as the text of a file `*.evalset.json`, which ADK reads too. */
export function formatEvalSet(set: EvalSet): string {
  return `${JSON.stringify(snakeKeys(set), undefined, 2)}\n`;
}

function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      SNAKE.get(key) ?? key,
      FOREIGN.has(key) ? inner : snakeKeys(inner),
    ]),
  );
}
