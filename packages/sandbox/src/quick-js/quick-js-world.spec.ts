import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import fc from 'fast-check';

import type { FromWorker, WorkerAnswer, WorkerFile } from './messages.js';
import { QuickJsWorld } from './quick-js-world.js';

type Done = Extract<FromWorker, { readonly kind: 'done' }>;

/** In this process and without a worker: what code finds, and what comes of it. */
describe('a world of QuickJS', () => {
  let quickJs: QuickJSWASMModule;

  beforeAll(async () => {
    quickJs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  });

  function open(limits: Partial<Record<'memory' | 'maxOutput' | 'maxFiles', number>> = {}) {
    const sent: FromWorker[] = [];
    const settings = { memory: 64 * 1024 * 1024, maxOutput: 20_000, maxFiles: 1_000, ...limits };
    const world = new QuickJsWorld(quickJs.newContext(), settings, (message) => sent.push(message));
    const take = (): FromWorker[] => sent.splice(0);
    const run = (code: string, more: Partial<Parameters<QuickJsWorld['run']>[0]> = {}) => {
      world.run({ kind: 'run', code, timeout: 10_000, files: [], functions: [], ...more });
      return resultIn(take());
    };
    const answer = (...answers: WorkerAnswer[]) => {
      world.answers(answers);
      return resultIn(take());
    };
    return { run, answer };
  }

  it.each<[string, unknown]>([
    ['1 + 1', 2],
    ['const a = [1, 2]; a.map((n) => n * 2)', [2, 4]],
    ['const n = await Promise.resolve(5);\nn * 2;\n', 10],
    ['const n = await Promise.resolve(5);\nif (n > 4) {\n  n;\n}', undefined],
    ['const one = await Promise.resolve(6); one', 6],
    ['const one = await Promise.resolve(6); one * 2;', 12],
    ['await 1;\n[\n  2,\n  3,\n]', [2, 3]],
    ['await 1; // not this; 5', 1],
    ['await 1; // not this\n/* nor; this */\n', 1],
    ['await 1;;', 1],
    ['await "a; // b"', 'a; // b'],
    ['await 1; const text = `a;\n// b`; text; // c', 'a;\n// b'],
    ['const text = "a; 5"; await 1; text', 'a; 5'],
    ['await 1; if (true) { 5; }', undefined],
    ['for (let i = 0; i < 2; i++) await i', undefined],
    ['return { sum: 3 }', { sum: 3 }],
    ['Promise.resolve(4)', 4],
    ['// a comment\n7', 7],
    ['await 3 // at the end', 3],
    ['new Map([[1, 2n]])', [[1, '2n']]],
    ['[new Set([1]), new Error("no").name]', [[1], 'Error']],
    ['undefined', undefined],
    ['() => 1', undefined],
    ["JSON.stringify = () => '{}'; ({ a: 1 })", { a: 1 }],
    ['const c = {}; c.c = c; c', undefined],
  ])('returns the value of %j', (code, value) => {
    const { done, stderr } = open().run(code);

    expect([done?.isOk, valueOf(done), stderr]).toEqual([true, value, '']);
  });

  it.each<[string, string]>([
    ["'a', 1, null, undefined, true", 'a 1 null undefined true\n'],
    ['5n, Symbol.iterator', '5n Symbol(Symbol.iterator)\n'],
    ['{ a: [1n], m: new Map([[1, 2]]), s: new Set([3]) }', '{"a":["1n"],"m":[[1,2]],"s":[3]}\n'],
    ['(() => { const c = []; c.push({ c }); return c; })()', '[object Object]\n'],
    ['{ toJSON: () => undefined }', '[object Object]\n'],
    ['', '\n'],
  ])('prints %s', (values, text) => {
    const { stdout, done } = open().run(`console.log(${values})`);

    expect([stdout, done?.isOk]).toEqual([text, true]);
  });

  it('prints an error with its place', () => {
    const { stdout } = open().run("const e = new TypeError('no');\nconsole.log(e); console.log({ e })");

    expect(stdout).toContain('TypeError: no\n    at <eval> (code.js:1');
    expect(stdout).toContain('{"e":"TypeError: no\\n');
  });

  it.each(['log', 'info', 'debug', 'table', 'dir'])('prints console.%s on stdout', (name) => {
    expect(open().run(`console.${name}('a')`)).toMatchObject({ stdout: 'a\n', stderr: '' });
  });

  it.each(['warn', 'error', 'trace'])('prints console.%s on stderr', (name) => {
    expect(open().run(`console.${name}('a')`)).toMatchObject({ stdout: '', stderr: 'a\n' });
  });

  it('prints with print', () => {
    expect(open().run("print('a', 2)").stdout).toBe('a 2\n');
  });

  it.each<[string, string]>([
    ['throw 5', 'Uncaught 5\n'],
    ["throw { code: 'E' }", 'Uncaught {"code":"E"}\n'],
    ['throw null', 'Uncaught null, which is also thrown when no memory is left\n'],
    ["await Promise.reject('late')", 'Uncaught late\n'],
    ["const e = new Error('a'); e.stack = 1; throw e", 'Error: a\n'],
    ["const e = new Error('a'); Object.defineProperty(e, 'name', { get() { throw 1 } }); throw e", 'Error\n'],
    ["throw Object.assign(new Error('a'.repeat(20_000)), { stack: '' })", `Error: ${'a'.repeat(9_993)}\n`],
    ['await new Promise(() => {})', 'Error: the code waits for a promise that nothing settles\n'],
  ])('says how %s ended', (code, text) => {
    const { stderr, done } = open().run(code);

    expect([stderr, done?.isOk, done?.isTimeout, done?.json]).toEqual([text, false, false, undefined]);
  });

  it('throws in the code if an answer does not fit the memory', () => {
    const json = JSON.stringify('a'.repeat(6_000_000));
    const { run, answer } = open({ memory: 4_000_000 });
    run('try { await look_up({}); } catch (error) { return String(error) }', { functions: ['look_up'] });

    expect(valueOf(answer({ id: 0, json }).done)).toBe('Error: the result does not fit the memory');
    expect(run('1 + 1').done?.json).toBe('2');
  });

  it('shows no frame of its own in a trace', () => {
    const { stderr } = open().run("console.log({ toJSON() { null.x } }, 1);\nreadFile('none')");

    expect(stderr).toContain('Error: there is no file "none"');
    expect(stderr).toContain('code.js:2');
    expect(stderr).not.toContain('prelude');
  });

  it('keeps variables for the next code, and not its output', () => {
    const { run } = open({ maxOutput: 4 });

    expect(run("let a = 1; console.log('aaa')").stdout).toBe('aaa\n');
    expect(run("console.log('bbb'); a + 1")).toMatchObject({ stdout: 'bbb\n', done: { json: '2' } });
  });

  it.each([
    ['stdout', 'log'],
    ['stderr', 'warn'],
  ] as const)('counts the bytes of %s that it drops', (stream, method) => {
    const result = open({ maxOutput: 10 }).run(
      `console.${method}('aé');\nconsole.${method}('bbbbbb12');\nconsole.${method}('c')`,
    );

    expect([result[stream], result.dropped]).toEqual(['aé\nbbbbbb', { stdout: 0, stderr: 0, [stream]: 5 }]);
  });

  it('reads the files that it is given, and returns those that it wrote', () => {
    const { run } = open();
    const first = run(
      "writeFile('b.txt', readFile('a.txt') + '!'); writeFile('c.json', { n: 1n }); listFiles()",
      {
        files: [file('a.txt', 'é')],
      },
    );
    const second = run("writeFile('a.txt', 'new'); [readFile('a.txt'), readFile('b.txt')]");

    expect(valueOf(first.done)).toEqual(['a.txt', 'b.txt', 'c.json']);
    expect(first.files).toEqual([
      ['b.txt', 'é!'],
      ['c.json', '{"n":"1n"}'],
    ]);
    expect(valueOf(second.done)).toEqual(['new', 'é!']);
    expect(second.files).toEqual([['a.txt', 'new']]);
  });

  it('takes as many bytes of files as its limit says, and one that is written again counts once', () => {
    const { run } = open({ maxFiles: 10 });
    const full = run("writeFile('a', '12345'); writeFile('a', '1234567890'); 1");
    const over = run("writeFile('b', 'x')");

    expect([full.stderr, valueOf(full.done)]).toEqual(['', 1]);
    expect(over.stderr).toContain('Error: the files have more than 10 bytes');
    expect(over.files).toEqual([]);
  });

  it.each(['../x', '/etc/x', 'a\\\\b', '', '.', '..'])('writes no file called %j', (name) => {
    const { files, stderr } = open().run(`writeFile('${name}', 'x')`);

    expect(files).toEqual([]);
    expect(stderr).toContain('is no name of a file: there are no folders');
  });

  it('asks for calls together, and takes answers in any order', () => {
    const { run, answer } = open();
    const functions = ['price'];
    const asked = run('const all = await Promise.all([price({ id: 1 }), price({ id: 2 }), price()]);\nall', {
      functions,
    });
    const waiting = answer({ id: 2, json: '"c"' }, { id: 0, json: '{"__proto__":{"x":1},"a":1}' });
    const ended = answer({ id: 1 }, { id: 1, json: '"again"' }, { id: 9, json: '"unknown"' });

    expect(asked.calls).toEqual([
      [
        { id: 0, name: 'price', json: '{"id":1}' },
        { id: 1, name: 'price', json: '{"id":2}' },
        { id: 2, name: 'price', json: '{}' },
      ],
    ]);
    expect([waiting.calls, waiting.done]).toEqual([[[]], undefined]);
    expect(valueOf(ended.done)).toEqual([{ a: 1, ['__proto__']: { x: 1 } }, null, 'c']);
  });

  it('asks for the calls that an answer leads to', () => {
    const { run, answer } = open();
    run('return [await f({ a: 1 }), await f({ a: 2 })]', { functions: ['f'] });

    expect(answer({ id: 0, json: '1' }).calls).toEqual([[{ id: 1, name: 'f', json: '{"a":2}' }]]);
    expect(valueOf(answer({ id: 1, json: '2' }).done)).toEqual([1, 2]);
  });

  it('throws the error of an answer where the code waits', () => {
    const { run, answer } = open();
    run('try { await f({}) } catch (error) { return [error instanceof Error, error.message] }', {
      functions: ['f'],
    });

    expect(valueOf(answer({ id: 0, error: 'no such id' }).done)).toEqual([true, 'no such id']);
  });

  it('makes the calls that code did not wait for', () => {
    const { calls, done } = open().run('f({ a: 1 }); 5', { functions: ['f'] });

    expect(calls).toEqual([[{ id: 0, name: 'f', json: '{"a":1}' }]]);
    expect(done?.json).toBe('5');
  });

  it.each(['for (;;);', 'try { for (;;); } catch {} for (;;);', 'await 1; for (;;);'])(
    'is interrupted at the time limit in %s',
    (code) => {
      const { done, stderr } = open().run(code, { timeout: 20 });

      expect([done?.isOk, done?.isTimeout, stderr]).toEqual([false, true, '']);
    },
  );

  it('is interrupted in what an answer leads to, and nothing runs after that', () => {
    const { run, answer } = open();
    const code = 'const loop = async () => { await f({}); for (;;); };\nawait Promise.all([loop(), loop()]);';
    run(code, { functions: ['f'], timeout: 20 });
    const { done, dones } = answer({ id: 0 }, { id: 1 });

    expect([done?.isTimeout, dones]).toEqual([true, 1]);
  });

  it('does not count the time in which code waits for an answer', async () => {
    const { run, answer } = open();
    run('await f({}); let n = 0; for (let i = 0; i < 10_000; i++) n += i; return n', {
      functions: ['f'],
      timeout: 100,
    });
    await new Promise((resolve) => setTimeout(resolve, 150));

    expect(answer({ id: 0 }).done).toMatchObject({ isOk: true, json: '49995000' });
  });

  it('has no memory without end', () => {
    const { done, stderr } = open({ memory: 4 * 1024 * 1024 }).run("'a'.repeat(1e6).split('')");

    expect([done?.isOk, done?.isTimeout]).toEqual([false, false]);
    expect(stderr).not.toBe('');
  });

  it('has nothing in its global scope but the language and its own functions', () => {
    const { done } = open().run(
      "Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name) || name.startsWith('__'))",
    );

    expect((valueOf(done) as string[]).filter((name) => !LANGUAGE.has(name)).sort()).toEqual([
      'console',
      'listFiles',
      'print',
      'readFile',
      'writeFile',
    ]);
  });

  it('is not steered by code that replaces what it is made of', () => {
    const { run, answer } = open();
    const { stdout, calls } = run(
      'Array.prototype.map = Array.prototype.join = Function.prototype.apply = () => "forged";\n' +
        'Reflect.apply = JSON.parse = JSON.stringify = () => "forged"; globalThis.__json = () => "forged";\n' +
        'console.log("a", { b: 1 });\nreturn [await f({ c: 2 }), listFiles()];',
      { functions: ['f'], files: [file('x', '')] },
    );

    expect(stdout).toBe('a {"b":1}\n');
    expect(calls).toEqual([[{ id: 0, name: 'f', json: '{"c":2}' }]]);
    expect(valueOf(answer({ id: 0, json: '{"d":3}' }).done)).toEqual([{ d: 3 }, ['x']]);
  });

  it('ends once with JSON or an error, whatever code defines anew in its global object', () => {
    const names = fc.constantFrom(
      ...['__json', '__describe', '__parse', '__write', 'console', 'print', 'look_up', 'undefined', 'Error'],
      ...['Object', 'Array', 'Map', 'Set', 'String', 'Promise', 'Symbol', 'JSON', 'Reflect', 'Function'],
      ...['Object.prototype', 'Array.prototype', 'Promise.prototype', 'Error.prototype', 'JSON'],
      ...['Function.prototype', 'String.prototype', 'Symbol', 'Map.prototype'],
    );
    const keys = fc.constantFrom(
      ...['"toJSON"', '"then"', '"constructor"', '"stringify"', '"parse"', '"join"', '"map"', '"name"'],
      ...['"message"', '"stack"', '"toString"', '"valueOf"', '"apply"', '"call"', '"species"', '"length"'],
      ...['Symbol.iterator', 'Symbol.hasInstance', 'Symbol.toPrimitive', 'Symbol.species', '0'],
    );
    const value = fc.constantFrom(
      ...['() => "}"', '() => { throw 1 }', '() => Symbol()', 'undefined', 'null', '5', '"x"', '{}', '[]'],
      ...['function () { return this }', 'class { constructor() { throw 2 } }', 'Symbol()', '() => ({})'],
      ...['new Proxy(() => {}, { get() { throw 3 } })', '1n', '() => { for (;;); }', 'Promise.reject(4)'],
    );
    const change = fc
      .tuple(names, keys, value, fc.constantFrom('value: V', 'get: () => V', 'set() { throw V }, get() {}'))
      .chain(([owner, key, made, how]) =>
        fc.constantFrom(
          `Object.defineProperty(globalThis, ${JSON.stringify(owner)}, { ${how.replace('V', made)} })`,
          `Object.defineProperty(${owner}, ${key}, { ${how.replace('V', made)} })`,
          `${owner}[${key}] = ${made}`,
          `Object.freeze(${owner})`,
          `globalThis[${JSON.stringify(owner)}] = ${made}`,
        ),
      );
    const end = fc.constantFrom(
      ...[
        '1',
        '({ a: [1n] })',
        'throw new Error("x")',
        'console.log({}, new Error("y"))',
        'new Map([[1, 2]])',
      ],
      ...['return await look_up({ a: 1 })', 'await 1; throw null', 'listFiles()', 'writeFile("a", {})'],
      ...['readFile(Symbol())', 'Promise.reject({ toString: null })', '[look_up, look_up()]', 'globalThis'],
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), end, end, (changes, first, second) => {
        const { run, answer } = open();
        const tries = changes.map((code) => `try { ${code} } catch {}`).join('\n');
        for (const code of [`${tries}\n${first}`, second]) {
          const begun = runOrOverflow(() => run(code, { functions: ['look_up'], timeout: 100 }));
          if (begun === undefined) return;
          let result = begun;
          const ids = result.calls.flat().map(({ id }) => id);
          if (!result.done) result = answer(...ids.map((id) => ({ id, json: '{"b":2}' })));
          expect(result.dones).toBe(1);
          if (result.done?.isTimeout === true) return;
          expect(() => valueOf(result.done)).not.toThrow();
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Functions of ECMAScript itself in the global scope. */
const LANGUAGE: ReadonlySet<string> = new Set([
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'globalThis'],
  ...['isFinite', 'isNaN', 'parseFloat', 'parseInt', 'queueMicrotask', 'undefined', 'unescape'],
]);

function file(name: string, text: string): WorkerFile {
  return { name, data: Buffer.from(text) };
}

/** What the messages of one step say together. */
function resultIn(messages: readonly FromWorker[]) {
  const text = { stdout: '', stderr: '' };
  const dropped = { stdout: 0, stderr: 0 };
  for (const message of messages) {
    if (message.kind === 'output') text[message.stream] += message.text;
    if (message.kind === 'dropped') dropped[message.stream] += message.bytes;
  }
  const calls = messages.flatMap((message) => (message.kind === 'calls' ? [message.calls] : []));
  const dones = messages.filter((message): message is Done => message.kind === 'done');
  const [done] = dones;
  const files = (done?.files ?? []).map(({ name, data }) => [name, String(data)]);
  return { ...text, dropped, calls, done, dones: dones.length, files };
}

function valueOf(done: Done | undefined): unknown {
  return done?.json === undefined ? undefined : (JSON.parse(done.json) as unknown);
}

/** Undefined where native recursion exhausts the stack of this thread: a worker ends by it, and with it the execution. */
function runOrOverflow<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError || String(error).startsWith('RangeError')) return undefined;
    throw error;
  }
}
