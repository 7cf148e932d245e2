import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { askCompiler, findCompiler } from './derive-on-demand.js';

const MANIFEST = {
  name: '@adorn/compiler',
  version: '1.0.0',
  type: 'module',
  exports: { './on-demand': { default: './on-demand.js' } },
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

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function install(folder: string, manifest: object | string = MANIFEST, script = ''): string {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  write(`${folder}/package.json`, text);
  return write(`${folder}/on-demand.js`, script);
}

describe('findCompiler', () => {
  const cwd = process.cwd();
  afterEach(() => {
    process.chdir(cwd);
  });

  const scriptFor = (file: string): Promise<string | undefined> => findCompiler(join(root, file));

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
    ['is not built', { ...MANIFEST, exports: { './on-demand': { default: './dist/on-demand.js' } } }],
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

  it('takes that of the running program where no file is known', async () => {
    const script = install('node_modules/@adorn/compiler');
    process.chdir(root);

    expect(await findCompiler(undefined)).toBe(script);
  });

  it('finds nothing where there is none', async () => {
    process.chdir(root);

    expect(await scriptFor('orders.ts')).toBeUndefined();
  });
});

describe('askCompiler', () => {
  const requests = [{ kind: 'class', name: 'Orders', sites: ['/shop/orders.ts'] }] as const;

  it('hands the requests to the script and gives its answer', async () => {
    const answer = { kind: 'answered', answers: [{ kind: 'missing', why: 'it is' }] };
    const script = install(
      '.',
      MANIFEST,
      `export const answerOnDemand = (text) => Promise.resolve(text === '${JSON.stringify(requests)}' ? '${JSON.stringify(answer)}' : '');`,
    );

    expect(await askCompiler(script, requests)).toEqual(answer);
  });

  it('gives records of its own realm, though the script runs in that of Node', async () => {
    const script = install(
      '.',
      MANIFEST,
      `export const answerOnDemand = () => Promise.resolve('{"kind":"answered","answers":[]}');`,
    );

    expect(Object.getPrototypeOf(await askCompiler(script, requests))).toBe(Object.prototype);
  });

  it('fails where the script cannot be loaded, and says which', async () => {
    const script = install('.', MANIFEST, "import '@adorn/gone';");

    expect(await askCompiler(script, requests)).toEqual({
      kind: 'failed',
      message: expect.stringMatching(
        /^The compiler \(.*on-demand\.js\) cannot be loaded: .*@adorn\/gone/,
      ) as unknown,
    });
  });
});
