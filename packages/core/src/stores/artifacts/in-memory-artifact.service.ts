import type { Part } from '../../events/genai-types.js';
import type { SessionKey } from '../../events/session.js';
import {
  assertName,
  assertScope,
  assertSessionKey,
  checkSessionKey,
  frozenJson,
  composedParts,
} from '@adorn/schema';
import { ArtifactService, checkArtifact } from './artifact.service.js';

/** Stores artifacts in the process. */
export class InMemoryArtifactService extends ArtifactService {
  private readonly folders = new Map<string, Map<string, Part[]>>();
  /** When the last version of a file was saved, in seconds since 1970. */
  private readonly savedAt = new WeakMap<readonly Part[], number>();

  async save(scope: SessionKey, name: string, part: Part): Promise<number> {
    checkSessionKey(scope);
    checkArtifact(name, part);
    const saved = frozenJson({ ...part });
    return this.inSession(scope, name, async () => this.add(folderOf(scope, name), name, saved));
  }

  override async saveVersion(scope: SessionKey, name: string, part: Part, version: number): Promise<boolean> {
    checkSessionKey(scope);
    checkArtifact(name, part);
    const saved = frozenJson({ ...part });
    return this.inSession(scope, name, async () => {
      if (this.find(scope, name).length !== version) return false;
      this.add(folderOf(scope, name), name, saved);
      return true;
    });
  }

  private add(address: string, name: string, part: Part): number {
    const folder = this.folders.get(address) ?? new Map<string, Part[]>();
    this.folders.set(address, folder);
    const versions = folder.get(name) ?? [];
    folder.set(name, versions);
    this.savedAt.set(versions, Date.now() / 1000);
    return versions.push(part) - 1;
  }

  async load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined> {
    const versions = this.find(scope, name);
    return version === undefined ? versions.at(-1) : versions[version];
  }

  async list(scope: SessionKey): Promise<string[]> {
    assertSessionKey(scope);
    const folders = [folderOf(scope, 'user:'), folderOf(scope, '')];
    return folders.flatMap((address) => [...(this.folders.get(address)?.keys() ?? [])]).sort();
  }

  async versions(scope: SessionKey, name: string): Promise<number[]> {
    return [...this.find(scope, name).keys()];
  }

  async delete(scope: SessionKey, name: string): Promise<void> {
    assertFile(scope, name);
    this.folders.get(folderOf(scope, name))?.delete(name);
  }

  override async deleteSession(scope: SessionKey): Promise<void> {
    assertSessionKey(scope);
    this.folders.delete(folderOf(scope, ''));
  }

  override async deleteUser({ appName, userId }: Omit<SessionKey, 'sessionId'>): Promise<number> {
    assertScope({ appName, userId });
    const own = JSON.stringify([appName, userId]);
    let count = 0;
    for (const [address, folder] of this.folders) {
      if (address !== own && !address.startsWith(`${own.slice(0, -1)},`)) continue;
      count += folder.size;
      this.folders.delete(address);
    }
    return count;
  }

  override async deleteOlder(appName: string, before: number): Promise<number> {
    assertName('application name', appName);
    let count = 0;
    for (const [address, folder] of this.folders) {
      const [app, , session] = composedParts(address);
      if (app !== appName || session !== undefined) continue;
      for (const [name, versions] of folder)
        if ((this.savedAt.get(versions) ?? 0) < before && folder.delete(name)) count++;
    }
    return count;
  }

  private find(scope: SessionKey, name: string): Part[] {
    assertFile(scope, name);
    return this.folders.get(folderOf(scope, name))?.get(name) ?? [];
  }
}

function assertFile(scope: SessionKey, name: string): void {
  assertSessionKey(scope);
  assertName('name of an artifact', name);
}

function folderOf({ appName, userId, sessionId }: SessionKey, name: string): string {
  return JSON.stringify(name.startsWith('user:') ? [appName, userId] : [appName, userId, sessionId]);
}
