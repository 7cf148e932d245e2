import { EncryptionKeyInvalidError } from '../errors/errors.js';
import { EncryptionKey } from './encryption-key.js';
import { readKeyFile } from './key-file.js';

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
  if (first === undefined) throw new EncryptionKeyInvalidError(`No encryption key in ${source}`);
  return { first, byId: new Map(keys.map((key) => [key.id, key])) };
}
