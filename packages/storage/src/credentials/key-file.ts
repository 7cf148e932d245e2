import { randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import { EncryptionKeyInvalidError } from '../errors/errors.js';
import { syncFolder } from '../files/sync-folder.js';
import { EncryptionKey } from './encryption-key.js';

/**
 * The text of a key file. Where there is none, one is made that only its owner may read; of two programs that do so
 * at once both read the same.
 *
 * @throws {EncryptionKeyInvalidError} where the file can be neither read nor made
 */
export async function readKeyFile(path: string): Promise<string> {
  try {
    return (await textOf(path)) ?? (await makeKeyFile(path));
  } catch (error) {
    throw new EncryptionKeyInvalidError(`The key file ${path} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** It gets its name by a link when it is whole and on the disk: the key of another program is not written over. */
async function makeKeyFile(path: string): Promise<string> {
  const incoming = `${path}.${randomUUID()}`;
  try {
    await write(incoming, `${EncryptionKey.make()}\n`);
    await link(incoming, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    await syncFolder(dirname(path));
  } finally {
    await unlink(incoming).catch(() => undefined);
  }
  return readFile(path, 'utf8');
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
