import type { ToolContext } from '@adorn/core';

/** A call of a tool that its server is answering. */
export interface ActiveCall {
  readonly context: ToolContext;
  /** Stops waiting for the server and ends the call with an error. */
  end(error: Error): void;
}

/** The calls that a server is answering over one connection. */
export class ActiveCalls {
  private readonly calls = new Set<ActiveCall>();

  /** Runs a call that the server may ask something about. The signal is aborted when the call is to end early. */
  async run<Result>(context: ToolContext, send: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    const stop = (): void => {
      controller.abort(context.signal.reason);
    };
    context.signal.addEventListener('abort', stop, { once: true });
    if (context.signal.aborted) stop();
    let ended: Error | undefined;
    const call: ActiveCall = {
      context,
      end: (error) => {
        ended ??= error;
        // The reason is told to the server.
        controller.abort(new Error('The user is asked first.'));
      },
    };
    this.calls.add(call);
    try {
      return await send(controller.signal);
    } catch (error) {
      throw ended ?? error;
    } finally {
      this.calls.delete(call);
      context.signal.removeEventListener('abort', stop);
    }
  }

  /**
   * The call that a question of the server is about. The protocol does not say which; undefined unless there is exactly one,
   * so that no user is asked about the call of another.
   */
  get only(): ActiveCall | undefined {
    const [first, ...others] = this.calls;
    return others.length === 0 ? first : undefined;
  }
}
