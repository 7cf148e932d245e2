import type { Event } from './event.js';
import type { Session } from './session.js';

/** A session to whose log a spec may add. */
export interface LoggedSession extends Session {
  readonly events: Event[];
}

/** A session of those events that grows with them. */
export function sessionOf(...events: Event[]): LoggedSession {
  return {
    appName: 'app',
    userId: 'ada',
    id: 's1',
    state: {},
    events,
    get nextSeq() {
      return events.length;
    },
    lastUpdateTime: 0,
  };
}

export function push({ events }: LoggedSession, ...added: readonly Event[]): void {
  events.push(...added);
}
