import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assertName, assertSessionKey, checkArtifact, checkSessionKey } from '@adorn/core/backend';
import { describeArtifactService } from '@adorn/testing/contracts';
import { ArtifactService, type Part, type SessionKey } from 'adorn';

/** Files of conversations, as files of a folder: `owner/name/0.json`. */
class FolderArtifactService extends ArtifactService {
  constructor(private readonly root: string) {
    super();
  }

  async save(scope: SessionKey, name: string, part: Part): Promise<number> {
    checkSessionKey(scope);
    checkArtifact(name, part);
    const folder = this.folderOf(scope, name);
    await mkdir(folder, { recursive: true });
    for (let version = (await this.versions(scope, name)).length; ; version++) {
      const isSaved = await createFile(join(folder, `${String(version)}.json`), { name, part });
      if (isSaved) return version; // otherwise somebody else has saved this version
    }
  }

  async load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined> {
    const versions = await this.versions(scope, name);
    const wanted = version ?? versions.at(-1);
    if (wanted === undefined || !versions.includes(wanted)) return undefined;
    return (await readStored(join(this.folderOf(scope, name), `${String(wanted)}.json`))).part;
  }

  async list(scope: SessionKey): Promise<string[]> {
    assertSessionKey(scope);
    const owners = [this.ownerOf(scope, ''), this.ownerOf(scope, 'user:')];
    const folders = await Promise.all(
      owners.map(async (owner) => (await entriesOf(owner)).map((folder) => join(owner, folder, '0.json'))),
    );
    const stored = await Promise.all(folders.flat().map(readStored));
    return stored.map(({ name }) => name).sort();
  }

  async versions(scope: SessionKey, name: string): Promise<number[]> {
    assertSessionKey(scope);
    assertName('name of an artifact', name);
    const files = await entriesOf(this.folderOf(scope, name));
    return files.map((file) => parseInt(file)).sort((one, other) => one - other);
  }

  async delete(scope: SessionKey, name: string): Promise<void> {
    assertSessionKey(scope);
    assertName('name of an artifact', name);
    await rm(this.folderOf(scope, name), { recursive: true, force: true });
  }

  private folderOf(scope: SessionKey, name: string): string {
    return join(this.ownerOf(scope, name), hashOf(name));
  }

  /** A name with the prefix `user:` belongs to the user, any other to the session. */
  private ownerOf({ appName, userId, sessionId }: SessionKey, name: string): string {
    return join(this.root, hashOf(appName, userId, ...(name.startsWith('user:') ? [] : [sessionId])));
  }
}

/** Any name becomes a name of a folder. */
function hashOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex');
}

/** False if the file exists. */
async function createFile(path: string, stored: Stored): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(stored), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Empty if there is no such folder. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

interface Stored {
  readonly name: string;
  readonly part: Part;
}

async function readStored(path: string): Promise<Stored> {
  return JSON.parse(await readFile(path, 'utf8')) as Stored;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

const root = await mkdtemp(join(tmpdir(), 'artifacts-'));
afterAll(() => rm(root, { recursive: true }));
let opened = 0;

describeArtifactService(
  'FolderArtifactService',
  async () => new FolderArtifactService(join(root, String(opened++))),
  { lacks: ['deleteOlder', 'saveVersion'] },
);
