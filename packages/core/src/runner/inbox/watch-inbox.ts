import { composedKey, isSameJson } from '@adorn/schema';
import { type Clock, startTimer } from '../../runtime/clock.js';
import {
  type CheckedFilter,
  checkFilter,
  type InboxFilter,
  type InboxOfApp,
  type InboxRequest,
  requestsOfApp,
} from './inbox.js';

/**
 * A change of the open requests: `opened` for one that is new to the reader, `changed` for one that somebody has approved, edited or
 * passed on, and stays open, `closed` for one that waits no more, or that the reader may not answer any more.
 */
export interface InboxChange {
  /** What has happened to the request. */
  readonly kind: 'opened' | 'changed' | 'closed';
  /** The request: as it is now, or, if it is closed, as it was last. */
  readonly request: InboxRequest;
}

/** How often the open requests are read, in milliseconds. */
const INTERVAL_MS = 1_000;

/**
 * Yields the open requests, and then each change of them, whatever process makes it. It compares the whole list with what it has
 * yielded: nothing that is open is missed, and nothing is told twice.
 */
export function watchInbox(
  app: InboxOfApp,
  filter: InboxFilter,
  signal?: AbortSignal,
): AsyncGenerator<InboxChange, void, undefined> {
  return changesOf(app, checkFilter('runner.watchInbox', filter), signal);
}

async function* changesOf(
  app: InboxOfApp,
  filter: CheckedFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<InboxChange, void, undefined> {
  let known: ReadonlyMap<string, InboxRequest> = new Map();
  while (signal?.aborted !== true) {
    const open = new Map<string, InboxRequest>();
    for await (const request of requestsOfApp(app, filter)) open.set(keyOfRequest(request), request);
    const changes = changesBetween(known, open);
    known = open;
    for (const change of changes) yield change;
    if (!(await waits(app.services.clock, signal))) return;
  }
}

/** A request that a rewind opens again has the id that it had. */
function keyOfRequest({ userId, sessionId, id }: InboxRequest): string {
  return composedKey(userId, sessionId, id);
}

function changesBetween(
  known: ReadonlyMap<string, InboxRequest>,
  open: ReadonlyMap<string, InboxRequest>,
): readonly InboxChange[] {
  const changes: InboxChange[] = [];
  for (const [key, request] of known) if (!open.has(key)) changes.push({ kind: 'closed', request });
  for (const [key, request] of open) {
    const before = known.get(key);
    if (before === undefined) changes.push({ kind: 'opened', request });
    else if (!isSameJson(before, request)) changes.push({ kind: 'changed', request });
  }
  return changes;
}

/** False if the reader has stopped meanwhile. */
function waits(clock: Clock, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = startTimer(clock, INTERVAL_MS, () => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    });
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
