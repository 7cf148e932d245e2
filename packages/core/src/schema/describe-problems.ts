import type { ErrorObject } from 'ajv';

import { describeProblem } from './describe-problem.js';

const ECHOES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if']);

/** More than a model can mend at once tells it nothing more. */
const MOST_PROBLEMS = 20;

/** The others are only counted: a model may invent any number of arguments. */
const MOST_DESCRIBED = 200;

/** Everything that is wrong with arguments, a sentence each. */
export function describeProblems(errors: readonly ErrorObject[]): readonly string[] {
  const telling = withoutEchoes(errors);
  const described = telling.slice(0, MOST_DESCRIBED);
  const problems = [...new Set(described.map(describeProblem))];
  const left = problems.length - MOST_PROBLEMS + (telling.length - described.length);
  return left > 0 ? [...problems.slice(0, MOST_PROBLEMS), `and ${String(left)} more of the kind`] : problems;
}

/** A failed `anyOf` or `oneOf` repeats the faults of each of its branches: the branch's own say more. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(({ keyword }) => !ECHOES.has(keyword));
  return telling.length > 0 ? telling : errors;
}
