import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DerivationCache } from './derivation-cache.js';
import type { DerivedFile } from './derived-file.js';

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
      faults: {},
    };
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const find = async (from = cache): Promise<DerivedFile | undefined> =>
    (await from.findAll([source])).get(source);
  const entries = (): string[] => readdirSync(join(root, 'node_modules/.cache/adorn'));

  it('finds what it kept, in the package of the source', async () => {
    await cache.keep(source, derived);

    expect(await find()).toMatchObject(derived);
    expect(entries()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
  });

  it('does not find what was derived from other content, by another compiler, or not at all', async () => {
    expect(await find()).toBeUndefined();
    await cache.keep(source, derived);

    expect(await find(new DerivationCache('1.0.1'))).toBeUndefined();
    writeFileSync(source, 'class Orders { changed }');
    expect(await find()).toBeUndefined();
    rmSync(source);
    expect(await find()).toBeUndefined();
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
      expect(await find()).toBeUndefined();
    }
  });

  it('does not keep faults: what cures them may be a file that is not there yet', async () => {
    await cache.keep(source, {
      ...derived,
      faults: { Orders: { code: 'TYPE_NOT_REPRESENTABLE', message: 'no' } },
    });

    expect(await find()).toBeUndefined();
  });

  it('serves many writers at once, and leaves no draft behind', async () => {
    await Promise.all(Array.from({ length: 20 }, () => cache.keep(source, derived)));

    expect(await find()).toMatchObject(derived);
    expect(entries()).toHaveLength(1);
  });

  it('goes to the system folder for temporary files where the package cannot be written', async () => {
    writeFileSync(join(root, 'node_modules'), 'a file where a folder should be');

    await cache.keep(source, derived);

    expect(await find()).toMatchObject(derived);
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
