import type { RunItem, RunReader } from './run-reader.js';

/** Writes the items of a run as server-sent events. An empty text writes nothing. */
export type EncodeItem = (item: RunItem) => string;

export interface EventStreamOptions {
  /** Milliseconds without an event after which a comment keeps the connection open. Default: 15,000. */
  readonly heartbeatMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Called once, when the stream has ended or its reader has left. */
  readonly onEnd?: () => void;
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
  { heartbeatMs = HEARTBEAT_MS, headers, status = 200, onEnd = noop }: EventStreamOptions = {},
): Response {
  const text = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (heartbeat === undefined) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
    reader.leave();
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(HEARTBEAT);
      }, heartbeatMs).unref();
    },
    async pull(controller) {
      for (;;) {
        const item = await reader.next();
        if (heartbeat === undefined) return;
        const written = item === undefined ? '' : encode(item);
        if (written !== '') controller.enqueue(text.encode(written));
        if (item === undefined || item.kind === 'end') {
          end();
          controller.close();
          return;
        }
        if (written !== '') {
          heartbeat.refresh();
          return;
        }
      }
    },
    cancel: end,
  });
  return new Response(body, { status, headers: { ...STREAM_HEADERS, ...headers } });
}

function noop(): void {
  // Nobody counts the streams.
}
