import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hashOf } from '../cache/file-hashes.js';
import { notedShape, transpileCached } from './transpile-cached.js';

const ORDERS = 'export class Orders { find(id: string): string { return id; } }';

describe('transpileCached', () => {
  let root: string;
  let file: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-transpiled-')));
    write('package.json', '{ "type": "module" }');
    write('tsconfig.json', '{ "extends": "./base.json" }');
    write('base.json', '{ "compilerOptions": { "target": "ES2022" } }');
    file = write('orders.ts', ORDERS);
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function write(path: string, text: string): string {
    writeFileSync(join(root, path), text);
    return join(root, path);
  }

  const folder = (): string => join(root, 'node_modules/.cache/adorn');

  /** A file that is compiled is written to its entry, whose time was set to the epoch's. */
  async function compiles(): Promise<boolean> {
    const entries = readdirSync(folder());
    for (const name of entries) utimesSync(join(folder(), name), 1, 1);
    await transpileCached(file);
    return entries.length !== 1 || statSync(join(folder(), entries[0]!)).mtimeMs !== 1000;
  }

  it('compiles a file once, and again where it has another content', async () => {
    const code = await transpileCached(file);
    expect(code).toContain('find(id) { return id; }');
    expect(code).toContain('//# sourceMappingURL=data:');

    write('orders.ts', ORDERS);
    expect(await compiles()).toBe(false);
    expect(await transpileCached(file)).toBe(code);

    write('orders.ts', ORDERS.replace('return id', "return id + '!'"));
    expect(await compiles()).toBe(true);
    expect(await transpileCached(file)).toContain("return id + '!'");
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it.each([
    ['a damaged entry', ''],
    ['an entry that is none', 'null'],
    ['an entry without code', '{ "format": 1, "settings": {}, "shape": "" }'],
  ])('takes %s for none', async (_what, text) => {
    await transpileCached(file);
    writeFileSync(join(folder(), readdirSync(folder())[0]!), text);

    expect(await compiles()).toBe(true);
    expect(await compiles()).toBe(false);
  });

  it('takes an entry that was made with other settings, or by another compiler, for none', async () => {
    await transpileCached(file);
    const path = join(folder(), readdirSync(folder())[0]!);
    const entry = JSON.parse(readFileSync(path, 'utf8')) as { settings: Record<string, string> };
    expect(Object.keys(entry.settings).map((name) => name.replace(`${root}/`, ''))).toEqual([
      'tsconfig.json',
      'base.json',
      expect.stringMatching(/typescript\/package\.json$/),
    ]);

    for (const change of [
      { settings: { ...entry.settings, [join(root, 'base.json')]: hashOf('{}') } },
      { tsconfig: join(root, 'other/tsconfig.json') },
      { compiler: '0.0.1' },
      { format: 0 },
    ]) {
      writeFileSync(path, JSON.stringify({ ...entry, ...change }));
      expect(await compiles()).toBe(true);
    }
  });

  it('serves many readers and writers at once, and leaves no draft behind', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => transpileCached(file)));

    expect(new Set(codes).size).toBe(1);
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it('notes the shape of a source, by its content', async () => {
    await transpileCached(file);
    const shape = notedShape(file, hashOf(ORDERS));
    expect(shape).toMatch(/^[0-9a-f]{64}$/);
    expect(notedShape(file, hashOf('other'))).toBeUndefined();

    const changed = ORDERS.replace('return id', 'return `${id}`');
    write('orders.ts', changed);
    await transpileCached(file);
    expect(notedShape(file, hashOf(changed))).toBe(shape);
  });
});
