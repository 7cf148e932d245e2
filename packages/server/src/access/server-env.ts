import type { Caller } from './caller.js';

/** What the routes of the server know of a request. */
export interface ServerEnv {
  readonly Variables: { caller: Caller };
}
