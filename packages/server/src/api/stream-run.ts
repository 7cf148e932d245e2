import type { Run } from '@adorn/core';

import { type EncodeItem, eventStream } from '../runs/event-stream.js';
import type { RunFeed } from '../runs/run-feed.js';
import type { RunItem, RunReader } from '../runs/run-reader.js';
import type { Addressed, ServerContext } from '../server-context.js';

/** Milliseconds in which a run that is refused before its first event becomes an error response. */
const REFUSAL_MS = 250;

/** How the run of a request is streamed. */
export interface StreamFields {
  readonly encode: EncodeItem;
  /** Milliseconds that the run goes on without a reader. Default: that of the server. */
  readonly graceMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Begins a run, and streams it. An error before the first event rejects, if it comes soon; a later one is in the stream.
 *
 * @throws {LimitReachedError} before the run begins
 */
export async function streamNewRun(
  server: ServerContext,
  { key, userId }: Pick<Addressed, 'key' | 'userId'>,
  begin: () => Run<unknown>,
  { encode, graceMs = server.graceMs, headers }: StreamFields,
): Promise<Response> {
  const onEnd = server.runs.openStream(userId);
  try {
    const feed = server.runs.add(key, begin(), graceMs);
    const reader = await unlessRefused(feed);
    const started = { 'x-adorn-invocation': feed.invocationId, ...headers };
    return eventStream(reader, encode, { heartbeatMs: server.heartbeatMs, headers: started, onEnd });
  } catch (error) {
    onEnd();
    throw error;
  }
}

/** Streams a run that has begun, from behind the last event that the reader has. */
export function streamReader(
  server: ServerContext,
  userId: string,
  reader: RunReader,
  { encode, headers = {} }: Omit<StreamFields, 'graceMs'>,
): Response {
  const onEnd = server.runs.openStream(userId);
  return eventStream(reader, encode, { heartbeatMs: server.heartbeatMs, headers, onEnd });
}

/** A reader of the run. Throws the error of a run that ends at once without an event. */
async function unlessRefused(feed: RunFeed): Promise<RunReader> {
  const reader = feed.follow();
  const first = reader.next();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, REFUSAL_MS, undefined);
  });
  const item = await Promise.race([first, late]);
  clearTimeout(timer);
  if (item?.kind === 'end' && 'error' in item.ending) throw item.ending.error;
  return withFirst(first, reader);
}

function withFirst(first: Promise<RunItem | undefined>, reader: RunReader): RunReader {
  let waiting: Promise<RunItem | undefined> | undefined = first;
  return {
    next: () => {
      const next = waiting ?? reader.next();
      waiting = undefined;
      return next;
    },
    leave: () => {
      reader.leave();
    },
  };
}
