import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Part, SessionKey } from '@adorn/core';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { useFolders } from './content-stores.fixture.js';
import { FileContentStore } from './files/file-content-store.js';
import { SqlArtifactService } from './sql-artifact.service.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };

/** Names that lead out of a folder where one is made of them. */
const HOSTILE: readonly string[] = [
  '..',
  '../x',
  'a/../../b',
  '/etc/passwd',
  'a\u0000b',
  '%2e%2e',
  'a\\b',
  'n'.repeat(300),
  '.',
  'a\u2215b',
];

const STORED = /^(incoming|[\da-f]{2}(\/[\da-f]{2}(\/[\da-f]{64})?)?)$/;

describeEachDatabase((_name, open) => {
  const newFolder = useFolders();
  let parent: string;
  let artifacts: SqlArtifactService;

  beforeEach(async () => {
    parent = newFolder();
    mkdirSync(parent);
    artifacts = new SqlArtifactService(await open(), new FileContentStore(join(parent, 'contents')));
  });

  describe('S5 a name that leads out of a folder', () => {
    it.each(['appName', 'userId', 'sessionId'] as const)('is a name like any other as %s', async (field) => {
      const scopes = HOSTILE.map((name) => ({ ...KEY, [field]: name }));
      for (const scope of scopes) await artifacts.save(scope, 'a.bin', bytes(scope[field]));

      for (const scope of scopes) expect(await artifacts.load(scope, 'a.bin')).toEqual(bytes(scope[field]));
      expectNothingOutside();
    });

    it.each(['', 'user:'])('is a name like any other of a file, behind "%s"', async (prefix) => {
      const names = HOSTILE.map((name) => `${prefix}${name}`);
      for (const name of names) await artifacts.save(KEY, name, bytes(name));

      for (const name of names) expect(await artifacts.load(KEY, name)).toEqual(bytes(name));
      expect(await artifacts.list(KEY)).toEqual([...names].sort());
      expectNothingOutside();
    });
  });

  describe.each(['a.bin', 'user:a.bin'])('S6 the artifact %s', (file) => {
    const strangers: readonly [string, SessionKey][] = [
      ['another user', { ...KEY, userId: 'eve' }],
      ['another application', { ...KEY, appName: 'other' }],
      ['a user whose name holds the other', { ...KEY, appName: 'app","ada', userId: '"' }],
      ...(file === 'a.bin' ? [['another session', { ...KEY, sessionId: 's2' }] as [string, SessionKey]] : []),
    ];

    it.each(strangers)('is not there for %s', async (_who, stranger) => {
      await artifacts.save(KEY, file, bytes('mine'));

      expect(await artifacts.load(stranger, file)).toBeUndefined();
      expect(await artifacts.load(stranger, file, 0)).toBeUndefined();
      expect(await artifacts.openStream(stranger, file)).toBeUndefined();
      expect(await artifacts.list(stranger)).toEqual([]);
      expect(await artifacts.versions(stranger, file)).toEqual([]);
      expect(await artifacts.save(stranger, file, bytes('mine'))).toBe(0);
      await artifacts.delete(stranger, file);
      await artifacts.save(stranger, file, bytes('mine'));
      await artifacts.deleteSession(stranger);
      expect(await artifacts.load(KEY, file)).toEqual(bytes('mine'));
      expect(await artifacts.versions(KEY, file)).toEqual([0]);
    });
  });

  describe('S19 what is stored', () => {
    it.each([
      '{"lc":1,"type":"constructor","id":["x"]}',
      '{"__proto__":{"polluted":true}}',
      '[{"$type":"Event"}]',
      '{"inlineData":{"mimeType":"text/plain","data":""}}',
    ])('comes back as the text %s', async (text) => {
      const part = { text, videoMetadata: JSON.parse(text) as object } as Part;

      await artifacts.save(KEY, text, part);

      const loaded = await artifacts.load(KEY, text);
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(part));
      expect(Object.getPrototypeOf(loaded)).toBe(Object.prototype);
      expect(await artifacts.list(KEY)).toEqual([text]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  describe('bytes that are not those that were saved', () => {
    it.each<[string, (path: string) => void]>([
      ['are fewer', (path) => truncateSync(path, 1)],
      ['are others', (path) => writeFileSync(path, 'mimi')],
      ['are none', (path) => writeFileSync(path, '')],
    ])('are noticed where they %s', async (_what, spoil) => {
      await artifacts.save(KEY, 'a.bin', bytes('mine'));
      spoil(onlyFile());

      await expect(artifacts.load(KEY, 'a.bin')).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
      const opened = await artifacts.openStream(KEY, 'a.bin');
      await expect(readAll(opened!.content)).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
    });
  });

  function expectNothingOutside(): void {
    expect(readdirSync(parent)).toEqual(['contents']);
    const stored = readdirSync(join(parent, 'contents'), { recursive: true }) as string[];
    expect(stored.filter((path) => !STORED.test(path.replaceAll('\\', '/')))).toEqual([]);
    expect(existsSync('/etc/passwd/a.bin')).toBe(false);
  }

  function onlyFile(): string {
    const stored = readdirSync(join(parent, 'contents'), { recursive: true }) as string[];
    const [path = ''] = stored.filter((name) => /[\da-f]{64}$/.test(name));
    return join(parent, 'contents', path);
  }
});

function bytes(text: string): Part {
  return { inlineData: { mimeType: 'text/plain', data: Buffer.from(text).toString('base64') } };
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of content) size += piece.length;
  return size;
}
