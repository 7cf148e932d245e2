import { AdornError } from '@adorn/core';

export { expect } from 'expect';

/** The two functions that the suites need from a test runner. Those of Jest, Vitest and `node:test` fit. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: (name: string, run: () => Promise<void>) => unknown;
}

let chosen: TestRunner | undefined;

/**
 * Sets the test runner of the suites. Default: the global `describe` and `it`, which Jest has, and Vitest with
 * `globals: true`.
 *
 * @example
 * import { describe, it } from 'vitest';
 * useTestRunner({ describe, it });
 * describeSessionService('RedisSessionService', async () => new RedisSessionService());
 */
export function useTestRunner(runner: TestRunner): void {
  chosen = runner;
}

/** Defines one suite or test for each row: a list of arguments, or a single one. */
interface Each {
  <Row extends readonly unknown[] | readonly [unknown]>(
    rows: readonly Row[],
  ): (name: string, run: (...args: Row) => unknown) => void;
  <Row>(rows: readonly Row[]): (name: string, run: (arg: Row) => unknown) => void;
}

export function describe(name: string, define: () => void): void {
  runner().describe(name, define);
}

describe.each = eachOf(describe);

/** @param run may return a promise */
export function it(name: string, run: () => unknown): void {
  runner().it(name, async () => {
    await run();
  });
}

it.each = eachOf(it);

/** `%s` and `%j` in a name stand for the arguments in their order. */
function eachOf(define: (name: string, run: () => void) => void): Each {
  return (rows: readonly unknown[]) => (name: string, run: (...args: never[]) => unknown) => {
    for (const row of rows) {
      const args = Array.isArray(row) ? (row as unknown[]) : [row];
      define(titleOf(name, args), () => run(...(args as never[])));
    }
  };
}

const SHOWN_LENGTH = 60;

function titleOf(name: string, args: readonly unknown[]): string {
  let index = 0;
  return name.replace(/%[sj]/g, (place) => {
    const value = args[index++];
    const text = place === '%j' ? JSON.stringify(value) : String(value);
    return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
  });
}

function runner(): TestRunner {
  const found = chosen ?? (globalThis as Partial<Record<keyof TestRunner, unknown>>);
  if (typeof found.describe === 'function' && typeof found.it === 'function') return found as TestRunner;
  throw new NoTestRunnerError();
}

/** A suite was defined outside of a test runner, or in one whose functions are not global. */
class NoTestRunnerError extends AdornError {
  readonly code = 'TEST_RUNNER_MISSING';

  constructor() {
    super(
      'There is no global describe and it for the contract suites. Run the file with a test runner, and pass its ' +
        "functions first: import { describe, it } from 'vitest'; useTestRunner({ describe, it }).",
    );
  }
}
