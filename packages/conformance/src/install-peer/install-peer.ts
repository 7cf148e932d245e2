import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmInstall } from './npm-install.js';

/** What is kept of the peers of a package, and where they are installed; git ignores the second. */
export interface PeerFolders {
  readonly sources: string;
  readonly installed: string;
}

/** The folders of this package. */
export const PEER_FOLDERS: PeerFolders = {
  sources: fileURLToPath(new URL('../../peers/', import.meta.url)),
  installed: fileURLToPath(new URL('../../.peers/', import.meta.url)),
};

const STAMP = '.installed';

/** Installs what a folder of `peers` names. @returns where it is */
export async function installPeer(name: string, folders = PEER_FOLDERS): Promise<string> {
  const folder = copyPeer(name, folders, ['package.json']);
  await installOnce(folder);
  return folder;
}

/** Copies files of a peer into the folder in which it is installed. @returns that folder */
export function copyPeer(name: string, folders: PeerFolders, files: readonly string[]): string {
  const folder = join(folders.installed, name);
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(folders.sources, name, file), join(folder, file));
  return folder;
}

/** Installs the packages that a folder's `package.json` names, once for each text of it. */
export async function installOnce(folder: string, npmFlags: readonly string[] = []): Promise<void> {
  const stamp = join(folder, STAMP);
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await npmInstall(folder, npmFlags);
  writeFileSync(stamp, wanted);
}
