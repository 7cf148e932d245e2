import type { SessionKey } from '@adorn/core';

export const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };

/** Another conversation of the same user. */
export const OTHER_SESSION: SessionKey = { ...KEY, sessionId: 's2' };
