import { mkdtempSync, rmdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Why SQLite cannot open or write a file, if the reason is its folder: SQLite writes files of its own beside it.
 * Undefined if the folder can be written.
 */
export function folderFault(file: string): string | undefined {
  const folder = dirname(file);
  try {
    rmdirSync(mkdtempSync(join(folder, '.adorn-')));
    return undefined;
  } catch (error) {
    return faultOf(folder, (error as { code?: string }).code);
  }
}

function faultOf(folder: string, code: string | undefined): string | undefined {
  if (code === 'ENOENT') return `The folder ${folder} does not exist: create it.`;
  if (code === 'EROFS') return `The folder ${folder} is on a file system that is mounted read-only.`;
  if (code !== 'EACCES' && code !== 'EPERM') return undefined;
  return `The ${userName()} may not write to the folder ${folder}: change the owner or the mode of the folder, or run as its owner.`;
}

/** `user node (1000)`; a user of a container may have no name. */
function userName(): string {
  const id = process.geteuid?.();
  try {
    const { username } = userInfo();
    return id === undefined ? `user ${username}` : `user ${username} (${String(id)})`;
  } catch {
    return `user ${String(id)}`;
  }
}
