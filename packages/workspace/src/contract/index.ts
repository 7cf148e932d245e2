import type { WorkspaceStore } from '../stores/workspace-store.js';

/** What the contract suite of a store needs of a test runner: the globals of Jest and Vitest fit. */
interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void>) => void;
  readonly expect: (value: unknown) => Expectation;
}

interface Expectation {
  toEqual(expected: unknown): void;
  toBe(expected: unknown): void;
  readonly not: { toBe(expected: unknown): void };
}

/** A store without files, and a second one of the same files, as another writer has it. */
export interface OpenedStore {
  readonly store: WorkspaceStore;
  readonly other: WorkspaceStore;
}

const NEW = { replaces: undefined };

/**
 * The promises of every `WorkspaceStore`. A store is complete when this suite passes.
 *
 * @param open gives a store without files; its files have at most 100,000 bytes
 * @param runner such as `{ describe, it, expect }` of Jest
 */
export function describeWorkspaceStore(
  name: string,
  open: () => Promise<OpenedStore>,
  { describe, it, expect }: TestRunner,
): void {
  const bytes = (text: string): Uint8Array => Buffer.from(text);
  const textOf = async (store: WorkspaceStore, path: string): Promise<string | undefined> => {
    const file = await store.read(path);
    return file && Buffer.from(file.data).toString('utf8');
  };
  const pathsOf = async (store: WorkspaceStore, folder?: string): Promise<string[]> => {
    const paths: string[] = [];
    for await (const { path } of store.list(folder)) paths.push(path);
    return paths;
  };
  const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      await work;
      return undefined;
    } catch (error) {
      return (error as { readonly code?: unknown }).code;
    }
  };

  describe(`${name} as a WorkspaceStore`, () => {
    it('gives back what was written, with its version and its size', async () => {
      const { store, other } = await open();
      const contents: [string, Uint8Array][] = [
        ['a.txt', bytes('line\r\nbreak é \u{1f680}')],
        ['docs/deep/er/empty.md', bytes('')],
        ['docs/bytes.bin', new Uint8Array([0, 255, 1, 128, 10])],
        ['docs/with space & "quote\'.txt', bytes('\ufeffmark')],
      ];
      for (const [path, data] of contents) {
        const version = await store.write(path, data, NEW);
        const read = await other.read(path);
        expect({ path: read?.path, version: read?.version }).toEqual({ path, version });
        expect(Buffer.compare(read?.data ?? bytes('none'), data)).toBe(0);
      }
      const sizes: Record<string, number> = {};
      for await (const { path, bytes: size } of store.list()) sizes[path] = size;
      expect(sizes).toEqual(Object.fromEntries(contents.map(([path, data]) => [path, data.byteLength])));
    });

    it('lists files of a folder and below, each time in the same order, and none where there are none', async () => {
      const { store } = await open();
      for (const path of ['b/2.txt', 'a.txt', 'b/c/3.txt', 'bb/4.txt'])
        await store.write(path, bytes('x'), NEW);

      expect((await pathsOf(store)).sort()).toEqual(['a.txt', 'b/2.txt', 'b/c/3.txt', 'bb/4.txt']);
      expect(await pathsOf(store)).toEqual(await pathsOf(store, '.'));
      expect((await pathsOf(store, 'b')).sort()).toEqual(['b/2.txt', 'b/c/3.txt']);
      expect(await pathsOf(store, 'b/c/')).toEqual(['b/c/3.txt']);
      expect(await pathsOf(store, 'none')).toEqual([]);
    });

    it('writes over the version that is named, and over no other one', async () => {
      const { store, other } = await open();
      const first = await store.write('a.txt', bytes('one'), NEW);
      const second = await other.write('a.txt', bytes('two'), { replaces: first });

      expect(await codeOf(store.write('a.txt', bytes('three'), { replaces: first }))).toBe('FILE_CONFLICT');
      expect(await codeOf(store.write('a.txt', bytes('three'), NEW))).toBe('FILE_CONFLICT');
      expect(await codeOf(store.write('none.txt', bytes('x'), { replaces: first }))).toBe('FILE_CONFLICT');
      expect(await textOf(store, 'a.txt')).toBe('two');
      expect(second).not.toBe(first);
      expect(await pathsOf(store)).toEqual(['a.txt']);
    });

    it('deletes the version that is named, and a file that was deleted can be made again', async () => {
      const { store, other } = await open();
      const first = await store.write('a/b.txt', bytes('one'), NEW);
      const second = await store.write('a/b.txt', bytes('two'), { replaces: first });

      expect(await codeOf(other.delete('a/b.txt', first))).toBe('FILE_CONFLICT');
      expect(await textOf(store, 'a/b.txt')).toBe('two');
      await other.delete('a/b.txt', second);
      expect(await codeOf(other.delete('a/b.txt', second))).toBe('FILE_CONFLICT');

      expect(await store.read('a/b.txt')).toBe(undefined);
      expect(await pathsOf(store)).toEqual([]);
      expect(await codeOf(store.write('a/b.txt', bytes('x'), { replaces: second }))).toBe('FILE_CONFLICT');
      await store.write('a/b.txt', bytes('again'), NEW);
      expect(await textOf(other, 'a/b.txt')).toBe('again');
    });

    it('lets one of twenty writers that read the same version have its way', async () => {
      const { store, other } = await open();
      const version = await store.write('a.txt', bytes('zero'), NEW);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          codeOf(
            (index % 2 === 0 ? store : other).write('a.txt', bytes(`writer ${String(index)}`), {
              replaces: version,
            }),
          ),
        ),
      );
      const winners = outcomes.flatMap((code, index) => (code === undefined ? [index] : []));
      expect(winners.length).toBe(1);
      expect(await textOf(store, 'a.txt')).toBe(`writer ${String(winners[0])}`);

      const created = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          codeOf((index % 2 === 0 ? store : other).write('new.txt', bytes(String(index)), NEW)),
        ),
      );
      expect(created.filter((code) => code === undefined).length).toBe(1);
    });

    it('loses no update of ten writers that read, change and write until they succeed', async () => {
      const { store, other } = await open();
      await store.write('count.txt', bytes(''), NEW);
      const append = async (line: string, at: WorkspaceStore): Promise<void> => {
        for (;;) {
          const file = await at.read('count.txt');
          const data = Buffer.concat([file?.data ?? bytes(''), bytes(line)]);
          const code = await codeOf(at.write('count.txt', data, { replaces: file?.version }));
          if (code === undefined) return;
          expect(code).toBe('FILE_CONFLICT');
        }
      };
      const lines = Array.from({ length: 10 }, (_, index) => `${String(index)}\n`);

      await Promise.all(lines.map((line, index) => append(line, index % 2 === 0 ? store : other)));

      const written = (await textOf(store, 'count.txt')) ?? '';
      expect(written.trimEnd().split('\n').sort()).toEqual(lines.map((line) => line.trimEnd()));
    });

    it('finds a file in both forms of its accents, and makes none that differs only by case or form', async () => {
      const { store } = await open();
      await store.write('docs/caf\u00e9.md', bytes('one'), NEW);

      expect(await textOf(store, 'docs/cafe\u0301.md')).toBe('one');
      expect(await codeOf(store.write('docs/cafe\u0301.md', bytes('x'), NEW))).toBe('FILE_CONFLICT');
      expect(await codeOf(store.write('docs/CAF\u00c9.md', bytes('x'), NEW))).toBe('FILE_CONFLICT');
      expect(await pathsOf(store)).toEqual(['docs/caf\u00e9.md']);
    });

    const outside: Readonly<Record<string, string>> = {
      'a way up': '../a.txt',
      'a way up within': 'a/../../a.txt',
      'an absolute path': '/etc/passwd',
      'a drive': 'C:/a.txt',
      backslashes: 'a\\..\\b.txt',
      'a NUL': 'a.txt\0.md',
      'a line end': 'a\n.txt',
      'a reordering character': 'a\u202etxt.exe',
      'half a character': 'a\ud800.txt',
      nothing: '',
      'a point': '.',
      'a folder': 'a/',
      'a huge name': 'n'.repeat(300),
      'a huge path': 'n/'.repeat(300) + 'a.txt',
      'a deep path': 'n/'.repeat(40) + 'a',
    };
    for (const [what, path] of Object.entries(outside))
      it(`refuses ${what}`, async () => {
        const { store } = await open();
        expect(await codeOf(store.read(path))).toBe('FILE_PATH_INVALID');
        expect(await codeOf(store.write(path, bytes('x'), NEW))).toBe('FILE_PATH_INVALID');
        expect(await codeOf(store.delete(path, 'v'))).toBe('FILE_PATH_INVALID');
        expect(await pathsOf(store)).toEqual([]);
      });

    it('refuses to write a file that is too large', async () => {
      const { store } = await open();
      expect(await codeOf(store.write('a.bin', new Uint8Array(100_001), NEW))).toBe('FILE_UNAVAILABLE');
      expect(await pathsOf(store)).toEqual([]);
    });

    it('takes names for files that are members of every object', async () => {
      const { store } = await open();
      for (const path of ['constructor', '__proto__/toString']) {
        expect(await store.read(path)).toBe(undefined);
        await store.write(path, bytes(path), NEW);
        expect(await textOf(store, path)).toBe(path);
      }
    });
  });
}
