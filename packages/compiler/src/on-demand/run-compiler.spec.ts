import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Compiler, compilerOf, noticeIn, runCompiler } from './run-compiler.js';
import { writeBelow } from './write-below.fixture.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-compiler-')));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('runCompiler', () => {
  const node = process.execPath;
  afterEach(() => {
    process.execPath = node;
  });

  const compilerThat = (script: string): Compiler => ({
    script: writeBelow(root, 'derive.mjs', script),
    identity: '',
  });

  it('gives what the compiler answers for the files', async () => {
    const echo = `import { readFileSync } from 'node:fs';
      const { files } = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file, process.env.NODE_OPTIONS]))));`;

    expect(await runCompiler(compilerThat(echo), ['a.ts', 'b.ts'])).toEqual({
      kind: 'answered',
      files: { 'a.ts': '', 'b.ts': '' },
    });
  });

  it.each([
    ['says why', "process.stderr.write('\\n out of luck \\n\\n');", ' Its output:\nout of luck'],
    ['says nothing', "process.stderr.write('\\n');", ''],
  ])('fails with the code where the compiler ends badly, and %s', async (_what, script, said) => {
    const compiler = compilerThat(`${script} process.exitCode = 3;`);

    expect(await runCompiler(compiler, [])).toEqual({
      kind: 'failed',
      message: `The compiler (${compiler.script}) returned no schemas: it exited with code 3.${said}`,
    });
  });

  it('says on the console, once, that it is under way where that takes long, and how to avoid it', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const answers = "console.log('{}');";

    await runCompiler(compilerThat(answers), []);
    expect(warn).not.toHaveBeenCalled();

    await runCompiler(compilerThat(`setTimeout(() => { ${answers} }, 300);`), [], { notice: 1 });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('the preset @adorn/compiler/jest.')]]);
    const words = 'Wait.';
    await runCompiler(compilerThat(`setTimeout(() => { ${answers} }, 300);`), [], { notice: 1, words });
    expect(warn.mock.lastCall).toEqual([words]);
    await runCompiler(compilerThat(`setTimeout(() => { ${answers} }, 300);`), [], { notice: 1, words });
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });

  it.each([
    ['VITEST', 'next start. The wait is avoided by globalSetup: "@adorn/compiler/vitest".'],
    ['JEST_WORKER_ID', 'next start. The wait is avoided by the preset @adorn/compiler/jest.'],
    ['', 'cached for the next start.'],
  ])('names how to avoid the wait only where that applies: %s', (variable, end) => {
    expect(noticeIn({ [variable]: '1' }).endsWith(end)).toBe(true);
  });

  it('fails with the beginning of an answer that is no JSON', async () => {
    const compiler = compilerThat("console.log('x'.repeat(500));");

    expect(await runCompiler(compiler, [])).toEqual({
      kind: 'failed',
      message:
        `The compiler (${compiler.script}) returned no schemas: its answer is not JSON: ` +
        `${'x'.repeat(200)}.`,
    });
  });

  it('fails where a file is left out', async () => {
    const compiler = compilerThat('console.log(\'{ "a.ts": {} }\');');

    expect(await runCompiler(compiler, ['a.ts', 'b.ts'])).toEqual({
      kind: 'failed',
      message: `The compiler (${compiler.script}) returned no schemas: it has no result for a source file.`,
    });
  });

  it('fails where the compiler does not read what it is asked', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `/orders-${String(index)}.ts`);

    expect(await runCompiler(compilerThat('process.exit(3);'), many)).toEqual({
      kind: 'failed',
      message: expect.stringContaining('it exited with code 3.') as unknown,
    });
  });

  it('does not wait for a compiler for ever', async () => {
    expect(await runCompiler(compilerThat('setInterval(() => {}, 1000)'), [], { limit: 100 })).toEqual({
      kind: 'failed',
      message: expect.stringContaining('it was ended by SIGTERM (its time limit is 0.1 seconds)') as unknown,
    });
  });

  it('fails where no process can be started', async () => {
    const compiler = compilerThat('');
    process.execPath = join(root, 'no-node');

    expect(await runCompiler(compiler, [])).toEqual({
      kind: 'failed',
      message: `The compiler (${compiler.script}) returned no schemas: spawn ${root}/no-node ENOENT.`,
    });
  });
});

describe('compilerOf', () => {
  it('is the script that a file of this package finds, told from others by version, time and size', () => {
    expect(compilerOf(import.meta.url)).toEqual({
      script: expect.stringMatching(/compiler[\\/](?:src|dist)[\\/]derive\.[jt]s$/) as unknown,
      identity: expect.stringMatching(/^\d+\.\d+\.\d+ [\d.]+ \d+$/) as unknown,
    });
  });
});
