import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Queries } from '../../database/database.js';
import { FileContentStore } from './file-content-store.js';

const parent = mkdtempSync(join(tmpdir(), 'adorn-files-'));
const OUTSIDE = join(parent, 'outside');
/** Files ask nothing of a transaction. */
const QUERIES = undefined as unknown as Queries;
/** The SHA-256 of `hello`. */
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const HELLO_PATH = join('2c', 'f2', HELLO);

let count = 0;
let folder = '';
let store: FileContentStore;

beforeEach(() => {
  folder = join(parent, String(count++));
  store = new FileContentStore(folder);
  mkdirSync(OUTSIDE, { recursive: true });
  writeFileSync(join(OUTSIDE, 'secret'), 'secret');
});

afterAll(() => {
  rmSync(parent, { recursive: true });
});

describe('FileContentStore', () => {
  it('puts a file under its SHA-256, in folders of it, and leaves no other', async () => {
    await keep('hello');
    await keep('hello');

    expect(filesIn(folder)).toEqual([HELLO_PATH]);
    expect(readFileSync(join(folder, HELLO_PATH), 'utf8')).toBe('hello');
  });

  it('keeps nothing of what is taken in and not kept', async () => {
    const staged = await store.stage(pieces('hello'));
    expect(await store.open(staged.address)).toBeUndefined();

    await staged.release();

    expect(filesIn(folder)).toEqual([]);
  });

  it('makes its folder again where it could not be made before', async () => {
    writeFileSync(folder, 'in the way');
    await expect(keep('hello')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    rmSync(folder);

    await keep('hello');

    expect(await textOf(HELLO)).toBe('hello');
  });

  it('removes what was being written a day ago, and not what is being written now', async () => {
    const staged = await store.stage(pieces('hello'));
    const old = join(folder, 'incoming', 'old');
    writeFileSync(old, 'half');
    utimesSync(old, new Date(0), new Date(0));

    await store.removeLeftOvers();
    await staged.keep(QUERIES);

    expect(existsSync(old)).toBe(false);
    expect(await textOf(HELLO)).toBe('hello');
  });

  it('refuses a file in the place of another that has lost its end, and leaves it', async () => {
    await keep('hello');
    truncateSync(join(folder, HELLO_PATH), 2);

    await expect(keep('hello')).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
    expect(readFileSync(join(folder, HELLO_PATH), 'utf8')).toBe('he');
  });
});

describe('S5 a symbolic link in the folder of contents', () => {
  it.each([
    ['the first folder', '2c', OUTSIDE],
    ['the second folder', join('2c', 'f2'), OUTSIDE],
    ['the file', HELLO_PATH, join(OUTSIDE, 'secret')],
  ])('in the place of %s is refused for reading', async (_what, path, target) => {
    mkdirSync(join(OUTSIDE, 'f2'), { recursive: true });
    for (const place of [OUTSIDE, join(OUTSIDE, 'f2')]) writeFileSync(join(place, HELLO), 'secret');
    plant(path, target);

    await expect(textOf(HELLO)).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
  });

  it.each([
    ['the first folder', '2c', OUTSIDE],
    ['the second folder', join('2c', 'f2'), OUTSIDE],
    ['the file', HELLO_PATH, join(OUTSIDE, 'secret')],
    ['the file, with a link as long as the file', HELLO_PATH, 'other'],
    ['the folder of files that are being written', 'incoming', OUTSIDE],
  ])(
    'in the place of %s is refused for writing, and nothing is written behind it',
    async (_what, path, target) => {
      const before = filesIn(OUTSIDE);
      plant(path, target);

      await expect(keep('hello')).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
      expect(filesIn(OUTSIDE)).toEqual(before);
      expect(readFileSync(join(OUTSIDE, 'secret'), 'utf8')).toBe('secret');
    },
  );

  it('is refused for deleting, and what is behind it stays', async () => {
    mkdirSync(join(OUTSIDE, 'f2'), { recursive: true });
    writeFileSync(join(OUTSIDE, 'f2', HELLO), 'secret');
    plant('2c', OUTSIDE);

    await expect(store.delete(HELLO)).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
    expect(existsSync(join(OUTSIDE, 'f2', HELLO))).toBe(true);
  });

  it.each(['..', '../../outside/secret', '/etc/passwd', `${HELLO}/..`, '', HELLO.toUpperCase()])(
    'is not needed: the address "%s" is refused',
    async (address) => {
      await expect(store.open(address)).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
      await expect(store.delete(address)).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
    },
  );
});

describe('a full disk', () => {
  const disk = mountSmallDisk();
  afterAll(() => {
    if (disk !== undefined) spawnSync('umount', [disk]);
  });

  (disk === undefined ? it.skip : it)(
    'is STORAGE_FULL, with nothing half-written, what was there whole, and room made used',
    async () => {
      folder = join(disk ?? '', 'contents');
      store = new FileContentStore(folder);
      await keep('hello');
      writeFileSync(join(disk ?? '', 'ballast'), Buffer.alloc(1_500_000));

      await expect(keep('x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' });

      expect(filesIn(folder)).toEqual([HELLO_PATH]);
      expect(await textOf(HELLO)).toBe('hello');
      rmSync(join(disk ?? '', 'ballast'));
      await keep('y'.repeat(500_000));
      expect(filesIn(folder)).toHaveLength(2);
    },
  );
});

/** Only who may mount has one: otherwise undefined. */
function mountSmallDisk(): string | undefined {
  const place = join(parent, 'disk');
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', place]);
  return status === 0 ? place : undefined;
}

function plant(path: string, target: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  symlinkSync(target, join(folder, path));
}

async function keep(text: string): Promise<void> {
  const staged = await store.stage(pieces(text));
  try {
    await staged.keep(QUERIES);
  } finally {
    await staged.release();
  }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

async function textOf(address: string): Promise<string | undefined> {
  const content = await store.open(address);
  if (content === undefined) return undefined;
  const found: Uint8Array[] = [];
  for await (const piece of content) found.push(piece);
  return Buffer.concat(found).toString();
}

function filesIn(place: string): string[] {
  if (!existsSync(place)) return [];
  const entries = readdirSync(place, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name, parentPath }) => join(parentPath, name).slice(place.length + 1))
    .sort();
}
