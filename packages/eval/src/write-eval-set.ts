import { EVAL_KEYS } from './eval-keys.js';
import type { EvalSet } from './eval-set.js';

const {
  set,
  case: ofCase,
  turn,
  intermediateData,
  invocationEvent,
  sessionInput,
  rubric,
  rubricContent,
  conversationScenario,
  userPersona,
  userBehavior,
  toolStub,
  kill,
  serviceFault,
} = EVAL_KEYS;

/** The keys that an eval set gives names to: those of arguments and of the state are the user's. */
const SNAKE = new Map<string, string>(
  [
    ...[set, ofCase, turn, intermediateData, invocationEvent, sessionInput, rubric, rubricContent],
    ...[conversationScenario, userPersona, userBehavior, toolStub, kill, serviceFault],
  ].flatMap((keys) =>
    [...keys].map((key) => [key, key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
  ),
);

/** Whose keys are not those of an eval set. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...['state', 'finalSessionState', 'args', 'response', 'userContent', 'finalResponse', 'content'],
]);

/** An eval set as the text of a file `*.evalset.json`, which ADK reads too. */
export function formatEvalSet(set: EvalSet): string {
  return `${JSON.stringify(snakeKeys(set), undefined, 2)}\n`;
}

function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  // A case of ADK has a conversation or a scenario.
  const hasScenario = 'conversationScenario' in value;
  const written = Object.entries(value).filter(([key]) => !hasScenario || key !== 'conversation');
  return Object.fromEntries(
    written.map(([key, inner]) => [SNAKE.get(key) ?? key, FOREIGN.has(key) ? inner : snakeKeys(inner)]),
  );
}
