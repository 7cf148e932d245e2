import { WatchedBody, type WatchedBodyOptions } from '../http/watched-body.js';
import type { RunItem, RunReader } from './run-reader.js';

/** Writes the items of a run as server-sent events. An empty text writes nothing. */
export type EncodeItem = (item: RunItem) => string;

export interface EventStreamOptions extends Partial<WatchedBodyOptions> {
  /** Milliseconds without an event after which a comment keeps the connection open. Default: 15,000. */
  readonly heartbeatMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

const HEARTBEAT_MS = 15_000;
const HEARTBEAT = new TextEncoder().encode(': ping\n\n');

/** The headers of every stream. `x-accel-buffering` keeps nginx from collecting events. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A response with the items of a run as server-sent events. The run is read as fast as the response is. */
export function eventStream(
  reader: RunReader,
  encode: EncodeItem,
  options: EventStreamOptions = {},
): Response {
  const leave = (): void => {
    reader.leave();
  };
  return textStream({ next: textsOf(reader, encode), leave }, options);
}

/** The texts of a stream. */
export interface TextSource {
  /** The next text, which is not empty; undefined at the end. */
  next(): Promise<string | undefined>;
  /** Stops the source, also while `next` waits. */
  leave(): void;
}

/** A response with server-sent events, which are read from their source as fast as the response is. */
export function textStream(
  source: TextSource,
  { heartbeatMs = HEARTBEAT_MS, stalledMs, headers, status = 200, drop, onEnd }: EventStreamOptions = {},
): Response {
  const text = new TextEncoder();
  const next = async (): Promise<Uint8Array | undefined> => {
    const written = await source.next();
    heartbeat.refresh();
    return written === undefined ? undefined : text.encode(written);
  };
  const end = (): void => {
    clearInterval(heartbeat);
    source.leave();
    onEnd?.();
  };
  const body = new WatchedBody(next, { stalledMs, drop, onEnd: end });
  const heartbeat = setInterval(() => {
    body.writeIfTaken(HEARTBEAT);
  }, heartbeatMs).unref();
  return new Response(body.stream, { status, headers: { ...STREAM_HEADERS, ...headers } });
}

/** Gives the texts of a run, none of them empty. A run that cannot be read any more ends with its error. */
function textsOf(reader: RunReader, encode: EncodeItem): () => Promise<string | undefined> {
  let hasEnding = false;
  const next = async (): Promise<string> => {
    try {
      const item = await reader.next();
      hasEnding = item === undefined || item.kind === 'end';
      return item === undefined ? '' : encode(item);
    } catch (error) {
      hasEnding = true;
      return encode({ kind: 'end', ending: { error, invocationId: '', sessionId: '' } });
    }
  };
  return async () => {
    while (!hasEnding) {
      const written = await next();
      if (written !== '') return written;
    }
    return undefined;
  };
}
