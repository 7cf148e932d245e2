/** The streams on which a server over HTTP sends what is no answer, such as that its tools have changed. */
export class EventStreams {
  private open = 0;
  private count = 0;
  private reopened: () => void = noop;
  private ended: () => void = noop;

  /** True while the server can send something. */
  get isOpen(): boolean {
    return this.open > 0;
  }

  /** Calls a listener each time a stream is open again: what was sent meanwhile may be lost. */
  onReopen(listener: () => void): void {
    this.reopened = listener;
  }

  /** Calls a listener each time a stream has ended, broken or been given up. */
  onEnd(listener: () => void): void {
    this.ended = listener;
  }

  /** Follows the body of a stream until it ends, breaks, or is given up. */
  follow(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    this.open++;
    if (this.count++ > 0) this.reopened();
    const reader = body.getReader();
    let hasEnded = false;
    const ended = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.open--;
      this.ended();
    };
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      cancel: (reason) => {
        ended();
        return reader.cancel(reason);
      },
    });
  }
}

function noop(): void {
  // Nobody listens yet.
}
