import type { SessionKey } from '@adorn/core';

import { storedNames } from '../database/stored-name.js';
import { StateValues } from './state-values.js';

/** The state of an application or of one of its users: every session of theirs in this process reads the same object. */
export class SharedState extends StateValues {
  constructor(readonly address: string) {
    super();
  }
}

/** Where the states that a session shares with others are kept. */
export interface SharedAddresses {
  readonly app: string;
  readonly user: string;
}

export function addressesOf({ appName, userId }: Pick<SessionKey, 'appName' | 'userId'>): SharedAddresses {
  return { app: storedNames('app', appName), user: storedNames('user', appName, userId) };
}
