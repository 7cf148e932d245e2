import { sessions } from './001-sessions.js';
import { artifacts } from './002-artifacts.js';
import { memory } from './003-memory.js';
import { credentials } from './004-credentials.js';
import { countedEvents } from './005-counted-events.js';
import { stateUpdates } from './006-state-updates.js';
import type { Migration } from './migration.js';

/** Every step from an empty database to today's. One that was released is never changed, only followed. */
export const MIGRATIONS: readonly Migration[] = [
  sessions,
  artifacts,
  memory,
  credentials,
  countedEvents,
  stateUpdates,
];
