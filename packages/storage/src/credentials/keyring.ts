import { randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import { EncryptionKeyInvalidError } from '../errors/errors.js';
import { syncFolder } from '../files/sync-folder.js';
import { EncryptionKey } from './encryption-key.js';

/** The keys at hand: the first encrypts, all decrypt. */
export interface EncryptionKeys {
  readonly first: EncryptionKey;
  readonly byId: ReadonlyMap<string, EncryptionKey>;
}

/** The source of the keys of credentials. They are read at first use, and never printed. */
export class Keyring {
  readonly #read: () => Promise<string>;
  #keys: Promise<EncryptionKeys> | undefined;

  private constructor(
    /** For people to read. */
    readonly source: string,
    read: () => Promise<string>,
  ) {
    this.#read = read;
  }

  /** Keys in base64, the one that encrypts first. */
  static of(first: string, ...older: readonly string[]): Keyring {
    return new Keyring('the options', () => Promise.resolve([first, ...older].join(',')));
  }

  /** Keys in base64 with commas between them, the one that encrypts first. */
  static fromEnvironment(variable = 'ADORN_ENCRYPTION_KEY'): Keyring {
    return new Keyring(variable, () => Promise.resolve(process.env[variable] ?? ''));
  }

  /**
   * A file of keys, separated by commas or line breaks. If missing, it is created, readable by its owner
   * only.
   */
  static fromFile(path: string): Keyring {
    return new Keyring(path, () => readKeyFile(path));
  }

  /** @throws {EncryptionKeyInvalidError} and reads the source again next time */
  keys(): Promise<EncryptionKeys> {
    this.#keys ??= this.#read()
      .then((text) => keysIn(text, this.source))
      .catch((error: unknown) => {
        this.#keys = undefined;
        throw error;
      });
    return this.#keys;
  }
}

function keysIn(text: string, source: string): EncryptionKeys {
  const texts = text.split(/[\s,]+/).filter((key) => key !== '');
  const keys = texts.map((key) => EncryptionKey.read(key, source));
  const [first] = keys;
  if (!first) throw new EncryptionKeyInvalidError(`No encryption key in ${source}`);
  return { first, byId: new Map(keys.map((key) => [key.id, key])) };
}

/**
 * The text of a key file. Where there is none, one is made that only its owner may read; of two programs that do so
 * at once both read the same.
 *
 * @throws {EncryptionKeyInvalidError} where the file can be neither read nor made
 */
async function readKeyFile(path: string): Promise<string> {
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
