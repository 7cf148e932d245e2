import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';

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
