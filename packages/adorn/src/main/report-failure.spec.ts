import { AdornError } from '@adorn/core';

import { reportFailure } from './report-failure.js';

class WrongFlag extends Error {
  readonly exitCode = 2;
}

class Broken extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';
}

describe('reportFailure', () => {
  afterEach(() => {
    process.exitCode = undefined;
  });

  it("tells an Adorn error's message and code without a stack, and exits with 1", () => {
    expect(report(new Broken('Gemini cannot be reached.'))).toBe(
      'error: Gemini cannot be reached. (MODEL_UNAVAILABLE)\n',
    );
    expect(process.exitCode).toBe(1);
  });

  it('tells the message of an error with an exit code, and exits with it', () => {
    expect(report(new WrongFlag('There is no such file.'))).toBe('error: There is no such file.\n');
    expect(process.exitCode).toBe(2);
  });

  it('writes nothing to the terminal that commands it', () => {
    expect(report(new Broken('Down\u001b[8m.'))).toBe('error: Down[8m. (MODEL_UNAVAILABLE)\n');
  });

  it('shows the stack where it is asked for, and of what nobody expected', () => {
    expect(report(new Broken('Down.'), true)).toMatch(/^Broken: Down\.\n +at /);
    expect(report(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n +at /);
  });
});

function report(error: unknown, verbose = false): string {
  let told = '';
  reportFailure(error, { verbose, write: (text) => (told += text) });
  return told;
}
