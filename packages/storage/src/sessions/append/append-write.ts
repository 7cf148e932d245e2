import type { Event } from '@adorn/core';
import { type AppendOptions, mayChangeRequests } from '@adorn/core/backend';

import { storedName } from '../../database/stored-name.js';
import type { RunsTable } from '../../database/tables.js';
import type { CachedSession } from '../cached-session.js';
import { isEmpty, type ScopedDelta, type StateWrite, stateWriteOf } from '../state-write.js';

/** Events on their way into a log, with all that is written together with them. Names are as they are stored. */
export interface AppendWrite extends StateWrite {
  readonly sessionNo: number;
  readonly events: readonly EventRow[];
  /** The ids of the requests that the events answer. */
  readonly answers: readonly string[];
  readonly expectedSeq: number | undefined;
  /** The epoch that the session must have. */
  readonly expectedEpoch: number | undefined;
  readonly opening: OpeningRow | undefined;
  /** The new status of the session's last run. */
  readonly becomes: AppendOptions['becomes'];
  /** True if the events may open, close or change a request: the session is marked, see `open-requests.ts`. */
  readonly touches: boolean;
}

export interface EventRow {
  readonly id: string;
  readonly invocationId: string;
  readonly timestamp: number;
  readonly body: string;
  /** The ids of the requests that the event asks. */
  readonly requests: readonly string[];
}

/** A run that takes the session. */
export interface OpeningRow extends Pick<RunsTable, 'id' | 'continues' | 'status' | 'epoch' | 'opened_at'> {
  readonly isRecovery: boolean;
  /** True if its process renews its hold. */
  readonly isHeld: boolean;
  /** False if the session's last run is known to be over. */
  readonly isLastOpen: boolean;
}

/** What a run takes over from its earlier record. */
export type Resumed = Pick<RunsTable, 'continues' | 'attempts'>;

/** The position of the first event, and the new versions of the states. Unchanged versions may be absent. */
export interface PlacedWrite {
  readonly seq: number;
  readonly ownVersion: number;
  readonly userVersion: number | undefined;
  readonly appVersion: number | undefined;
  /** The session's epoch after the write. */
  readonly epoch: number;
  /** Absent if the write opens no run. */
  readonly resumed: Resumed | undefined;
}

export function appendWriteOf(
  session: CachedSession,
  events: readonly { readonly event: Event; readonly body: string }[],
  delta: ScopedDelta,
  { consumes = [], expectedSeq, epoch, opens, becomes }: AppendOptions,
): AppendWrite {
  const { no, user, app, lastRun } = session;
  const isKnown = expectedSeq !== undefined || epoch !== undefined || opens !== undefined;
  return {
    sessionNo: no,
    events: events.map(({ event, body }) => eventRow(event, body)),
    ...stateWriteOf({ user: user.address, app: app.address }, delta),
    answers: consumes.map(storedName),
    expectedSeq,
    expectedEpoch: opens?.after ?? epoch,
    opening: opens && {
      id: storedName(opens.id),
      continues: opens.continues === undefined ? null : storedName(opens.continues),
      status: becomes ?? 'open',
      epoch: opens.after + 1,
      opened_at: opens.at,
      isRecovery: opens.isRecovery ?? false,
      isHeld: opens.isHeld ?? false,
      isLastOpen: opens.after > 0 && (lastRun?.epoch !== opens.after || lastRun.status === 'open'),
    },
    becomes: epoch === undefined || opens ? undefined : becomes,
    // Who appends under no condition may not know what others have written: each response may then answer a request.
    touches: events.some(({ event }) => mayChangeRequests(event, isKnown ? session : undefined)),
  };
}

function eventRow(event: Event, body: string): EventRow {
  const { id, invocationId, timestamp, longRunningToolIds, pending } = event;
  return {
    id: storedName(id),
    invocationId: storedName(invocationId),
    timestamp,
    body,
    requests: longRunningToolIds.length === 0 ? [] : pending.map((request) => storedName(request.id)),
  };
}

/** True if only one event is written, as for most appends, or one that opens a run. */
export function isLone({ events, own, user, app, answers, becomes, touches }: AppendWrite): boolean {
  const [event] = events;
  return (
    events.length === 1 &&
    event?.requests.length === 0 &&
    answers.length === 0 &&
    becomes === undefined &&
    !touches &&
    [own, user, app].every(isEmpty)
  );
}
