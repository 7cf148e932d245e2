import type { Run } from '@adorn/core';

import type { Context } from 'hono';

import { connectionEnder } from '../http/node-connection.js';
import { type EncodeItem, eventStream } from '../runs/event-stream.js';
import type { RunFeed } from '../runs/run-feed.js';
import { printableAscii } from '../http/header-values.js';
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
  context: Context,
  { key, userId }: Pick<Addressed, 'key' | 'userId'>,
  begin: () => Run<unknown>,
  { encode, graceMs = server.graceMs, headers }: StreamFields,
): Promise<Response> {
  const open = async () => {
    const feed = server.runs.add(key, begin(), graceMs);
    const reader = await unlessRefused(feed);
    return { reader, headers: { 'x-adorn-invocation': printableAscii(feed.invocationId), ...headers } };
  };
  return streamed(server, context, userId, open, encode);
}

/**
 * Streams a run that has begun, from behind the last event that the reader has.
 *
 * @param follow begins to read the run. Called when the user may read one more stream
 * @throws {LimitReachedError}
 */
export function streamReader(
  server: ServerContext,
  context: Context,
  userId: string,
  follow: () => RunReader | Promise<RunReader>,
  { encode, headers = {} }: Omit<StreamFields, 'graceMs'>,
): Promise<Response> {
  return streamed(server, context, userId, async () => ({ reader: await follow(), headers }), encode);
}

/** A stream that counts as one of the user's from before its reader exists until it has ended. */
async function streamed(
  { quotas, limits, heartbeatMs }: ServerContext,
  context: Context,
  userId: string,
  open: () => Promise<{ readonly reader: RunReader; readonly headers: Readonly<Record<string, string>> }>,
  encode: EncodeItem,
): Promise<Response> {
  const { release } = quotas.streams.open(userId, 1);
  try {
    const { reader, headers } = await open();
    const { stalledMs } = limits;
    const drop = connectionEnder(context);
    return eventStream(reader, encode, { heartbeatMs, stalledMs, headers, drop, onEnd: release });
  } catch (error) {
    release();
    throw error;
  }
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
  if (item?.kind === 'end' && 'error' in item.ending) {
    reader.leave();
    throw item.ending.error;
  }
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
