import { createHash } from 'node:crypto';

import type { SessionKey } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';

/** A session's address as a short text without anything of its names: for keys, channels and maps. */
export function digestOf({ appName, userId, sessionId }: SessionKey): string {
  return digestOfNames(appName, userId, sessionId);
}

/** 32 hexadecimal digits. */
export function digestOfNames(...names: readonly string[]): string {
  return createHash('sha256')
    .update(composedKey(...names))
    .digest('hex')
    .slice(0, 32);
}
