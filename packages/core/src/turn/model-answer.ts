import { setImmediate } from 'node:timers/promises';

import { functionCallsOf, joinText } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import { readContent } from '../content/read-content.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { EventSink } from '../events/event-sink.js';
import { BACKGROUND, endsWithCodeResult, type Event } from '../events/event.js';
import { recordedCalls } from '../invocation/budget.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Rehearsal } from '../invocation/invocation-services.js';
import { TRIPWIRE } from '../invocation/tripwire.js';
import { type ModelResponse, readModelResponse } from '../models/model-response.js';
import { CancellableStream, type ItemReader } from '../invocation/cancellation.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import { observedAnswers } from '../telemetry/observed-model.js';
import { newEventId } from '../runtime/ids.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';
import { type AnswerFacts, pieceToEvent, readAnswerContent, responseToEvent } from './answer-event.js';
import { CallIds } from './call-ids.js';
import { withCodeCalls } from './code-calls.js';
import { type EndCode, endResponse, type PlannedAgent, type TurnAgent } from './turn-agent.js';
import { listForTurn, type ToolsetListing } from './list-toolsets.js';
import { hasProviderTools, untrustedMark } from './provider-calls.js';
import type { TurnRequest } from './request-plan.js';
import { ANSWERED, ASK, END, endWith, type Step, type Turn } from './step.js';
import {
  type CallBatch,
  isOnItsWay,
  refuseArguments,
  refuseOverLimit,
  resolveCall,
  type ResolvedCall,
} from './call-batch.js';
import { outputCheckOf } from './structured-answer.js';
import { isLongRunning } from '../tools/tool.js';

const DEFAULT_MAX_ITERATIONS = 50;

/** After this many pieces of an answer that arrive without a pause, timers and other requests of the process have a turn. */
const PIECES_PER_TURN = 500;

/** Calls the agent's model once, and emits its answer. */
export async function callModel(turn: Turn): Promise<Step> {
  const { agent, context, sink, background } = turn;
  const summary = turn.asked > 0 ? context.compact() : undefined;
  if (summary) await summary;
  if (context.spent?.tripwire) return END;
  const reason = reasonNotToAsk(turn);
  if (reason !== undefined) return endWith(reason, turn);
  const listing = agent.toolsets.length > 0 ? await listForTurn(turn) : undefined;
  if (listing && 'kind' in listing) return listing;
  const asking = askModel(agent, context, listing);
  const incoming = isPromiseLike(asking) ? await asking : asking;
  await incoming.showPieces(sink);
  const read = incoming.whole(background.isAwaited);
  const answer = isPromiseLike(read) ? await read : read;
  if (context.cancellation.isCancelled) return endWith('CANCELLED', turn);
  const { event, batch, isDone } = answer;
  // A failure is the last event of the turn: it comes after the results of background calls.
  if (!batch && event.errorCode !== undefined) return { kind: 'end', event };
  await sink.emit(event);
  if (batch) return { kind: 'calls', batch };
  return isDone ? ANSWERED : ASK;
}

function reasonNotToAsk(turn: Turn): EndCode | undefined {
  const { agent, context } = turn;
  if (context.cancellation.isCancelled) return 'CANCELLED';
  return turn.asked++ >= (agent.turn.maxIterations ?? DEFAULT_MAX_ITERATIONS) ? 'MAX_ITERATIONS' : undefined;
}

/** The event of a model's answer, and its calls. The last answer has `turnComplete` in its event. */
export interface ModelAnswer {
  readonly event: Event;
  readonly batch: CallBatch | undefined;
  /** True if the model has nothing more to say: it is called again only with new results. */
  readonly isDone: boolean;
}

/** Calls the agent's model once. */
function askModel(
  agent: PlannedAgent,
  context: InvocationContext,
  listing?: ToolsetListing,
): Awaitable<IncomingAnswer> {
  const built = agent.requests.build(context, listing);
  if (!isPromiseLike(built)) return new IncomingAnswer(agent, built);
  return built.then((request) => new IncomingAnswer(agent, request));
}

/** An answer that is being received: the pieces of a streamed answer, then the complete answer, all with one event id. */
class IncomingAnswer implements ItemReader<ModelResponse, Event> {
  private readonly id = newEventId();
  private readonly stream: CancellableStream<ModelResponse, Event>;
  private readonly pieces: ModelResponse[] = [];
  private ids: CallIds | undefined;
  private response: ModelResponse | undefined;

  constructor(
    private readonly agent: PlannedAgent,
    private readonly request: TurnRequest,
  ) {
    KEPT_SHAPES.answer = this;
    const { cancellation } = request.context;
    this.stream = new CancellableStream(responsesTo(agent, request), cancellation, this);
  }

