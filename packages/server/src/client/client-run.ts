import type { EndFrame, Frame } from '../frames/frame.js';
import { AdornClientError } from './client-options.js';
import { readEvents } from './read-events.js';
import type { Transport } from './transport.js';

/** How a run is requested, and where it can be taken up again and stopped. */
export interface RunFields {
  readonly transport: Transport;
  /** The path of the session. */
  readonly session: () => Promise<string>;
  readonly maxReconnects: number;
  /** Ends the run when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** The id of a run that is known before it is opened. */
  readonly invocationId?: string | undefined;
}

/**
 * A run on the server. Iterate it for its frames, await it for its last one, or both. It begins when it is iterated or
 * awaited. A stream that breaks is taken up again, without a gap and without a repeated frame. A reader that stops
 * (`break`) stops the run, as does its signal; a page that is closed does not, within the server's `reconnectGrace`.
 *
 * ```ts
 * for await (const frame of chat.send('Hello')) show(frame);
 * const { status, text } = await chat.send('Hello');
 * ```
 */
export class ClientRun implements AsyncIterable<Frame>, PromiseLike<EndFrame> {
  private readonly connection = new AbortController();
  private known: string | undefined;
  private lastEventId: string | undefined;
  /** How many frames were read of the event, or of the pieces, that come next: they are repeated after a reconnect. */
  private readonly unfinished = new Map<string, number>();
  private outcome: Promise<EndFrame> | undefined;

  /** @internal */
  constructor(private readonly fields: RunFields) {
    this.known = fields.invocationId;
  }

  /** Undefined until the server has answered. */
  get invocationId(): string | undefined {
    return this.known;
  }

  /** Ends the run with status `cancelled`. False if it had ended. */
  async stop(): Promise<boolean> {
    if (this.known === undefined) {
      this.connection.abort();
      return false;
    }
    const path = await this.path(this.known);
    const { stopped } = await this.fields.transport.json<{ stopped: boolean }>(path, { method: 'DELETE' });
    return stopped;
  }

  then<Fulfilled = EndFrame, Rejected = never>(
    onFulfilled?: ((end: EndFrame) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.outcome ??= this.readAll();
    return this.outcome.then(onFulfilled, onRejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Frame, void, undefined> {
    const stop = (): void => void this.stop().catch(() => undefined);
    const { signal } = this.fields;
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    let hasEnded = false;
    let settle: (end: EndFrame) => void = ignore;
    let fail: (error: unknown) => void = ignore;
    this.outcome ??= new Promise<EndFrame>((...ends) => ([settle, fail] = ends));
    this.outcome.catch(ignore);
    try {
      for await (const frame of this.frames()) {
        if (frame.kind === 'end') {
          hasEnded = true;
          settle(frame);
        }
        yield frame;
      }
    } catch (error) {
      hasEnded = true;
      fail(error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      if (!hasEnded) {
        await this.stop().catch(ignore);
        fail(new AdornClientError('The reader of the run stopped.', 0, 'CANCELLED'));
      }
      this.connection.abort();
    }
  }

  private async readAll(): Promise<EndFrame> {
    for await (const frame of this.frames()) if (frame.kind === 'end') return frame;
    throw new AdornClientError('The run ended without its last frame.', 0, 'NETWORK');
  }

  /** The frames over all connections, each once. */
  private async *frames(): AsyncGenerator<Frame, void, undefined> {
    let attempts = 0;
    for (;;) {
      try {
        const response = await (attempts === 0 ? this.fields.open(this.connection.signal) : this.reopen());
        this.known = response.headers.get('x-adorn-invocation') ?? this.known;
        for await (const frame of this.framesOf(response, attempts > 0)) {
          yield frame;
          if (frame.kind === 'end') return;
          attempts = Math.min(attempts, 1);
        }
      } catch (error) {
        if (this.connection.signal.aborted || !isBroken(error)) throw error;
        if (this.known === undefined || attempts >= this.fields.maxReconnects) throw error;
      }
      if (this.known === undefined || attempts >= this.fields.maxReconnects)
        throw new AdornClientError('The stream of the run broke off.', 0, 'NETWORK');
      await delay(Math.min(250 * 2 ** attempts, 5_000), this.connection.signal);
      attempts++;
    }
  }

  private async *framesOf(response: Response, isRepeated: boolean): AsyncGenerator<Frame, void, undefined> {
    if (response.body === null) return;
    const repeated = new Map(isRepeated ? this.unfinished : []);
    for await (const { id, data } of readEvents(response.body)) {
      const frame = JSON.parse(data) as Frame;
      const group = groupOf(frame);
      const left = repeated.get(group) ?? 0;
      if (left > 0) {
        repeated.set(group, left - 1);
        continue;
      }
      this.unfinished.set(group, (this.unfinished.get(group) ?? 0) + 1);
      if (id !== undefined && id !== this.lastEventId) {
        this.lastEventId = id;
        this.unfinished.clear();
      }
      yield frame;
    }
  }

  private async reopen(): Promise<Response> {
    const { lastEventId } = this;
    const { signal } = this.connection;
    return this.fields.transport.send(await this.path(this.known ?? ''), { lastEventId, signal });
  }

  private async path(invocationId: string): Promise<string> {
    return `${await this.fields.session()}/runs/${encodeURIComponent(invocationId)}`;
  }
}

/** Frames are counted by their event; the pieces of an answer, each an event of its own, together. */
function groupOf(frame: Frame): string {
  if ('partial' in frame && frame.partial === true) return 'pieces';
  return 'eventId' in frame ? (frame.eventId ?? '') : '';
}

/** True for a connection that broke, and for a server that is starting again. */
export function isBroken(error: unknown): boolean {
  return !(error instanceof AdornClientError) || error.status === 0 || error.status >= 502;
}

export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

function ignore(): void {
  // The run is told by its frames.
}
