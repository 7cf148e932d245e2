import type { ReadonlyContext } from '../../run/callback-context.js';

/** The longest wait for an optional part of a request, in milliseconds. */
const ATTEMPT_MS = 5_000;

/**
 * Waits for an optional part of a request, for at most 5 seconds and until the run is cancelled. A failure is logged.
 *
 * @param failure the message of the log, such as `memories could not be preloaded`
 * @returns undefined if it failed or took too long
 */
export function attempt<Result>(
  context: ReadonlyContext,
  failure: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const { signal } = context;
    const end = (result?: Result): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void => {
      end();
    };
    const fail = (error: unknown): void => {
      context.logger.error(failure, { agent: context.agentName, error });
      end();
    };
    const timer = setTimeout(() => {
      context.logger.error(`${failure} in time`, { agent: context.agentName, milliseconds: ATTEMPT_MS });
      end();
    }, ATTEMPT_MS);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    started(work).then(end, fail);
  });
}

/** Turns a synchronous throw into a rejection. */
async function started<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}