  /** Emits the pieces, which are not stored. Resolves when the answer is complete or has failed. */
  showPieces(sink: EventSink): Promise<void> {
    let shown = 0;
    return this.stream.each((piece) => {
      const showing = sink.emit(piece);
      return ++shown % PIECES_PER_TURN === 0 ? showing.then(() => setImmediate()) : showing;
    });
  }

  /**
   * The complete answer, after `showPieces`.
   *
   * @param isProvisional true if the model will be called again with results of background calls
   */
  whole(isProvisional: boolean): Awaitable<ModelAnswer> {
    const { outputSchema } = this.agent.turn;
    if (!outputSchema) return this.answered(isProvisional);
    return outputCheckOf(outputSchema).then((fits) => this.answered(isProvisional, fits));
  }

  read(received: ModelResponse): Event | undefined {
    const read = readModelResponse(received);
    if (read.partial !== true) {
      this.response = read;
      return undefined;
    }
    const { agent, request } = this;
    if (!request.stream) return undefined;
    const content = readContent(read.content);
    this.pieces.push(read);
    return pieceToEvent(agent, request.context, this.id, content && this.callIds.ofPiece(content));
  }

  failed(error: unknown): void {
    this.response = failedResponse(error, this.request);
  }

  private get callIds(): CallIds {
    return (this.ids ??= new CallIds(this.request.context.invocation));
  }

  private answered(isProvisional: boolean, fits?: AnswerFacts['fits']): ModelAnswer {
    const { agent, request, response = cutResponse(this.pieces), id, callIds: ids } = this;
    return readAnswer(agent, request, response, { id, ids, fits, isProvisional });
  }
}

interface AnswerPlace {
  readonly ids: CallIds;
  readonly isProvisional: boolean;
}

function readAnswer(
  agent: PlannedAgent,
  request: TurnRequest,
  response: ModelResponse,
  { id, ids, fits, isProvisional }: Pick<AnswerFacts, 'id' | 'fits'> & AnswerPlace,
): ModelAnswer {
  const { context } = request;
  // A model that was abandoned at a cancellation may still read its request.
  if (!context.cancellation.isCancelled) request.release();
  const { content, calls, isLost } = readCalls(response, request, id, ids);
  const longRunningToolIds = longRunningOf(calls);
  const isDone = calls.length === 0 && (response.errorCode !== undefined || !endsWithCodeResult(content));
  const continues = isDone && isProvisional && response.errorCode === undefined;
  const marks = tripwireMark(context, response.errorCode) ?? marksOf(request, response, content);
  const facts = {
    id,
    content,
    isFinal: isDone && !continues,
    longRunningToolIds,
    actions: request.takeActions(),
    customMetadata: continues ? { ...marks, [BACKGROUND]: true } : marks,
    fits,
  };
  const answered = isLost ? { ...response, ...MALFORMED } : response;
  const event = responseToEvent(agent, context, answered, facts);
  return { event, batch: calls.length === 0 ? undefined : { origins: [event], calls }, isDone };
}

/** An answer as it is stored, and its calls. */
interface ReadCalls {
  readonly content: Content | undefined;
  readonly calls: readonly ResolvedCall[];
  /** See `readAnswerContent`. */
  readonly isLost: boolean;
}

/**
 * Reads a complete answer, or calls of a live model. Code that a tool can run becomes a call. Calls above the limit of an
 * answer, and calls whose arguments cannot be read, are answered already.
 *
 * @param id of the event of the answer
 */
export function readCalls(
  response: ModelResponse,
  request: Pick<TurnRequest, 'agent' | 'context' | 'config' | 'tools'>,
  id: string,
  ids: CallIds,
): ReadCalls {
  const { agent, context, config, tools } = request;
  const read = readAnswerContent(response, agent, context, { ids, config });
  const { unusable, isLost } = read;
  const content = read.content && withCodeCalls(read.content, request);
  const made = functionCallsOf(content);
  const calls = made.map((call, index) => {
    if (index >= context.config.maxCallsPerAnswer) return refuseOverLimit(context, made.length, call);
    const fault = unusable[index];
    if (fault !== undefined) return refuseArguments(tools, call, fault);
    return resolveCall(agent, context, tools, id, call);
  });
  return { content, calls, isLost };
}

/**
 * The custom metadata of an answer; undefined for most answers.
 *
 * @param content of the event; one with a content counts as one model call
 */
function marksOf(
  request: TurnRequest,
  response: ModelResponse,
  content: Content | undefined,
): Record<string, unknown> | undefined {
  const untrusted = readsOthers(request, response)
    ? untrustedMark(request.tools, { ...response, content })
    : undefined;
  const isSaid = content !== undefined;
  return request.isSent === isSaid ? untrusted : { ...untrusted, ...recordedCalls(request.isSent ? 1 : 0) };
}

