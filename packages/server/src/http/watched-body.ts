/** How a body is watched. */
export interface WatchedBodyOptions {
  /** Milliseconds after which a client that takes nothing of what waits for it is dropped. Default: 30,000. */
  readonly stalledMs?: number | undefined;
  /** Ends the connection of a client that takes nothing. Default: the body ends with an error. */
  readonly drop?: (() => void) | undefined;
  /** Called once, when the body has ended, its client has left, or was dropped. */
  readonly onEnd: () => void;
}

const STALLED_MS = 30_000;

/** A piece has at most so many bytes, so that a slow client is seen to go on. */
const MOST_AT_ONCE = 262_144;

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** A body of a response that is read as fast as its client takes it, and ends once, however the client leaves. */
export class WatchedBody {
  readonly stream: ReadableStream<Uint8Array>;
  private controller: Controller | undefined;
  /** The rest of the piece that is being written. */
  private unwritten: Uint8Array = new Uint8Array();
  private stalled: NodeJS.Timeout | undefined;
  private hasEnded = false;

  /** @param next gives the next bytes, at least one; undefined at the end */
  constructor(
    private readonly next: () => Promise<Uint8Array | undefined>,
    private readonly options: WatchedBodyOptions,
  ) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.controller = controller;
      },
      pull: (controller) => this.pull(controller),
      cancel: () => {
        this.end();
      },
    });
  }

  /** Writes a few bytes between two pieces, if the client has taken everything before. */
  writeIfTaken(bytes: Uint8Array): void {
    const { controller } = this;
    if (controller !== undefined && isTaken(controller) && this.unwritten.byteLength === 0)
      this.write(controller, bytes);
  }

  private async pull(controller: Controller): Promise<void> {
    try {
      const bytes = this.unwritten.byteLength > 0 ? this.unwritten : await this.next();
      if (this.hasEnded) return;
      if (bytes === undefined) {
        this.end();
        controller.close();
        return;
      }
      this.unwritten = bytes.subarray(MOST_AT_ONCE);
      this.write(controller, bytes.subarray(0, MOST_AT_ONCE));
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Only called when the client has taken everything before, so that each piece has its own time. */
  private write(controller: Controller, bytes: Uint8Array): void {
    controller.enqueue(bytes);
    clearTimeout(this.stalled);
    this.stalled = setTimeout(() => {
      if (!isTaken(controller)) this.drop(controller);
    }, this.options.stalledMs ?? STALLED_MS).unref();
  }

  private drop(controller: Controller): void {
    this.end();
    const { drop } = this.options;
    if (drop === undefined) controller.error(new Error('The client took nothing of the response.'));
    else drop();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.stalled);
    this.options.onEnd();
  }
}

function isTaken({ desiredSize }: Controller): boolean {
  return (desiredSize ?? 0) > 0;
}
