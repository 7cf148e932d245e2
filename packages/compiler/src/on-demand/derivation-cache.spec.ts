import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type DerivedFile, deriveFiles } from '../derive/derive-files.js';
import { TemporaryProject } from '../fixtures/temporary-project.js';
import { transpileCached } from '../loader/transpile-cached.js';
import { DerivationCache } from './derivation-cache.js';

describe('DerivationCache', () => {
  let root: string;
  let source: string;
  let derived: DerivedFile;
  const cache = new DerivationCache('1.0.0');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'adorn-cache-'));
    writeFileSync(join(root, 'package.json'), '{}');
    mkdirSync(join(root, 'src'));
    source = join(root, 'src/orders.ts');
    writeFileSync(source, 'class Orders {}');
    derived = {
      dependencies: { [source]: hashOf('class Orders {}') },
      shapes: {},
      sources: { folders: {}, outputs: [], readAt: 0 },
      classes: { Orders: { tools: {} } },
      functions: {},
      faults: {},
    };
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const find = (from = cache): DerivedFile | undefined => from.findAll([source]).get(source);
  const entries = (): string[] => readdirSync(join(root, 'node_modules/.cache/adorn'));

  it('finds what it kept, in the package of the source', async () => {
    await cache.keep(source, derived);

    expect(find()).toMatchObject(derived);
    expect(entries()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
  });

  it('does not find what was derived from other content, by another compiler, or not at all', async () => {
    expect(find()).toBeUndefined();
    await cache.keep(source, derived);

    expect(find(new DerivationCache('1.0.1'))).toBeUndefined();
    writeFileSync(source, 'class Orders { changed }');
    expect(find()).toBeUndefined();
    rmSync(source);
    expect(find()).toBeUndefined();
  });

  it('takes a broken entry for none', async () => {
    await cache.keep(source, derived);
    const [name = ''] = entries();
    const path = join(root, 'node_modules/.cache/adorn', name);

    for (const text of [
      '',
      '{"format":1',
      'null',
      '{"format":1,"classes":[]}',
      readFileSync(path, 'utf8').slice(0, -9),
    ]) {
      writeFileSync(path, text);
      expect(find()).toBeUndefined();
    }
  });

  it.each<[what: string, change: object]>([
    ['of another form', { format: 1 }],
    ['of another file', { file: 'orders.ts' }],
    ['of another compiler', { compiler: '1.0.1' }],
    ['without what it depends on', { dependencies: null }],
    ['that does not know where the project is', { sources: undefined }],
    ['without shapes', { shapes: null }],
    ['without classes', { classes: undefined }],
    ['whose classes are none', { classes: null }],
    ['whose faults are a text', { faults: 'none' }],
  ])('takes an entry %s for none', async (_what, change) => {
    await cache.keep(source, derived);
    const path = join(root, 'node_modules/.cache/adorn', entries()[0] ?? '');
    const entry = JSON.parse(readFileSync(path, 'utf8')) as object;

    writeFileSync(path, JSON.stringify({ ...entry, ...change }));

    expect(find()).toBeUndefined();
  });

  it('does not find what was derived from several files of which one has changed', async () => {
    const other = join(root, 'src/address.ts');
    writeFileSync(other, 'class Address {}');
    const dependencies = { ...derived.dependencies, [other]: hashOf('class Address {}') };
    await cache.keep(source, { ...derived, dependencies });
    expect(find()).toMatchObject({ dependencies });

    writeFileSync(other, 'class Address { changed }');

    expect(find()).toBeUndefined();
  });

  it('keeps the faults of a file beside its records', async () => {
    const faults = { Bills: { code: 'TYPE_NOT_REPRESENTABLE', message: 'no' } };
    await cache.keep(source, { ...derived, faults });

    expect(find()).toMatchObject({ ...derived, faults });
  });

  it('serves many writers at once, and leaves no draft behind', async () => {
    await Promise.all(Array.from({ length: 20 }, () => cache.keep(source, derived)));

    expect(find()).toMatchObject(derived);
    expect(entries()).toHaveLength(1);
  });

  it('goes to the system folder for temporary files where the package cannot be written', async () => {
    writeFileSync(join(root, 'node_modules'), 'a file where a folder should be');

    await cache.keep(source, derived);

    expect(find()).toMatchObject(derived);
    rmSync(inSystemFolder(source));
  });

  it('goes there too where an entry cannot be put in place, and leaves no draft behind', async () => {
    const name = basename(inSystemFolder(source));
    mkdirSync(join(root, 'node_modules/.cache/adorn', name), { recursive: true });

    await cache.keep(source, derived);

    expect(find()).toMatchObject(derived);
    expect(entries()).toEqual([name]);
    rmSync(inSystemFolder(source));
  });

  it('keeps there what belongs to no package', async () => {
    rmSync(join(root, 'package.json'));

    await cache.keep(source, derived);

    expect(find()).toMatchObject(derived);
    rmSync(inSystemFolder(source));
    expect(find()).toBeUndefined();
  });
});

