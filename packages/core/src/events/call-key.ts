import { hash } from 'node:crypto';

import type { CallPlace } from './undo-mark.js';
import type { SessionKey } from './session.js';

/** The key of a call in all conversations of all applications, whatever its effect: 43 characters of base64url. */
export function callKeyOf({ appName, userId, sessionId }: SessionKey, { event, call }: CallPlace): string {
  return hash('sha256', JSON.stringify([appName, userId, sessionId, event, call]), 'base64url');
}
