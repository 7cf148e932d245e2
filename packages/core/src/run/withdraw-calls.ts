import type { FunctionCall } from '../events/genai-types.js';
import type { EventSink } from '../events/event-sink.js';
import { agentNameOf, isWithin, runPathOf } from '../events/event-place.js';
import type { Event } from '../events/event.js';
import { PendingIndex } from '../log/pending-index.js';
import type { InvocationContext } from './invocation-context.js';

/**
 * Answers the calls that wait in a run that does not go on, and in the runs below it, with an error, the innermost first.
 * So nobody is asked about them, and the log has a response for each.
 */
export async function withdrawCalls(
  context: InvocationContext,
  sink: EventSink,
  error: string,
): Promise<void> {
  const { session, path, invocation } = context;
  const open = PendingIndex.of(session)
    .calls()
    .filter(({ event }) => isWithin(runPathOf(event) ?? '', path) && invocation.continues(event));
  for (const { call, event } of open.reverse())
    await sink.emit(withdrawal(context, call, error, placeOf(event)));
  // A toolset's request has no call.
  for (const { request, path: askedAt, scope } of context.openRequests) {
    const call = { id: request.functionCallId, name: request.tool };
    await sink.emit(withdrawal(context, call, error, { path: askedAt, isolationScope: scope }));
  }
}

function withdrawal(
  context: InvocationContext,
  { id, name }: FunctionCall,
  error: string,
  { path = context.path, ...place }: CallPlace,
): Event {
  return context.event({
    author: agentNameOf(path),
    nodeInfo: { path },
    content: { role: 'user', parts: [{ functionResponse: { id, name, response: { error } } }] },
    ...place,
  });
}

/** Where a call was made: its response is read by whom the call is read by. */
interface CallPlace {
  readonly path?: string | undefined;
  readonly branch?: string | undefined;
  readonly isolationScope?: string | undefined;
}

function placeOf(event: Event): CallPlace {
  const { branch, isolationScope } = event;
  return { path: runPathOf(event), branch, isolationScope };
}
