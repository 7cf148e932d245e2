import type { RunItem, RunReader } from './run-reader.js';

/** Writes the items of a run as server-sent events. An empty text writes nothing. */
export type EncodeItem = (item: RunItem) => string;

export interface EventStreamOptions {
  /** Milliseconds without an event after which a comment keeps the connection open. Default: 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** Milliseconds after which a client that takes nothing of what waits for it is dropped. Default: 30,000. */
  readonly stalledMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Called once, when the stream has ended, its reader has left, or its client was dropped. */
  readonly onEnd?: () => void;
  /** Ends the connection of a client that takes nothing. Default: the body ends with an error. */
  readonly drop?: (() => void) | undefined;
}

const HEARTBEAT_MS = 15_000;
const STALLED_MS = 30_000;
const HEARTBEAT = new TextEncoder().encode(': ping\n\n');

/** An event is written in pieces of at most so many bytes, so that a slow client is seen to go on. */
const MOST_AT_ONCE = 262_144;

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
  { headers, status = 200, ...options }: EventStreamOptions = {},
): Response {
  const { body } = new EventStream(reader, encode, options);
  return new Response(body, { status, headers: { ...STREAM_HEADERS, ...headers } });
}

/** The body of a stream. It ends in one place, whatever way its client leaves. */
class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  private readonly text = new TextEncoder();
  /** The rest of the event that is being written. */
  private readonly unwritten: Uint8Array[] = [];
  private heartbeat: NodeJS.Timeout | undefined;
  private stalled: NodeJS.Timeout | undefined;
  private hasEnding = false;
  private hasEnded = false;

  constructor(
    private readonly reader: RunReader,
    private readonly encode: EncodeItem,
    private readonly options: Omit<EventStreamOptions, 'headers' | 'status'>,
  ) {
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) this.write(controller, HEARTBEAT);
        }, options.heartbeatMs ?? HEARTBEAT_MS).unref();
      },
      pull: (controller) => this.pull(controller),
      cancel: () => {
        this.end();
      },
    });
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const chunk = this.unwritten.shift() ?? (await this.next());
      if (this.hasEnded) return;
      if (chunk !== undefined) this.write(controller, chunk);
      else {
        this.end();
        controller.close();
      }
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** The next piece to write; undefined after the last one. */
  private async next(): Promise<Uint8Array | undefined> {
    while (!this.hasEnding) {
      const written = await this.nextText();
      if (written === '') continue;
      const bytes = this.text.encode(written);
      for (let at = 0; at < bytes.byteLength; at += MOST_AT_ONCE)
        this.unwritten.push(bytes.subarray(at, at + MOST_AT_ONCE));
      return this.unwritten.shift();
    }
    return undefined;
  }

  /** A run that cannot be read any more ends with the error, as a run that fails does. */
  private async nextText(): Promise<string> {
    try {
      const item = await this.reader.next();
      this.hasEnding = item === undefined || item.kind === 'end';
      return item === undefined ? '' : this.encode(item);
    } catch (error) {
      this.hasEnding = true;
      return this.encode({ kind: 'end', ending: { error, invocationId: '', sessionId: '' } });
    }
  }

  /** Only called when the client has taken everything before. */
  private write(controller: ReadableStreamDefaultController<Uint8Array>, chunk: Uint8Array): void {
    controller.enqueue(chunk);
    clearTimeout(this.stalled);
    this.stalled = setTimeout(() => {
      if ((controller.desiredSize ?? 0) <= 0) this.drop(controller);
    }, this.options.stalledMs ?? STALLED_MS).unref();
  }

  private drop(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.end();
    const { drop } = this.options;
    if (drop === undefined) controller.error(new Error('The client of the stream took nothing.'));
    else drop();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.stalled);
    this.reader.leave();
    this.options.onEnd?.();
  }
}
