import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ContentDamagedError } from '../../errors/errors.js';
import { syncFolder } from '../../files/sync-folder.js';

/**
 * Creates a folder below a root, if it is missing.
 *
 * @param root the real path of the root
 * @throws {ContentDamagedError} if its path contains a symbolic link
 */
export async function makeFolderBelow(root: string, parts: readonly string[]): Promise<string> {
  let folder = root;
  for (const part of parts) {
    folder = join(folder, part);
    if (await makeFolder(folder)) await syncFolder(dirname(folder));
    await refuseLink(root, folder);
  }
  return folder;
}

/** @throws {ContentDamagedError} if the path of a folder or file contains a symbolic link */
export async function refuseLink(root: string, path: string): Promise<void> {
  const real = await realpath(path);
  if (real !== path) throw new ContentDamagedError(root, path, `is a symbolic link to ${real}`);
}

/** @returns true if it did not exist */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, 0o700);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
