import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from '@adorn/core';
import { runCode } from '../tools/index.js';

import { describeCodeExecutor } from '../contract/index.js';
import { quickJs, type QuickJsOptions } from './quick-js.executor.js';

describeCodeExecutor(
  'quickJs',
  (limits) => quickJs({ ...limits, stateful: true }),
  {
    language: 'javascript',
    hello: "console.log('hello')",
    warns: "console.warn('oops')",
    fails: "function risky() { throw new Error('bad idea'); }\nrisky();",
    loops: 'for (;;) {}',
    floods: "const s = 'x'.repeat(1e6); for (let i = 0; i < 110; i++) console.log(s)",
    hoards: 'const kept = []; for (;;) kept.push(new ArrayBuffer(1e6))',
    copiesFile: "const text = readFile('in.csv'); console.log(text); writeFile('out.csv', text)",
    remembers: ['let answer = 41', 'console.log(answer + 1)'],
  },
  { describe, it, expect },
);

describe('quickJs', () => {
  it('says where the code fails', async () => {
    const { stderr } = await execute('const a = 1;\nnull.x');

    expect(stderr).toContain("TypeError: cannot read property 'x' of null\n    at <eval> (code.js:2");
  });

  it.each([
    ['process', "[].constructor.constructor('return process')()"],
    ['require', "require('node:fs')"],
    ['import', "await import('node:fs')"],
    ['fetch', "fetch('http://169.254.169.254/')"],
    ['globalThis of the worker', "[].constructor.constructor('return this')().parentPort.postMessage(1)"],
    ['WebAssembly', 'new WebAssembly.Memory({ initial: 1 })'],
    ['SharedArrayBuffer without end', 'for (const kept = [];;) kept.push(new SharedArrayBuffer(1e6))'],
    ['deep recursion', 'const f = () => f() + 1; f()'],
    ['deep recursion of a native function', "JSON.parse('['.repeat(1e6))"],
    ['a long string', "'a'.repeat(2 ** 30)"],
  ])('has no way to %s', async (_, code) => {
    const { exitCode } = await execute(code);

    expect(exitCode).toBe(1);
  });

  it.each([
    ['a regular expression', "/(a+)+$/.test('a'.repeat(60) + 'b')"],
    ['a sort', 'const a = Array.from({ length: 3e6 }, (_, i) => (i * 7919) % 3e6); for (;;) a.sort()'],
    ['a proxy', 'for (const p = new Proxy({}, { get: () => p });;) p.a.b.c'],
    ['a rejected promise', 'const again = () => Promise.reject(1).catch(again); await again()'],
  ])('is stopped within its time in %s', async (_, code) => {
    const start = performance.now();
    const { isTimeout } = await execute(code, { timeout: 500, memory: 256 * 1024 * 1024 });

    expect(isTimeout).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('calls functions of the application, side by side, and gives their errors to the code', async () => {
    await using executor = quickJs();
    const asked: unknown[] = [];
    const functions = {
      price: async ({ id }: Readonly<Record<string, unknown>>) => {
        asked.push(id);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (id === 3) throw new Error('there is no 3');
        return { cents: Number(id) * 100 };
      },
    };
    const code =
      'const [a, b] = await Promise.all([price({ id: 1 }), price({ id: 2 })]);\n' +
      'const c = await price({ id: 3 }).catch((error) => error.message);\n' +
      'return [a.cents + b.cents, c];';

    const { result } = await executor.execute({ code, language: 'javascript', functions });

    expect(result).toEqual([300, 'there is no 3']);
    expect(asked).toEqual([1, 2, 3]);
  });

  it.each<[object, string]>([
    [
      { timeout: 0 },
      'The options of quickJs() cannot be used: timeout is 0. Pass a whole number of at least 1.',
    ],
    [
      { memori: 1 },
      'there is no option memori. Did you mean memory? Valid: timeout, memory, maxOutput, maxFiles, stateful.',
    ],
    [{ maxOutput: NaN }, 'maxOutput is NaN'],
  ])('refuses %j', (options, fault) => {
    expect(() => quickJs(options as QuickJsOptions)).toThrow(fault);
  });

  it('calculates for an agent', async () => {
    await using executor = quickJs();
    const model = new ScriptedModel(callsTool('run_code', { code: '6 * 7' }), says('It is 42.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [runCode(executor)] }), {
      model,
    });

    const events = await eventsOf(runner.run({ userId: 'ada', message: 'Compute.' }));

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      outcome: 'OUTCOME_OK',
      output: '',
      result: 42,
    });
  });
});

async function execute(code: string, options: QuickJsOptions = {}) {
  await using executor = quickJs({ timeout: 10_000, ...options });
  return await executor.execute({ code, language: 'javascript' });
}
