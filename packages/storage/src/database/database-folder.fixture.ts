import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system of Linux that is in memory. */
const MEMORY = '/dev/shm';

/** Containers may have 64 MB of it. */
const LEAST_FREE_BYTES = 2 ** 30;

/** A new folder for SQLite databases: in memory where there is room, as each commit waits for a disk for 2 ms. */
export function newDatabaseFolder(prefix: string): string {
  return mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), prefix));
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
