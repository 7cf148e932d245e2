import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The hash of a file's content, by path. */
export type Hashes = Readonly<Record<string, string>>;

/** The hashes of files as they are now. Each file is read once. */
export class FileHashes {
  private readonly known = new Map<string, string | undefined>();

  /** Undefined for a file that cannot be read. */
  hashOf(path: string): string | undefined {
    if (!this.known.has(path)) this.known.set(path, hashOfFile(path));
    return this.known.get(path);
  }

  /** True if every file still has its hash. */
  areAll(hashes: Hashes): boolean {
    return Object.entries(hashes).every(([path, hash]) => this.hashOf(path) === hash);
  }
}

function hashOfFile(path: string): string | undefined {
  try {
    return hashOf(readFileSync(path));
  } catch {
    return undefined;
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
