import { join } from 'node:path';

import { type ArtifactService, InMemoryArtifactService, type Part, type SessionKey } from '@adorn/core';
import { ArtifactVersionTakenError, type SaveArtifactOptions } from '@adorn/core/backend';
import { Database, SqlArtifactService } from '@adorn/storage';

import { describeWorkspaceStore } from '../contract/index.js';
import { useFolders } from '../workspace.fixture.js';
import { type ArtifactAccess, artifactFiles, ArtifactStore } from './artifact.store.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };

/** What a context gives of a service. */
function accessTo(artifacts: ArtifactService): ArtifactAccess {
  return {
    listArtifacts: () => artifacts.list(KEY),
    listArtifactVersions: (name) => artifacts.versions(KEY, name),
    loadArtifact: (name, version) => artifacts.load(KEY, name, version),
    saveArtifact: async (name: string, part: Part, options?: SaveArtifactOptions) => {
      const { version } = options ?? {};
      if (version === undefined) return artifacts.save(KEY, name, part);
      if (await artifacts.saveVersion(KEY, name, part, version)) return version;
      throw new ArtifactVersionTakenError(name, version);
    },
  };
}

for (const prefix of ['', 'drafts/', 'user:'])
  describeWorkspaceStore(
    `artifactFiles with the prefix "${prefix}"`,
    async () => {
      const access = accessTo(new InMemoryArtifactService());
      const options = { prefix, maxFileBytes: 100_000 };
      return { store: new ArtifactStore(access, options), other: new ArtifactStore(access, options) };
    },
    { describe, it, expect },
  );

const newFolder = useFolders();
const opened: Database[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

describeWorkspaceStore(
  'artifactFiles on one SQLite file in two connections',
  async () => {
    const file = join(newFolder(), 'artifacts.db');
    const open = (): ArtifactStore => {
      const database = new Database(file);
      opened.push(database);
      return new ArtifactStore(accessTo(new SqlArtifactService(database)), { maxFileBytes: 100_000 });
    };
    return { store: open(), other: open() };
  },
  { describe, it, expect },
);

describe('artifactFiles', () => {
  it('shows the artifacts of the conversation, and not those of the user or the framework', async () => {
    const artifacts = new InMemoryArtifactService();
    const names = [
      'a.txt',
      'b/c.txt',
      'user:mine.txt',
      'tool-results/1.json',
      'workspace-before/x',
      '../up',
      '/abs',
    ];
    for (const name of names) await artifacts.save(KEY, name, { text: name });
    const store = new ArtifactStore(accessTo(artifacts));
    const paths: string[] = [];
    for await (const { path } of store.list()) paths.push(path);

    expect(paths).toEqual(['a.txt', 'b/c.txt']);
    for (const name of names.slice(2))
      await expect(store.read(name)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
  });

  it('adds a version for each change, and for a deletion too', async () => {
    const artifacts = new InMemoryArtifactService();
    const store = new ArtifactStore(accessTo(artifacts));
    const first = await store.write('a.txt', Buffer.from('one'), { replaces: undefined });
    await store.delete('a.txt', first);
    await store.write('a.txt', Buffer.from('two'), { replaces: undefined });

    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([0, 1, 2]);
    expect(await artifacts.load(KEY, 'a.txt', 0)).toEqual({ text: 'one' });
    expect(await artifacts.load(KEY, 'a.txt')).toEqual({ text: 'two' });
  });

  it('does not read or write a file that is stored elsewhere', async () => {
    const artifacts = new InMemoryArtifactService();
    await artifacts.save(KEY, 'a.txt', { fileData: { mimeType: 'text/plain', fileUri: 'gs://bucket/a' } });
    const store = new ArtifactStore(accessTo(artifacts));

    await expect(store.read('a.txt')).rejects.toMatchObject({ code: 'FILE_UNAVAILABLE' });
    await expect(store.write('a.txt', Buffer.from('x'), { replaces: undefined })).rejects.toMatchObject({
      code: 'FILE_UNAVAILABLE',
    });
  });

  it('refuses an option that does not exist', () => {
    expect(() => artifactFiles({ prefx: 'a' } as object)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_OPTION_INVALID' }) as Error,
    );
  });
});
