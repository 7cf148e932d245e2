import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto';

import { AdornError } from '@adorn/core';

/**
 * The private key with which evidence is signed.
 *
 * @throws {EvidenceKeyInvalidError}
 */
export function signingKey(given: KeyObject | string): KeyObject {
  return ed25519('private', () => (given instanceof KeyObject ? given : createPrivateKey(given)));
}

/**
 * The public key by which a signature is checked.
 *
 * @throws {EvidenceKeyInvalidError}
 */
export function checkingKey(given: KeyObject | string): KeyObject {
  return ed25519('public', () => {
    const key = given instanceof KeyObject ? given : createPublicKey(given);
    return key.type === 'private' ? createPublicKey(key) : key;
  });
}

function ed25519(type: 'private' | 'public', read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new EvidenceKeyInvalidError(type, 'it is no key that can be read');
  }
  if (key.type !== type) throw new EvidenceKeyInvalidError(type, `it is a ${key.type} key`);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new EvidenceKeyInvalidError(type, `it is a key of the type ${String(key.asymmetricKeyType)}`);
  return key;
}

/** A key cannot sign evidence, or check its signature. The message has nothing of the key. */
export class EvidenceKeyInvalidError extends AdornError {
  readonly code = 'EVIDENCE_KEY_INVALID';

  /** @param fault the rest of a sentence about it */
  constructor(type: 'private' | 'public', fault: string) {
    super(
      `The ${type} key for evidence cannot be used: ${fault}. Pass an Ed25519 key, as PEM or as a KeyObject of node:crypto, such as ` +
        "one of generateKeyPairSync('ed25519').",
    );
  }
}
