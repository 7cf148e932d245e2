import { functionCallsOf, functionResponsesOf } from '../content/function-parts.js';
import type { Content } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import { endsWithCodeResult } from '../events/is-final-response.js';
import { OpenRequests } from '../events/open-requests.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { newEventId } from '../runtime/ids.js';
import { CancellableStream } from './cancellable-stream.js';
import { askModel, failedResponse } from './ask-model.js';
import { withCallIds } from './call-ids.js';
import type { CallBatch } from './call-batch.js';
import type { TurnRequest } from './request-plan.js';
import { isOnItsWay, type ResolvedCall, resolveCall } from './resolve-call.js';
import { pieceToEvent, responseToEvent } from './response-to-event.js';
import type { PlannedAgent } from './turn-agent.js';

/** The event of a model's answer, and its calls, if any. `turnComplete` of the event tells whether it is the last. */
export interface ModelAnswer {
  readonly event: Event;
  readonly batch: CallBatch | undefined;
}

/** Asks the model once for a whole answer. */
export async function wholeAnswer(agent: PlannedAgent, context: InvocationContext): Promise<ModelAnswer> {
  const built = agent.requests.build(context);
  const request = isPromiseLike(built) ? await built : built;
  let response: ModelResponse;
  try {
    response = await unlessCancelled(lastOf(askModel(agent, request)), context.cancellation);
  } catch (error) {
    response = failedResponse(error, request);
  }
  return readAnswer(agent, context, request, newEventId(), response);
}

async function lastOf(answers: AsyncIterable<ModelResponse>): Promise<ModelResponse> {
  let response: ModelResponse = EMPTY;
  for await (const received of answers) if (received.partial !== true) response = received;
  return response;
}

/** Asks the model once; yields the pieces as they come and returns the whole, whose id they bear. */
export async function* streamedAnswer(
  agent: PlannedAgent,
  context: InvocationContext,
): AsyncGenerator<Event, ModelAnswer, undefined> {
  const request = await agent.requests.build(context);
  const id = newEventId();
  let response: ModelResponse = EMPTY;
  try {
    const answers = new CancellableStream(askModel(agent, request), context.cancellation);
    for await (const received of answers) {
      if (received.partial === true) yield pieceToEvent(agent, context, id, received);
      else response = received;
    }
  } catch (error) {
    response = failedResponse(error, request);
  }
  return readAnswer(agent, context, request, id, response);
}

const EMPTY: ModelResponse = Object.freeze({
  errorCode: 'EMPTY_RESPONSE',
  errorMessage: 'The model ended without an answer.',
});

function readAnswer(
  agent: PlannedAgent,
  context: InvocationContext,
  request: TurnRequest,
  id: string,
  response: ModelResponse,
): ModelAnswer {
  // A model that was left behind by a cancellation may still read its request.
  if (!context.cancellation.isCancelled) request.release();
  const content = contentOf(response, agent, context);
  const calls = functionCallsOf(content).map((call) => resolveCall(agent, context, request.tools, id, call));
  const longRunningToolIds = longRunningOf(calls);
  const facts = {
    id,
    content,
    isFinal: calls.length === 0 && (response.errorCode !== undefined || !endsWithCodeResult(content)),
    longRunningToolIds,
    actions: request.takeActions(),
  };
  const event = responseToEvent(agent, context, response, facts);
  return { event, batch: calls.length === 0 ? undefined : { origins: [event], calls } };
}

/** What a model said, every call with its id. An answer that may not be used makes no calls. */
function contentOf(
  { content: said, errorCode }: ModelResponse,
  agent: PlannedAgent,
  context: InvocationContext,
): Content | undefined {
  const content = said && withoutResponses(said, agent, context);
  if (content === undefined || errorCode === undefined)
    return content && withCallIds(content, OpenRequests.of(context.session));
  const parts = content.parts?.filter(({ functionCall }) => functionCall === undefined) ?? [];
  return parts.length === 0 ? undefined : { ...content, parts };
}

/** A model answers for nobody: function responses in its answer are dropped. */
function withoutResponses(
  content: Content,
  { name }: PlannedAgent,
  { services }: InvocationContext,
): Content | undefined {
  const forged = functionResponsesOf(content);
  if (forged.length === 0) return content;
  const responses = forged.map((response) => ({ id: response.id, name: response.name }));
  services.logger.warn('dropped function responses from the answer of a model', { agent: name, responses });
  const parts = content.parts?.filter(({ functionResponse }) => !functionResponse) ?? [];
  return parts.length === 0 ? undefined : { ...content, parts };
}

function longRunningOf(calls: readonly ResolvedCall[]): string[] {
  const ids: string[] = [];
  for (const call of calls)
    if (isOnItsWay(call) && call.entry.tool.traits.longRunning === true) ids.push(call.id);
  return ids;
}
