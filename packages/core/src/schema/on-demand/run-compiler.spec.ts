import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Compiler, findCompiler, runCompiler } from './run-compiler.js';
import { writeBelow } from './write-below.fixture.js';

const MANIFEST = {
  name: '@adorn/compiler',
  version: '1.0.0',
  type: 'module',
  exports: { './derive': { default: './derive.js' } },
};
/** Lets Node's own resolution find the manifest, as the real one does. */
const RESOLVABLE = { ...MANIFEST, exports: { ...MANIFEST.exports, './package.json': './package.json' } };

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-compiler-')));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const write = (path: string, text: string): string => writeBelow(root, path, text);

function install(folder: string, manifest: object | string = MANIFEST, script = ''): string {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  write(`${folder}/package.json`, text);
  return write(`${folder}/derive.js`, script);
}

describe('findCompiler', () => {
  const cwd = process.cwd();
  afterEach(() => {
    process.chdir(cwd);
  });

  const scriptFor = async (file: string): Promise<string | undefined> =>
    (await findCompiler(join(root, file)))?.script;

  it('looks into the folders above the file, the nearest first', async () => {
    const outer = install('node_modules/@adorn/compiler');
    const inner = install('inner/node_modules/@adorn/compiler');

    expect(await scriptFor('src/deep/orders.ts')).toBe(outer);
    expect(await scriptFor('orders.ts')).toBe(outer);
    expect(await scriptFor('inner/src/orders.ts')).toBe(inner);
  });

  it.each<[what: string, manifest: object | string]>([
    ['has no manifest that could be read', '{'],
    ['is too old to derive on demand', { ...MANIFEST, exports: {} }],
    ['is not built', { ...MANIFEST, exports: { './derive': { default: './dist/derive.js' } } }],
  ])('passes over one that %s', async (_what, manifest) => {
    const outer = install('node_modules/@adorn/compiler');
    install('inner/node_modules/@adorn/compiler', manifest);

    expect(await scriptFor('inner/orders.ts')).toBe(outer);
  });

  it('asks Node where packages are not in folders', async () => {
    const script = install('.', RESOLVABLE);

    expect(await scriptFor('src/orders.ts')).toBe(script);
  });

  it('takes that of the running program where the file has none', async () => {
    const script = install('program/node_modules/@adorn/compiler');
    process.chdir(join(root, 'program'));

    expect(await scriptFor('elsewhere/orders.ts')).toBe(script);
  });

  it('finds nothing where there is none', async () => {
    process.chdir(root);

    expect(await scriptFor('orders.ts')).toBeUndefined();
  });

  it('tells one build from another by its version, and by the size and time of its script', async () => {
    const identities = new Set<string | undefined>();
    for (const [manifest, script] of [
      [MANIFEST, ''],
      [MANIFEST, '// Another.'],
      [{ ...MANIFEST, version: '1.0.1' }, '// Another.'],
    ] as const) {
      install('node_modules/@adorn/compiler', manifest, script);
      identities.add((await findCompiler(join(root, 'orders.ts')))?.identity.replace(/ [\d.]+ /, ' time '));
    }

    expect([...identities]).toEqual(['1.0.0 time 0', '1.0.0 time 11', '1.0.1 time 11']);
  });
});

describe('runCompiler', () => {
  const node = process.execPath;
  afterEach(() => {
    process.execPath = node;
  });

  const compilerOf = (script: string): Compiler => ({ script: write('derive.mjs', script), identity: '' });

  it('gives what the compiler answers', async () => {
    const echo = `import { readFileSync } from 'node:fs';
      console.log(JSON.stringify({ asked: JSON.parse(readFileSync(0, 'utf8')).files, options: process.env.NODE_OPTIONS }));`;

    expect(await runCompiler(compilerOf(echo), ['a.ts', 'b.ts'])).toEqual({
      asked: ['a.ts', 'b.ts'],
      options: '',
    });
  });

  it.each([
    ['says why', "process.stderr.write('\\n out of luck \\n\\n');", ' Its output:\nout of luck'],
    ['says nothing', "process.stderr.write('\\n');", ''],
  ])('fails with the code where the compiler ends badly, and %s', async (_what, script, said) => {
    const compiler = compilerOf(`${script} process.exitCode = 3;`);

    await expect(runCompiler(compiler, [])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: `The compiler (${compiler.script}) returned no schemas: it exited with code 3.${said}`,
    });
  });

  it('fails with the beginning of an answer that is no JSON', async () => {
    const compiler = compilerOf("console.log('x'.repeat(500));");

    await expect(runCompiler(compiler, [])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message:
        `The compiler (${compiler.script}) returned no schemas: its answer is not JSON: ` +
        `${'x'.repeat(200)}.`,
    });
  });

  it('fails where the compiler does not read what it is asked', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `/orders-${String(index)}.ts`);

    await expect(runCompiler(compilerOf('process.exit(3);'), many)).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: expect.stringContaining('it exited with code 3.') as unknown,
    });
  });

  it('fails where no process can be started', async () => {
    const compiler = compilerOf('');
    process.execPath = join(root, 'no-node');

    await expect(runCompiler(compiler, [])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: `The compiler (${compiler.script}) returned no schemas: spawn ${root}/no-node ENOENT.`,
    });
  });
});