describe('DerivationCache, of a project', () => {
  const cache = new DerivationCache('1.0.0');
  let project: TemporaryProject;
  let file: string;

  beforeEach(() => {
    project = new TemporaryProject();
    installLibrary('1.0.0');
    project.write('src/shape.ts', 'export interface Shape { id: string }');
    file = project.write(
      'src/tools.ts',
      `import { tool } from 'adorn'; import type { Amount } from 'money'; import type { Shape } from './shape.js';
       export class Tools { @tool take(amount: Amount, shape: Shape): void {} }`,
    );
  });
  afterEach(() => {
    project.remove();
  });

  function installLibrary(version: string, types = 'index.d.ts'): void {
    project.write('node_modules/money/package.json', JSON.stringify({ name: 'money', version, types }));
    project.write('node_modules/money/index.d.ts', 'export type Amount = number;');
    project.write('node_modules/money/other.d.ts', 'export type Amount = string;');
  }

  const keep = (): Promise<void> => cache.keep(file, deriveFiles([file])[file] as DerivedFile);
  const isKept = (): boolean => cache.findAll([file]).has(file);

  it('finds what was derived before the body of a method was changed, once the file has been loaded', async () => {
    const text = readFileSync(file, 'utf8');
    await keep();

    project.write('src/tools.ts', text.replace('void {}', 'void { amount.toFixed(); }'));
    expect(isKept()).toBe(false);
    await transpileCached(file);
    expect(isKept()).toBe(true);

    project.write('src/tools.ts', text.replace('take(', '/** Take it. */ take('));
    await transpileCached(file);
    expect(isKept()).toBe(false);
  }, 60_000);

  it('does not find what was derived from another version of an installed package, or of other types of it', async () => {
    await keep();
    expect(isKept()).toBe(true);

    installLibrary('2.0.0');
    expect(isKept()).toBe(false);

    await keep();
    installLibrary('2.0.0', 'other.d.ts');
    expect(isKept()).toBe(false);
  }, 60_000);

  it('does not find what was derived from the version of a package that pnpm no longer links', async () => {
    project.write('node_modules/.pnpm/lock.yaml', 'money: 1.0.0');
    project.write('node_modules/.pnpm/rate@1.0.0/node_modules/rate/package.json', '{ "types": "i.d.ts" }');
    project.write('node_modules/.pnpm/rate@1.0.0/node_modules/rate/i.d.ts', 'export type Amount = number;');
    symlinkSync('.pnpm/rate@1.0.0/node_modules/rate', project.path('node_modules/rate'));
    project.write(
      'src/shape.ts',
      "import type { Amount } from 'rate'; export interface Shape { id: Amount }",
    );
    await keep();
    expect(isKept()).toBe(true);

    project.write('node_modules/.pnpm/lock.yaml', 'money: 1.0.1');
    expect(isKept()).toBe(false);
  }, 60_000);

  it.each<[what: string, path: string, text: string]>([
    [
      'is created and adds to a global type',
      'src/more/globals.ts',
      'declare global { interface Date { a: 1 } } export {}',
    ],
    [
      'is created and adds to a type of a module',
      'src/more.d.ts',
      "declare module './shape.js' { interface Shape { b: 1 } } export {}",
    ],
    ['is no module', 'src/script.ts', 'interface Everywhere { a: 1 }'],
    [
      'adds to a global type since it was changed',
      'src/late.ts',
      'declare global { interface Date { a: 1 } } export {}',
    ],
  ])(
    'does not find what was derived before a file that %s, until it is derived again',
    async (_what, path, text) => {
      project.write('src/late.ts', 'export const late = 1;');
      await keep();

      project.write(path, text);
      expect(isKept()).toBe(false);

      await keep();
      expect(isKept()).toBe(true);
    },
    60_000,
  );

  it('finds what was derived before files that add to no type, and before emitted files', async () => {
    await keep();

    project.write('src/other.ts', 'export const other = 1;');
    project.write('build/globals.d.ts', 'declare global { interface Date { a: 1 } } export {}');
    project.write('node_modules/other/globals.d.ts', 'declare global { interface Date { a: 1 } } export {}');

    expect(isKept()).toBe(true);
  }, 60_000);
});

function inSystemFolder(file: string): string {
  return join(tmpdir(), 'adorn-cache', `${hashOf(file).slice(0, 32)}.json`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
