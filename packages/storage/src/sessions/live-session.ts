import type { Event, Session, SessionKey } from '@adorn/core';
import pLimit from 'p-limit';

import type { SharedState } from './shared-state.js';
import { StateValues } from './state-values.js';

/**
 * A session that was loaded whole: the one object that every caller in this process holds. It is kept up by what is
 * appended here, and by reading what others have appended since.
 */
export class LiveSession implements Session {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  readonly events: Event[] = [];
  readonly own = new StateValues();
  title: string | undefined;
  lastUpdateTime = 0;
  /** What touches the session in this process does so one after the other, in the order of the calls. */
  readonly inTurn = pLimit(1);
  private view: Readonly<Record<string, unknown>> | undefined;
  private seen = -1;

  /** @param no the row's number: a session that is made again under the same id has another */
  constructor(
    key: SessionKey,
    readonly no: number,
    readonly user: SharedState,
    readonly app: SharedState,
  ) {
    this.appName = key.appName;
    this.userId = key.userId;
    this.id = key.sessionId;
  }

  get nextSeq(): number {
    return this.events.length;
  }

  /** One view of the three states, made anew when any of them changed. It is frozen: only events change the state. */
  get state(): Readonly<Record<string, unknown>> {
    const { app, user, own } = this;
    const changes = app.changes + user.changes + own.changes;
    if (this.view === undefined || this.seen !== changes) {
      const merged = Object.create(null) as Record<string, unknown>;
      this.view = Object.freeze(Object.assign(merged, app.values, user.values, own.values));
      this.seen = changes;
    }
    return this.view;
  }
}
