import { describeThrown } from '../errors/describe-thrown.js';
import type { EventActions } from '../events/event-actions.js';
import type { Event } from '../events/event.js';
import { CallbackContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import type { BaseAgent } from './base.agent.js';

/** An agent's turn with what stands before and after it. Who answers before it, answers instead of it. */
export async function* invokeWithCallbacks(
  agent: BaseAgent,
  context: InvocationContext,
): AsyncGenerator<Event, void, undefined> {
  const before = await replyOf('beforeAgent', agent, context);
  if (before.event !== undefined) yield before.event;
  if (before.isLast) return;
  let isPaused = false;
  for await (const event of agent.run(context)) {
    isPaused ||= event.pending.length > 0;
    yield event;
  }
  if (isPaused || context.cancellation.isCancelled) return;
  const after = await replyOf('afterAgent', agent, context);
  if (after.event !== undefined) yield after.event;
}

interface CallbackReply {
  /** What the callback said and wrote, or how it failed; undefined if it did neither. */
  readonly event?: Event | undefined;
  /** Whether the agent does not run after it. */
  readonly isLast: boolean;
}

/** Never rejects: a callback that fails ends its agent's turn with an event, as a model that fails does. */
async function replyOf(
  hook: 'beforeAgent' | 'afterAgent',
  agent: BaseAgent,
  invocation: InvocationContext,
): Promise<CallbackReply> {
  const callback = agent.callbacks[hook];
  if (callback === undefined) return { isLast: false };
  const context = new CallbackContext(invocation, agent);
  try {
    const content = await unlessCancelled(callback(context), invocation.cancellation);
    const actions = context.takeActions();
    if (content === undefined && actions === undefined) return { isLast: false };
    const spoken = { author: agent.name, ...(content !== undefined && { content }), actions };
    return { event: invocation.event(spoken), isLast: content !== undefined };
  } catch (error) {
    // The runner says that the run was cancelled.
    if (invocation.cancellation.isCancelled) return { isLast: true };
    return { event: failureOf(hook, error, agent, invocation, context.takeActions()), isLast: true };
  }
}

function failureOf(
  hook: string,
  error: unknown,
  { name: author, path }: BaseAgent,
  invocation: InvocationContext,
  actions: Partial<EventActions> | undefined,
): Event {
  invocation.services.logger.error(`the callback ${hook} failed`, { agent: path, error });
  const { code: errorCode = 'CALLBACK_FAILED', message: errorMessage } = describeThrown(error);
  return invocation.event({ author, errorCode, errorMessage, turnComplete: true, actions });
}