/** Which guardrail refused the answer, if one did. */
function tripwireMark(
  { spent }: InvocationContext,
  errorCode: string | undefined,
): Record<string, unknown> | undefined {
  const isTripped = errorCode === 'GUARDRAIL_TRIPPED' && spent?.tripwire !== undefined;
  return isTripped ? { [TRIPWIRE]: spent.tripwire } : undefined;
}

/** True if the provider may have run tools that read external data. */
function readsOthers({ tools, config }: TurnRequest, { untrustedTools }: ModelResponse): boolean {
  return tools.provided.length > 0 || untrustedTools !== undefined || hasProviderTools(config);
}

const MALFORMED: ModelResponse = Object.freeze({
  errorCode: 'MALFORMED_RESPONSE',
  errorMessage: 'The model returned values that are not content parts. Ask again.',
});

export function longRunningOf(calls: readonly ResolvedCall[]): string[] {
  const ids: string[] = [];
  for (const call of calls) if (isOnItsWay(call) && isLongRunning(call.entry.tool.traits)) ids.push(call.id);
  return ids;
}

type Answers = AsyncGenerator<ModelResponse, void, undefined>;

/** Calls the agent's model and its callbacks. Yields the pieces as they arrive, then the complete answer. */
function responsesTo(agent: TurnAgent, request: TurnRequest): Answers {
  const { beforeModel, afterModel, onModelPiece, onModelError } = agent.callbacks;
  const isBare = !beforeModel && !afterModel && !onModelPiece && !onModelError;
  if (!isBare) return askWithCallbacks(agent, request);
  const { context } = request;
  const end = context.budget.takeLlmCall(context);
  return end === undefined ? ask(agent, request) : exhausted(end, context);
}

function ask(agent: TurnAgent, request: TurnRequest): Answers {
  const { observe, rehearsal } = request.context.services;
  if (rehearsal) return rehearsed(agent, request, rehearsal);
  if (!observe) return agent.model.generate(request.send());
  const asker = { agentName: agent.name, ...request.context.observedRun };
  return observedAnswers(agent.model, request.send(), { observe, asker });
}

// eslint-disable-next-line require-yield -- nothing answers
async function* rehearsed(agent: TurnAgent, request: TurnRequest, rehearsal: Rehearsal): Answers {
  await rehearsal.request(agent, request.send());
}

async function* exhausted(end: EndCode, context: InvocationContext): Answers {
  const response = endResponse(end);
  context.noteSpent({ code: end, message: response.errorMessage });
  yield response;
}

/** Answers of `beforeModel` do not count against the limit of model calls. */
async function* askWithCallbacks(agent: TurnAgent, request: TurnRequest): Answers {
  const { callbacks } = agent;
  const { callbackContext: context, context: invocation } = request;
  const answered = await callbacks.beforeModel?.(request, context);
  if (answered !== undefined) return yield answered;
  const end = invocation.budget.takeLlmCall(invocation);
  if (end !== undefined) return yield* exhausted(end, invocation);
  const pieces: ModelResponse[] = [];
  let whole: ModelResponse | undefined;
  for await (const response of generateRecovering(agent, request)) {
    if (response.partial !== true) whole = response;
    else if (request.stream) {
      const shown = (await callbacks.onModelPiece?.(response, context)) ?? response;
      if (shown === false) continue;
      const piece = { ...shown, partial: true };
      pieces.push(piece);
      yield piece;
    }
  }
  whole ??= cutResponse(pieces);
  yield (await callbacks.afterModel?.(whole, context)) ?? whole;
}

/** Errors of later callbacks are not errors of the model, and are not passed to `onModelError`. */
async function* generateRecovering(agent: TurnAgent, request: TurnRequest): Answers {
  try {
    yield* ask(agent, request);
  } catch (error) {
    request.release();
    const recovered = await agent.callbacks.onModelError?.(error, request, request.callbackContext);
    if (recovered === undefined) throw error;
    yield recovered;
  }
}

/** The error response for a stream that ended early, with the text received so far. */
function cutResponse(pieces: readonly ModelResponse[]): ModelResponse {
  if (pieces.length === 0)
    return { errorCode: 'EMPTY_RESPONSE', errorMessage: 'The model ended without an answer.' };
  const text = pieces.map(({ content }) => joinText(readContent(content))).join('');
  return {
    ...(text !== '' && { content: { role: 'model', parts: [{ text }] } }),
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream ended before the answer was complete. The received text is stored. Ask again.',
  };
}

/** The error response for an error thrown during a model call. */
function failedResponse(error: unknown, { agent, context }: TurnRequest): ModelResponse {
  const { code = 'MODEL_FAILED', message } = describeThrown(error);
  context.endIfTripped(error);
  if (code === 'CALLBACK_FAILED')
    context.services.logger.error('a callback around the model failed', { agent: agent.path, error });
  return { errorCode: code, errorMessage: message };
}
