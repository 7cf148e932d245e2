import type { SessionKey } from '@adorn/core';

import { storedNames } from '../database/stored-name.js';
import { StateValues } from './state-values.js';

/** The state of an application or of one of its users: every session of theirs in this process reads the same object. */
export class SharedState extends StateValues {
  constructor(readonly address: string) {
    super();
  }
}

export function addressOfApp({ appName }: Pick<SessionKey, 'appName'>): string {
  return storedNames('app', appName);
}

export function addressOfUser({ appName, userId }: Pick<SessionKey, 'appName' | 'userId'>): string {
  return storedNames('user', appName, userId);
}
