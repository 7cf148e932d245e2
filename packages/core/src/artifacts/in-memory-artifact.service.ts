import type { Part } from '../content/genai-types.js';
import type { SessionKey } from '../events/session.js';
import { checkScope } from '../names/name-length.js';
import { ArtifactService } from './artifact.service.js';
import { checkArtifact } from './check-artifact.js';

/** Artifacts that live as long as the process. */
export class InMemoryArtifactService extends ArtifactService {
  private readonly folders = new Map<string, Map<string, Part[]>>();

  async save(scope: SessionKey, name: string, part: Part): Promise<number> {
    checkScope(scope);
    checkArtifact(name, part);
    const address = folderOf(scope, name);
    const folder = this.folders.get(address) ?? new Map<string, Part[]>();
    this.folders.set(address, folder);
    const versions = folder.get(name) ?? [];
    folder.set(name, versions);
    return versions.push(part) - 1;
  }

  load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined> {
    const versions = this.find(scope, name);
    return Promise.resolve(version === undefined ? versions.at(-1) : versions[version]);
  }

  list(scope: SessionKey): Promise<string[]> {
    const folders = [folderOf(scope, 'user:'), folderOf(scope, '')];
    return Promise.resolve(
      folders.flatMap((address) => [...(this.folders.get(address)?.keys() ?? [])]).sort(),
    );
  }

  versions(scope: SessionKey, name: string): Promise<number[]> {
    return Promise.resolve([...this.find(scope, name).keys()]);
  }

  delete(scope: SessionKey, name: string): Promise<void> {
    this.folders.get(folderOf(scope, name))?.delete(name);
    return Promise.resolve();
  }

  private find(scope: SessionKey, name: string): Part[] {
    return this.folders.get(folderOf(scope, name))?.get(name) ?? [];
  }
}

function folderOf({ appName, userId, sessionId }: SessionKey, name: string): string {
  return JSON.stringify(name.startsWith('user:') ? [appName, userId] : [appName, userId, sessionId]);
}
