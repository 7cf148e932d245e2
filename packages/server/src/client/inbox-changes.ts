import type { InboxChange, InboxRequest } from '@adorn/core/backend';

import { delay, isBroken } from './client-run.js';
import { readEvents } from './read-events.js';

/** Where changes of an inbox come from. */
export interface InboxSource {
  /** All open requests. */
  readonly list: () => Promise<readonly InboxRequest[]>;
  /** Begins a stream of changes. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** How many streams may fail in turn. */
  readonly maxReconnects: number;
}

/**
 * The open requests, and then each change, over as many streams as it takes: a stream that ends or breaks is followed by another one,
 * and what has changed between the two is told.
 *
 * @throws {AdornClientError} if the server refuses, or cannot be reached so many times
 */
export async function* inboxChanges(
  { list, open, maxReconnects }: InboxSource,
  signal?: AbortSignal,
): AsyncGenerator<InboxChange, void, undefined> {
  const known = new Map<string, InboxRequest>();
  const leaving = new AbortController();
  const leave = (): void => {
    leaving.abort();
  };
  if (signal?.aborted === true) return;
  signal?.addEventListener('abort', leave, { once: true });
  try {
    for (let failures = 0, isFirst = true; ; isFirst = false) {
      try {
        if (!isFirst) for (const change of closedIn(known, await list())) yield applied(known, change);
        const { body } = await open(leaving.signal);
        if (body === null) return;
        failures = 0;
        for await (const { data } of readEvents(body)) {
          const change = newsOf(known, JSON.parse(data) as InboxChange);
          if (change) yield applied(known, change);
        }
      } catch (error) {
        if (isOver(leaving)) return;
        if (!isBroken(error) || failures >= maxReconnects) throw error;
        failures++;
      }
      await delay(Math.min(250 * 2 ** failures, 5_000), leaving.signal).catch(() => undefined);
      if (isOver(leaving)) return;
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

function isOver({ signal }: AbortController): boolean {
  return signal.aborted;
}

/** What of the known requests waits no more. */
function closedIn(
  known: ReadonlyMap<string, InboxRequest>,
  open: readonly InboxRequest[],
): readonly InboxChange[] {
  const keys = new Set(open.map(keyOf));
  return [...known]
    .filter(([key]) => !keys.has(key))
    .map(([, request]) => ({ kind: 'closed' as const, request }));
}

/** A change as the reader sees it: a stream begins with all open requests, most of which are known. */
function newsOf(known: ReadonlyMap<string, InboxRequest>, change: InboxChange): InboxChange | undefined {
  const { kind, request } = change;
  const before = known.get(keyOf(request));
  if (kind === 'closed') return before && change;
  if (before === undefined) return { kind: 'opened', request };
  return JSON.stringify(before) === JSON.stringify(request) ? undefined : { kind: 'changed', request };
}

function applied(known: Map<string, InboxRequest>, change: InboxChange): InboxChange {
  const { kind, request } = change;
  if (kind === 'closed') known.delete(keyOf(request));
  else known.set(keyOf(request), request);
  return change;
}

function keyOf({ userId, sessionId, id }: InboxRequest): string {
  return JSON.stringify([userId, sessionId, id]);
}
