/** One request to a model on its way: it ends when the invocation is cancelled, when it is silent too long, or by `end`. */
export class ModelAttempt {
  timedOut = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;

  /** @param timeout milliseconds of silence, `Infinity` for no limit */
  constructor(
    private readonly invocation: AbortSignal,
    timeout: number,
  ) {
    invocation.addEventListener('abort', this.abort, { once: true });
    if (timeout > LONGEST_TIMER) return;
    this.timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, timeout).unref();
  }

  /** Passed to the provider. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something has arrived. */
  heard(): void {
    this.timer?.refresh();
  }

  /** Releases its resources; the connection too, unless the answer was read to its end. */
  end(outcome: 'complete' | 'given up'): void {
    clearTimeout(this.timer);
    this.invocation.removeEventListener('abort', this.abort);
    if (outcome === 'given up') this.abort();
  }

  /** Waits for work that itself may not hear the signal. */
  async until<Result>(work: PromiseLike<Result>): Promise<Result> {
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => {
        reject(new DOMException('The attempt was given up.', 'AbortError'));
      };
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      if (stop !== undefined) this.signal.removeEventListener('abort', stop);
    }
  }

  private readonly abort = (): void => {
    this.controller.abort();
  };
}

/** Node fires longer timers at once. */
const LONGEST_TIMER = 2_147_483_647;
