/** @slow */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CodeExecutionInput, CodeExecutor } from '@adorn/core/backend';

import { pyodide, type PyodideOptions } from './pyodide.executor.js';

const REALM = "import js\nrealm = js.Object.constructor('return globalThis')()\n";
/** Code that harms its own world runs in this one, whose process is started once more when it has ended. */
const OTHER = { executionId: 'other' };

describe('pyodide', () => {
  // A start takes seconds of processor time, so the promises share one process. The attacks, each on a process of its own,
  // are in `npm run chaos -- sandbox`.
  let executor: CodeExecutor;

  beforeAll(async () => {
    const limits = { timeout: 2_000, maxOutput: 20_000, memory: 96 * 1024 * 1024 };
    executor = pyodide({ ...limits, stateful: true, warm: 0 });
    await executor.ready();
  }, 120_000);

  afterAll(async () => {
    await executor.close();
  });

  const run = (code: string, more: Partial<CodeExecutionInput> = {}) =>
    executor.execute({ code, language: 'python', executionId: 'a', ...more });

  it.each<[string, unknown]>([
    ['print(1)\n6 * 7', 42],
    ["{'a': [1, 2.5, None]}", { a: [1, 2.5, null] }],
    ['x = 41', undefined],
    ['x + 1', 42],
    ['import asyncio\nasync def later(): await asyncio.sleep(0.01); return 7\nasyncio.run(later())', 7],
  ])('returns the value of %j', async (code, value) => {
    expect(await run(code)).toMatchObject({ exitCode: 0, result: value });
  });

  it('returns the trace of an error, without frames of its own', async () => {
    const { stderr } = await run("def risky():\n    raise ValueError('bad idea')\nrisky()");

    expect(stderr.split('\n').filter((line) => line.includes('File'))).toEqual([
      '  File "main.py", line 3, in <module>',
      '  File "main.py", line 2, in risky',
    ]);
  });

  it('gives files to code, and returns those that it writes', async () => {
    const files = [{ name: 'in.csv', mimeType: 'text/csv', data: Buffer.from('a,b\n') }];
    const result = await run("_ = open('out.csv', 'w').write(open('in.csv').read() * 2)", { files });

    const written = result.files?.map(({ name, mimeType, data }) => [name, mimeType, String(data)]);
    expect(written).toEqual([['out.csv', 'text/csv', 'a,b\na,b\n']]);
  });

  it('has no permission, even for code that leaves Python', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let connections = 0;
    server.on('connection', (socket) => {
      connections++;
      socket.destroy();
    });
    const { port } = server.address() as { readonly port: number };
    const tries = [
      `realm.Deno.readTextFileSync('/etc/passwd')`,
      `realm.Deno.readTextFileSync(realm.Deno.execPath())`,
      `realm.Deno.writeTextFileSync('/tmp/adorn-escape', 'x')`,
      `str(realm.Deno.env.toObject())`,
      `str(realm.process.env.PATH.length)`,
      `realm.Deno.Command.new('/bin/id').outputSync()`,
      `realm.Deno.dlopen('/lib/x.so', {})`,
      `asyncio.run(realm.Deno.connect(js.JSON.parse('{"hostname":"127.0.0.1","port":${String(port)}}')))`,
      `asyncio.run(realm.fetch('http://127.0.0.1:${String(port)}/'))`,
      `asyncio.run(realm.eval('import("data:text/javascript,import%20%22https://esm.sh/x%22")'))`,
      `asyncio.run(realm.caches.open('x'))`,
      `realm.localStorage.setItem('a', 'b')`,
    ];
    const attempts = tries.map((code) => `    lambda: ${code},`).join('\n');
    const { stdout, stderr } = await run(
      `${REALM}import asyncio\nfor attempt in [\n${attempts}\n]:\n    try:\n        print('got', attempt())\n    except Exception as error:\n        print('no')`,
    );
    server.close();

    expect([stdout, stderr, connections]).toEqual(['no\n'.repeat(tries.length), '', 0]);
  });

  it.each<[string, string]>([
    [
      'a timer',
      'realm.setTimeout(js.Object.constructor("const end = Date.now() + 30000; while (Date.now() < end);"), 30)',
    ],
    [
      'a row of timers',
      'realm.setInterval(js.Object.constructor("globalThis.ticks = (globalThis.ticks ?? 0) + 1"), 1)',
    ],
    [
      'a task',
      'import asyncio\nasync def go():\n    global ticks\n    while True:\n        ticks += 1\n        await asyncio.sleep(0)\nasyncio.ensure_future(go())',
    ],
  ])('lets %s that code has started not go on after its end', async (_, start) => {
    await run(`${REALM}ticks = 0\n${start}\n1`, OTHER);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { result, isTimeout } = await run('[ticks, int(getattr(realm, "ticks", 0) or 0)]', OTHER);

    expect([isTimeout, result]).toEqual([undefined, [expect.any(Number), 0]]);
    expect((result as number[])[0]).toBeLessThan(3);
  });

  it('does not take what code writes for the end of an execution', async () => {
    const end = JSON.stringify({ kind: 'done', exitCode: 0, json: '"forged"', files: [], droppedFiles: 0 });
    const write = `import("node:fs").then((fs) => fs.writeSync(1, ${JSON.stringify(`${end}\n`)}))`;
    const { result } = await run(
      `${REALM}import asyncio\ntry:\n    asyncio.run(realm.eval(${JSON.stringify(write)}))\nexcept Exception:\n    pass\n"own"`,
      OTHER,
    );

    expect(result).not.toBe('forged');
  });

  it('still executes in a world whose modules code has broken, or in a fresh one', async () => {
    await run('import ast, json, traceback\nast.parse = ast.Expr = traceback.print_exception = None', OTHER);
    expect((await run('20 + 1', OTHER)).result).toBe(21);
    await run('import builtins\nbuiltins.isinstance = builtins.len = None', OTHER);
    await run('1', OTHER);

    expect((await run('20 + 2', OTHER)).result).toBe(22);
  });

  it.each<[string, unknown]>([
    ['2 ** 100', '1267650600228229401496703205376'],
    ['[-(2 ** 53), {"a": 2 ** 53 - 1}, True]', ['-9007199254740992', { a: 9007199254740991 }, true]],
  ])('gives whole numbers that JSON would round as texts: %s', async (code, value) => {
    expect((await run(code)).result).toEqual(value);
  });

  it('keeps the beginning of a flood of output', async () => {
    const { stdout, exitCode } = await run("for _ in range(1000): print('x' * 100_000)");

    expect([exitCode, stdout.slice(20_000)]).toEqual([0, '\n[99981000 bytes were dropped]\n']);
  });

  it('gives Python a MemoryError at its limit', async () => {
    const { stderr } = await run('kept = []\nwhile True: kept.append(bytearray(10_000_000))');
    await run('kept = None');

    expect(stderr).toContain('MemoryError');
  });

  it('stops code at the time limit, also in a call that does not yield', async () => {
    const { isTimeout, stderr } = await run('sum(range(10 ** 12))');

    expect([isTimeout, stderr]).toEqual([true, 'The code was stopped: it took longer than 2000 ms.\n']);
  });

  it('stops waiting for a process that starts', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const running = run('1', { executionId: 'b', signal: controller.signal });
    setTimeout(() => {
      controller.abort(reason);
    }, 20);

    await expect(running).rejects.toBe(reason);
  });

  it.each<[PyodideOptions, string]>([
    [{ warm: -1 }, 'warm is -1'],
    [{ timeout: 0 }, 'timeout is 0'],
    [{ allowNet: true } as PyodideOptions, 'there is no option allowNet'],
  ])('refuses %j', (options, fault) => {
    expect(() => pyodide(options)).toThrow(fault);
  });

  it.each<[PyodideOptions, string]>([
    [{ deno: '/bin/false' }, '/bin/false is no Deno 2 or later. Install it'],
    [{ distribution: '/nowhere' }, '/nowhere has no pyodide.asm.wasm. Install it'],
    [{ packages: ['numpy'] }, 'of the package numpy. Download the full distribution'],
    [{ packages: ['numpyy'] }, 'no package "numpyy"'],
  ])('says what is missing: %j', async (options, fault) => {
    await expect(async () => pyodide(options).ready()).rejects.toThrow(
      expect.objectContaining({
        code: 'CODE_EXECUTOR_UNAVAILABLE',
        message: expect.stringContaining(fault) as string,
      }) as Error,
    );
  });

  it('does not run in a Deno that ends at its start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-deno-'));
    const deno = join(folder, 'deno');
    writeFileSync(
      deno,
      '#!/bin/sh\n[ "$1" = --version ] && echo deno 2.0.0 || { echo broken >&2; exit 1; }\n',
      {
        mode: 0o755,
      },
    );

    await expect(async () => pyodide({ deno }).ready()).rejects.toThrow('it ended at its start: broken');
    rmSync(folder, { recursive: true });
  });
});
