import { AdornError, type AdornErrorCode } from '@adorn/core';

/** Several errors at once. The code is that of the first; the message lists all of them. */
export class SeveralFaultsError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(readonly faults: readonly [AdornError, ...AdornError[]]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.code = faults[0].code;
  }
}

/**
 * Runs all steps before it fails, so that one run reports all errors.
 *
 * @throws the only error, or SeveralFaultsError
 */
export function allOrEveryFault<Result>(work: readonly (() => Result)[]): Result[] {
  const { results, faults } = everyOutcome(work);
  const [first, ...more] = faults;
  if (first === undefined) return results;
  throw more.length === 0 ? first : new SeveralFaultsError([first, ...more]);
}

/** Runs all steps; returns the results and the errors. */
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
