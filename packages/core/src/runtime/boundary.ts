/**
 * The edge of this process towards one socket, worker, child process or stream. A listener that is guarded by it never
 * throws: its first failure ends the one conversation, execution or request that the boundary stands for.
 *
 * A listener on an event emitter has no caller: what it throws is an uncaught exception, and ends the process with
 * everything else that runs there. So every listener on something foreign is guarded, whatever it reads.
 *
 * @example
 * const boundary = new Boundary((error) => connection.lost(error));
 * socket.on('message', boundary.guard((data) => connection.receive(readEvent(data))));
 * socket.on('close', boundary.guard((code) => connection.end(code)));
 */
export class Boundary {
  private hasFailed = false;

  /** @param end ends what the boundary stands for; called once, with the first failure. What it throws is dropped. */
  constructor(private readonly end: (error: unknown) => void) {}

  /**
   * The listener, inside the boundary. If it is asynchronous, a rejection is a failure too. It is still called after a
   * failure, so that the end of a socket is noticed.
   */
  guard<Args extends readonly unknown[]>(listener: (...args: Args) => unknown): (...args: Args) => void {
    return (...args) => {
      try {
        const result = listener(...args);
        if (result instanceof Promise) result.catch(this.fail);
      } catch (error) {
        this.fail(error);
      }
    };
  }

  /** Ends what the boundary stands for, unless a failure has done so already. */
  readonly fail = (error: unknown): void => {
    if (this.hasFailed) return;
    this.hasFailed = true;
    try {
      this.end(error);
    } catch {
      // The end of one conversation must not end the process.
    }
  };
}
