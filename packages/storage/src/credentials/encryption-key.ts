import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

import { EncryptionKeyInvalidError } from '../errors/errors.js';

const SIZE = 32;
const NONCE = 12;
const TAG = 16;

/** A key of AES-256-GCM. It never prints. */
export class EncryptionKey {
  /** Identifies the key: the start of its hash. */
  readonly id: string;
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.id = createHash('sha256').update('adorn key id').update(bytes).digest('hex').slice(0, 16);
  }

  /**
   * @param text 32 bytes in base64
   * @param source the source of the key, for error messages
   * @throws {EncryptionKeyInvalidError}
   */
  static read(text: string, source: string): EncryptionKey {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length === SIZE && bytes.toString('base64') === text) return new EncryptionKey(bytes);
    throw new EncryptionKeyInvalidError(`A key in ${source} is not 32 bytes in base64`);
  }

  /** A new key, as text. */
  static make(): string {
    return randomBytes(SIZE).toString('base64');
  }

  /**
   * Encrypts a text under a nonce of its own.
   *
   * @param place authenticated with the text: it can only be opened with the same place
   * @returns nonce, ciphertext and tag in base64
   */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#bytes, nonce, { authTagLength: TAG });
    cipher.setAAD(Buffer.from(place));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** Undefined if it was sealed with another key or for another place, or was changed. */
  open(sealed: string, place: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < NONCE + TAG) return undefined;
    const cipher = createDecipheriv('aes-256-gcm', this.#bytes, bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    });
    cipher.setAAD(Buffer.from(place));
    cipher.setAuthTag(bytes.subarray(-TAG));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
