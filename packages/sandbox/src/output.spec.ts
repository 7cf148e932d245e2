import { BOOLEAN } from '@adorn/core/backend';

import { isFileName } from './file-name.js';
import { mediaTypeOf } from './media-type.js';
import { checkLimits, type SandboxLimits } from './options.js';
import { BoundedOutput } from './output.js';

describe('the output of code', () => {
  it('is kept whole up to its limit', () => {
    const output = new BoundedOutput(4);
    output.write('aé');
    output.write(Buffer.from('b'));

    expect([String(output), output.isFull]).toEqual(['aéb', false]);
  });

  it('is cut at its limit, and says how much was dropped', () => {
    const output = new BoundedOutput(4);
    output.write('abc');
    output.write('defg');
    output.write('h');
    output.drop(10);

    expect([String(output), output.isFull]).toEqual(['abcd\n[14 bytes were dropped]\n', true]);
  });

  it('is not cut within a character', () => {
    const output = new BoundedOutput(2);
    output.write('aé');

    expect(String(output)).toBe('a\n[1 bytes were dropped]\n');
  });
});

describe('the limits of a sandbox', () => {
  const check = (options: SandboxLimits) =>
    checkLimits('quickJs', options, { memory: 7, others: { stateful: BOOLEAN } });

  it('have defaults', () => {
    const MIB = 1024 * 1024;

    expect(check({})).toEqual({ timeout: 30_000, memory: 7, maxOutput: MIB, maxFiles: 20 * MIB });
    expect(check({ timeout: 1, memory: 2, maxOutput: 3, maxFiles: 4 })).toEqual({
      timeout: 1,
      memory: 2,
      maxOutput: 3,
      maxFiles: 4,
    });
  });

  it.each<[object, string]>([
    [{ maxFiles: 0 }, 'maxFiles is 0. Pass a whole number of at least 1.'],
    [{ memory: 1.5 }, 'memory is 1.5'],
    [{ timeout: '7' }, 'timeout is "7"'],
    [
      { statefull: true },
      'there is no option statefull. Did you mean stateful? Valid: timeout, memory, maxOutput, maxFiles, stateful.',
    ],
  ])('are not %j', (options, fault) => {
    expect(() => check(options as SandboxLimits)).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_OPTION_INVALID',
        message: expect.stringContaining(`The options of quickJs() cannot be used: ${fault}`) as string,
      }) as Error,
    );
  });
});

describe('a file of code', () => {
  it.each([
    ['a.CSV', 'text/csv'],
    ['a.b.png', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.svg', 'image/svg+xml'],
    ['a.pdf', 'application/pdf'],
    ['a.json', 'application/json'],
    ['a.xml', 'application/xml'],
    ['a.html', 'text/html'],
    ['a.md', 'text/markdown'],
    ['a.txt', 'text/plain'],
    ['csv', 'application/octet-stream'],
    ['a.csv.x', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('called %j is of the type %s', (name, type) => {
    expect(mediaTypeOf(name)).toBe(type);
  });

  it.each(['a', 'a b.txt', '...', '.env', 'é'])('may be called %j', (name) => {
    expect(isFileName(name)).toBe(true);
  });

  it.each(['', '.', '..', 'a/b', '/a', 'a\\b', 'a\0b'])('may not be called %j', (name) => {
    expect(isFileName(name)).toBe(false);
  });
});
