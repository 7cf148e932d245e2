import { runInNewContext } from 'node:vm';

import { writtenParameters } from './tools-of-service.js';

describe('writtenParameters', () => {
  it.each<[code: string, names: string[]]>([
    ['run() { }', []],
    ['run(id, cents) { }', ['id', 'cents']],
    ['async run(id) { }', ['id']],
    ['*run(id) { }', ['id']],
    ['async *run(id) { }', ['id']],
    [
      'run(id, cents = 5, unit = "eur", limit = Number.MAX_VALUE, ...notes) { }',
      ['id', 'cents', 'unit', 'limit', 'notes'],
    ],
    ['run(\n  id,\n  größe,\n  $ref\n) { }', ['id', 'größe', '$ref']],
  ])('reads %s', (code, names) => {
    expect(writtenParameters(method(code), 'run')).toEqual({
      names,
      isMinified: false,
      readsArguments: false,
    });
  });

  it.each([
    ['run({ id }) { }'],
    ['run([id]) { }'],
    ['run(id, at = now()) { }'],
    ['run(id, unit = "a, b") { }'],
    ['run(id /* the number */) { }'],
    ['run(id = `x`) { }'],
    ['"run"(id) { }'],
    ['["run"](id) { }'],
    ['run = (id) => { }'],
    ['get run() { return function (id) { }; }'],
  ])('does not guess at %s', (code) => {
    expect(writtenParameters(method(code), 'run')).toBeUndefined();
  });

  it.each<[what: string, run: unknown]>([
    [
      'a function in its place',
      function (...args: unknown[]): unknown {
        return args;
      },
    ],
    ['a mock in its place', jest.fn()],
    ['a bound function', method('run(id) { }').bind(undefined)],
    ['nothing', undefined],
  ])('does not guess at %s', (_what, run) => {
    expect(writtenParameters(run, 'run')).toBeUndefined();
  });

  it('knows what a minifier wrote by the missing space', () => {
    expect(writtenParameters(method('async*run(e,t=5){}'), 'run')).toEqual({
      names: ['e', 't'],
      isMinified: true,
      readsArguments: false,
    });
  });

  it('knows code that takes its parameters from `arguments`', () => {
    const code = 'run(_0) { return __async(this, arguments, function* (id, cents = 1) {}); }';

    expect(writtenParameters(method(code), 'run')).toMatchObject({ names: ['_0'], readsArguments: true });
  });
});

function method(code: string): (...args: unknown[]) => unknown {
  return runInNewContext(`(new (class { ${code} })()).run`) as (...args: unknown[]) => unknown;
}
