import { functionCallsOf } from '../content/content-parts.js';
import { readContent } from '../content/read-content.js';
import type { Event } from '../events/event.js';
import { endsWithCodeResult } from '../events/is-final-response.js';
import { PendingIndex } from '../log/pending-index.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { type ModelResponse, readModelResponse } from '../models/model-response.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { newEventId } from '../runtime/ids.js';
import { CancellableStream } from './cancellable-stream.js';
import { askModel, cutResponse, failedResponse } from './ask-model.js';
import { readAnswerContent } from './answer-content.js';
import { CallIds } from './call-ids.js';
import {
  type CallBatch,
  isOnItsWay,
  refuseArguments,
  resolveCall,
  type ResolvedCall,
} from './resolve-call.js';
import type { TurnRequest } from './request-plan.js';
import { type AnswerFacts, pieceToEvent, responseToEvent } from './response-to-event.js';
import { outputCheckOf } from './structured-answer.js';
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
  const ids = new CallIds(PendingIndex.of(context.session));
  const fits = agent.turn.outputSchema && (await outputCheckOf(agent.turn.outputSchema));
  return readAnswer(agent, context, request, response, { id: newEventId(), ids, fits });
}

async function lastOf(answers: AsyncIterable<ModelResponse>): Promise<ModelResponse> {
  let response = cutResponse([]);
  for await (const received of answers) {
    const read = readModelResponse(received);
    if (read.partial !== true) response = read;
  }
  return response;
}

/** Asks the model once; yields the pieces as they come and returns the whole, whose id they bear. */
export async function* streamedAnswer(
  agent: PlannedAgent,
  context: InvocationContext,
): AsyncGenerator<Event, ModelAnswer, undefined> {
  const request = await agent.requests.build(context);
  const id = newEventId();
  const ids = new CallIds(PendingIndex.of(context.session));
  const pieces: ModelResponse[] = [];
  let response: ModelResponse | undefined;
  try {
    const answers = new CancellableStream(askModel(agent, request), context.cancellation);
    for await (const received of answers) {
      const read = readModelResponse(received);
      if (read.partial === true) {
        const content = readContent(read.content);
        pieces.push(read);
        yield pieceToEvent(agent, context, id, content && ids.ofPiece(content));
      } else response = read;
    }
  } catch (error) {
    response = failedResponse(error, request);
  }
  const fits = agent.turn.outputSchema && (await outputCheckOf(agent.turn.outputSchema));
  return readAnswer(agent, context, request, response ?? cutResponse(pieces), { id, ids, fits });
}

function readAnswer(
  agent: PlannedAgent,
  context: InvocationContext,
  request: TurnRequest,
  response: ModelResponse,
  { id, ids, fits }: Pick<AnswerFacts, 'id' | 'fits'> & { readonly ids: CallIds },
): ModelAnswer {
  // A model that was left behind by a cancellation may still read its request.
  if (!context.cancellation.isCancelled) request.release();
  const { content, unusable, isLost } = readAnswerContent(response, agent, context, ids);
  const calls = functionCallsOf(content).map((call, index) => {
    const fault = unusable[index];
    if (fault !== undefined) return refuseArguments(request.tools, call, fault);
    return resolveCall(agent, context, request.tools, id, call);
  });
  const longRunningToolIds = longRunningOf(calls);
  const facts = {
    id,
    content,
    isFinal: calls.length === 0 && (response.errorCode !== undefined || !endsWithCodeResult(content)),
    longRunningToolIds,
    actions: request.takeActions(),
    fits,
  };
  const answered = isLost ? { ...response, ...MALFORMED } : response;
  const event = responseToEvent(agent, context, answered, facts);
  return { event, batch: calls.length === 0 ? undefined : { origins: [event], calls } };
}

const MALFORMED: ModelResponse = Object.freeze({
  errorCode: 'MALFORMED_RESPONSE',
  errorMessage: 'The model answered with values that are no parts of a content: ask again.',
});

function longRunningOf(calls: readonly ResolvedCall[]): string[] {
  const ids: string[] = [];
  for (const call of calls)
    if (isOnItsWay(call) && call.entry.tool.traits.longRunning === true) ids.push(call.id);
  return ids;
}
