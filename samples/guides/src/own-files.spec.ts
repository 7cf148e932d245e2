import {
  checkedPath,
  FileConflictError,
  FileUnavailableError,
  type ListedFile,
  type StoredFile,
  versionOf,
  WorkspaceStore,
  type WriteCondition,
} from '@adorn/workspace';
import { describeWorkspaceStore } from '@adorn/workspace/contract';

/** Files of one process, by their paths. */
class MemoryStore extends WorkspaceStore {
  private readonly files = new Map<string, StoredFile>();

  async *list(folder = ''): AsyncGenerator<ListedFile> {
    const start = folder === '' || folder === '.' ? '' : `${checkedPath(folder.replace(/\/$/, ''))}/`;
    for (const { path, data } of this.files.values())
      if (path.startsWith(start)) yield { path, bytes: data.byteLength };
  }

  async read(path: string): Promise<StoredFile | undefined> {
    return this.files.get(keyOf(path));
  }

  /** Nothing is awaited between the comparison and the write: no other writer comes in between. */
  async write(path: string, data: Uint8Array, { replaces }: WriteCondition): Promise<string> {
    const key = keyOf(path);
    const before = this.files.get(key);
    if (before?.version !== replaces || (!before && this.hasConfusable(key)))
      throw new FileConflictError(path, before ? 'has changed' : 'does not exist, or has another case');
    if (data.byteLength > 100_000) throw new FileUnavailableError(path, 'is too large');
    const version = versionOf(data);
    this.files.set(key, { path: before?.path ?? key, data, version });
    return version;
  }

  async delete(path: string, version: string): Promise<void> {
    if (this.files.get(keyOf(path))?.version !== version) throw new FileConflictError(path, 'has changed');
    this.files.delete(keyOf(path));
  }

  private hasConfusable(key: string): boolean {
    return [...this.files.keys()].some((other) => other.toLowerCase() === key.toLowerCase());
  }
}

/** A path in the one form of its accents. */
function keyOf(path: string): string {
  return checkedPath(path).normalize('NFC');
}

describeWorkspaceStore(
  'MemoryStore',
  async () => {
    const store = new MemoryStore();
    return { store, other: store };
  },
  { describe, it, expect },
);
