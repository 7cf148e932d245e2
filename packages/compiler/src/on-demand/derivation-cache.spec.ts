import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { DerivedFile } from '../derive/derive-files.js';
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

function inSystemFolder(file: string): string {
  return join(tmpdir(), 'adorn-cache', `${hashOf(file).slice(0, 32)}.json`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
