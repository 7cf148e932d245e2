import 'expect';

import { AdornError } from '@adorn/core';

import { runMatchers, type RunMatchers } from './matchers/index.js';

/** The matchers were imported where there is no global `expect`. */
class ExpectMissingError extends AdornError {
  readonly code = 'TEST_RUNNER_MISSING';

  constructor() {
    super(
      '@adorn/testing/jest needs the global expect of Jest, and there is none. Name it in setupFilesAfterEnv; ' +
        'with Vitest call expect.extend(runMatchers), and with another runner use expectRun, both of @adorn/testing.',
    );
  }
}

// Gives Jest's `expect` the matchers: `setupFilesAfterEnv: ['@adorn/testing/jest']`, or an import in a test.

/* eslint-disable @typescript-eslint/no-namespace, @typescript-eslint/no-empty-object-type -- merged with Jest's own declarations */
declare global {
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Jest's type has it
    interface Matchers<R, T = {}> extends RunMatchers<R> {}
  }
}

declare module 'expect' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Jest's type has it
  interface Matchers<R extends void | Promise<void>, T = unknown> extends RunMatchers<R> {}
}
/* eslint-enable */

const { expect } = globalThis as { readonly expect?: { readonly extend: (matchers: object) => void } };
if (!expect) throw new ExpectMissingError();
expect.extend(runMatchers);
