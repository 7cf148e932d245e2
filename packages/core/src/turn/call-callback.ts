import { CallbackFailedError } from '../gates/callbacks/errors.js';
import type { EventActions } from '../events/event-actions.js';
import type { CallbackContext } from '../run/callback-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Turn } from './step.js';
import type { LiveCallbacks } from './live-callbacks.js';

/** How a callback of a live session has ended. */
export interface CalledBack<Result> {
  /** What it returned; undefined if it failed. */
  readonly result: Result | undefined;
  /** What it threw, as a typed error; undefined if it returned. */
  readonly failure: unknown;
  /** What it has written, which the caller stores. */
  readonly actions: Partial<EventActions> | undefined;
}

/** Calls a callback of a live session until the session is cancelled. One that fails is logged, and ends nothing but itself. */
export async function callCallback<Result>(
  name: keyof LiveCallbacks,
  { agent, context }: Turn,
  callbackContext: CallbackContext,
  call: () => Awaitable<Result>,
): Promise<CalledBack<Result>> {
  let result: Result | undefined;
  let failure: unknown;
  const calling = async (): Promise<Result> => call();
  try {
    result = await context.cancellation.wait(calling());
  } catch (error) {
    failure = CallbackFailedError.from(name, error);
    if (!context.cancellation.isCancelled)
      context.services.logger.error(`the callback ${name} failed`, { agent: agent.path, error });
  }
  callbackContext.close();
  return { result, failure, actions: callbackContext.drainActions() };
}
