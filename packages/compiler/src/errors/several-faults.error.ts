import { AdornError, type AdornErrorCode } from '@adorn/core';

/** Several things are wrong at once. The code is that of the first, the message tells them all. */
export class SeveralFaultsError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(readonly faults: readonly [AdornError, ...AdornError[]]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.code = faults[0].code;
  }
}

/**
 * Does all the work before it fails, so that one run tells of everything that is wrong.
 *
 * @throws the one fault, or SeveralFaultsError
 */
export function allOrEveryFault<Result>(work: readonly (() => Result)[]): Result[] {
  const { results, faults } = everyOutcome(work);
  const [first, ...more] = faults;
  if (first === undefined) return results;
  throw more.length === 0 ? first : new SeveralFaultsError([first, ...more]);
}

/** Does all the work that can be done, and says what could not. */
export function everyOutcome<Result>(work: readonly (() => Result)[]): {
  readonly results: Result[];
  readonly faults: AdornError[];
} {
  const faults: AdornError[] = [];
  const results = work.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (!AdornError.is(error)) throw error;
      faults.push(...(error instanceof SeveralFaultsError ? error.faults : [error]));
      return [];
    }
  });
  return { results, faults };
}
