/* eslint-disable max-lines -- one request: each way in which it ends, and what is stored of it */
import { setImmediate } from 'node:timers/promises';

import { functionCallsOf, joinText } from '../events/content-parts.js';
import type { Content } from '../events/genai-types.js';
import { hasContent } from '../events/has-content.js';
import { readContent } from '../events/read-content.js';
import { describeThrown, present, shortened } from '@adorn/schema';
import type { EventSink } from '../events/event-sink.js';
import { BACKGROUND, endsWithCodeResult, type Event, RETRIED } from '../events/event.js';
import { recordedCalls } from '../run/budget.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { BesideRequest, DryRun } from '../run/invocation-services.js';
import { isDeniedAnswer, TRIPWIRE } from '../run/tripwire.js';
import {
  emptyFault,
  isSlip,
  judgedResponse,
  type ModelResponse,
  readModelResponse,
  withBlockingFault,
} from '../models/model-response.js';
import { type ItemReader, showEach } from '../run/cancellation.js';
import { generateBy, observedResponses } from '../run/telemetry/observed-model.js';
import { newEventId } from '../runtime/ids.js';
import { pieceToEvent, readResponseContent, responseToEvent } from './response-to-event.js';
import { CallIds } from './call-ids.js';
import { withCodeCalls } from './code-calls.js';
import { mayLackArguments } from './cut-calls.js';
import { endTooLong, fittingRequest, hopelessEnd, isAskedAgain } from './fit-request.js';
import { type EndCode, endResponse, type PlannedAgent, type TurnAgent } from './turn-agent.js';
import { listForTurn, type ToolsetListing } from './list-toolsets.js';
import { hasProviderTools, untrustedMark } from './provider-calls.js';
import type { TurnModelRequest } from './model-request.js';
import { ANSWERED, ASK, END, endWith, refusalIn, type Step, type Turn } from './step.js';
import {
  type CallBatch,
  isToolCall,
  refuseArguments,
  refuseOverLimit,
  resolveCall,
  type ResolvedCall,
} from './call-batch.js';
import { outputCheckOf, outputFault } from './structured-output.js';
import { isLongRunning, labelsOf } from '../tools/tool-traits.js';

const DEFAULT_MAX_ITERATIONS = 50;

/** After this many pieces of a response that arrive without a pause, timers and other requests of the process have a turn. */
const PIECES_PER_TURN = 500;

/** Calls the agent's model once, and emits its response. */
export async function callModel(turn: Turn): Promise<Step> {
  const { agent, context, sink, background } = turn;
  const summary = turn.asked > 0 ? context.compact() : undefined;
  if (summary) await summary;
  if (context.spent?.tripwire) return END;
  const reason = reasonNotToAsk(turn);
  if (reason !== undefined) return endWith(reason, turn);
  const mail = context.takeMail(sink);
  if (mail) await mail;
  const listing = agent.toolsets.length > 0 ? await listForTurn(turn) : undefined;
  if (listing && 'kind' in listing) return listing;
  const request = await fittingRequest(turn, () => modelRequestFor(turn, listing));
  const hopeless = hopelessEnd(turn, request);
  if (hopeless) return endTooLong(turn, hopeless);
  const incoming = new IncomingResponse(agent, request, () => mayAskAgain(turn));
  await incoming.showPieces(sink);
  const answer = await incoming.whole(background.isAwaited);
  if (context.cancellation.isCancelled) return endWith('CANCELLED', turn);
  const { event, batch, isDone, isRetried } = answer;
  if (isAskedAgain(turn, request, { error: incoming.error, event })) return ASK;
  if (isRetried) turn.refusals += 1;
  else if (!batch) turn.refusals = 0;
  turn.refusal = isRetried ? refusalIn(event) : undefined;
  if (event.errorCode === 'CONTEXT_TOO_LONG') return endTooLong(turn, event);
  // A failure is the last event of the turn: it comes after the results of background calls.
  if (!batch && !isRetried && event.errorCode !== undefined) return { kind: 'end', event };
  await sink.emit(event);
  if (batch) return { kind: 'calls', batch };
  return isDone ? ANSWERED : ASK;
}

function reasonNotToAsk(turn: Turn): EndCode | undefined {
  const { agent, context } = turn;
  if (context.cancellation.isCancelled) return 'CANCELLED';
  return turn.asked++ >= (agent.turn.maxIterations ?? DEFAULT_MAX_ITERATIONS) ? 'MAX_ITERATIONS' : undefined;
}

/** True if the model may be asked once more after a response that cannot be used: not twice in a row, and within all limits. */
function mayAskAgain({ refusals, agent, asked, context }: Turn): boolean {
  const isWithin = asked < (agent.turn.maxIterations ?? DEFAULT_MAX_ITERATIONS);
  return refusals === 0 && isWithin && context.budget.hasLlmCall;
}

/** The event of a model's response, and its calls. The last response has `turnComplete` in its event. */
export interface ReadResponse {
  readonly event: Event;
  readonly batch: CallBatch | undefined;
  /** True if the model has nothing more to say: it is called again only with new results. */
  readonly isDone: boolean;
  /** True if the response cannot be used, and the model is asked once more. */
  readonly isRetried: boolean;
}

/** The request of one call of the agent's model. After a response that could not be used, it says why. */
async function modelRequestFor(
  { agent, context, refusal }: Turn,
  listing?: ToolsetListing,
): Promise<TurnModelRequest> {
  const request = await agent.requests.build(context, listing);
  if (refusal !== undefined) request.append(refusalContent(refusal));
  return request;
}

/** The longest reason that a model reads. */
const LONGEST_REASON = 2_000;

/** What the model reads about its response that could not be used. It is part of one request, not of the conversation. */
function refusalContent(reason: string): Content {
  const told = shortened(reason, LONGEST_REASON);
  const text = `Your last answer could not be used: ${told} Answer again, with a text or a valid call.`;
  return { role: 'user', parts: [{ text }] };
}

/** A response that is being received: the pieces of a streamed response, then the complete response, all with one event id. */
class IncomingResponse implements ItemReader<ModelResponse, Event> {
  private readonly id = newEventId();
  private readonly pieces: ModelResponse[] = [];
  private ids: CallIds | undefined;
  private response: ModelResponse | undefined;
  /** True if a guardrail has refused this one answer. */
  private isDenied = false;
  /** What the model, or a callback around it, threw. */
  error: unknown;

  constructor(
    private readonly agent: PlannedAgent,
    private readonly request: TurnModelRequest,
    private readonly mayRetry: () => boolean,
  ) {}

  /** Emits the pieces, which are not stored. Resolves when the response is complete or has failed. */
  showPieces(sink: EventSink): Promise<void> {
    const { agent, request } = this;
    let shown = 0;
    return showEach(responsesTo(agent, request), request.context.cancellation, this, async (piece) => {
      await sink.emit(piece);
      if (++shown % PIECES_PER_TURN === 0) await setImmediate();
    });
  }

  /**
   * The complete response, after `showPieces`.
   *
   * @param isProvisional true if the model will be called again with results of background calls
   */
  async whole(isProvisional: boolean): Promise<ReadResponse> {
    const { agent, request, response = cutResponse(this.pieces), id, callIds: ids, isDenied } = this;
    const mayRetry = isDenied || this.mayRetry();
    return readResponse(agent, request, response, { id, ids, isProvisional, mayRetry, isDenied });
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
    this.error = error;
    this.isDenied = isDeniedAnswer(error) && this.mayRetry();
    this.response = failedResponse(error, this.request, this.isDenied);
  }

  private get callIds(): CallIds {
    return (this.ids ??= new CallIds(this.request.context.invocation));
  }
}

interface ReadPlace {
  /** The id of the event. */
  readonly id: string;
  readonly ids: CallIds;
  /** True if the model will be called again with results of background calls. */
  readonly isProvisional: boolean;
  /** True if the model may be asked once more if its answer cannot be used. */
  readonly mayRetry: boolean;
  /** True if a guardrail has refused the answer, and not the run. */
  readonly isDenied: boolean;
}

async function readResponse(
  agent: PlannedAgent,
  request: TurnModelRequest,
  received: ModelResponse,
  { id, ids, isProvisional, mayRetry, isDenied }: ReadPlace,
): Promise<ReadResponse> {
  const { context } = request;
  const { outputSchema } = agent.turn;
  const { isSent, replaced } = request;
  // A callback may have replaced what was blocked.
  const given = isSent && !replaced ? withBlockingFault(received) : received;
  const read = readCalls(given, request, id, ids);
  const { calls } = read;
  const readable = withContentFault(given, read);
  const mayBeOutput = outputSchema !== undefined && !isProvisional && calls.length === 0;
  const misfit =
    mayBeOutput && mayRetry && isSent ? await misfitOf(agent, readable, read.content, replaced) : undefined;
  const response = misfit ?? readable;
  // What a reader would join to the answer that follows.
  const content = misfit ? undefined : read.content;
  const { errorCode } = response;
  const isFaulty = isDenied || misfit !== undefined || (isSlip(response) && isSlip(replaced ?? response));
  const isRetried = mayRetry && isSent && isFaulty;
  const isDone =
    calls.length === 0 && !isRetried && (errorCode !== undefined || !endsWithCodeResult(content));
  const continues = isDone && isProvisional && errorCode === undefined;
  const marks = tripwireMark(context, errorCode) ?? marksOf(request, response, content);
  const facts = {
    id,
    content,
    isFinal: isDone && !continues,
    longRunningToolIds: longRunningOf(calls),
    actions: request.drainActions(),
    customMetadata: withMark(marks, isRetried ? RETRIED : continues ? BACKGROUND : undefined),
    faultOf: outputSchema && (await outputCheckOf(outputSchema)),
  };
  const event = responseToEvent(agent, context, response, facts);
  const batch = calls.length === 0 ? undefined : { origins: [event], calls };
  return { event, batch, isDone, isRetried };
}

/** How much of an answer that does not fit the model and the log are told. */
const LONGEST_ANSWER = 1_000;

/** The response with an error if it is the answer of the model, and not the output that its agent has to give. */
async function misfitOf(
  agent: PlannedAgent,
  response: ModelResponse,
  content: Content | undefined,
  replaced: ModelResponse | undefined,
): Promise<ModelResponse | undefined> {
  if (response.errorCode !== undefined || !content || endsWithCodeResult(content)) return undefined;
  const text = joinText(content);
  const fault = await outputFault(agent.turn, text);
  if (fault === undefined) return undefined;
  // What a callback has spoilt, the model would write again.
  if (replaced && (await outputFault(agent.turn, textOf(replaced))) === undefined) return undefined;
  const errorMessage = `The answer ${fault}; it was: ${shortened(text, LONGEST_ANSWER)}.`;
  return { ...response, errorCode: 'OUTPUT_INVALID', errorMessage };
}

function textOf({ content }: ModelResponse): string {
  return joinText(readContent(content));
}

function withMark(
  marks: Record<string, unknown> | undefined,
  key: string | undefined,
): Record<string, unknown> | undefined {
  return key === undefined ? marks : { ...marks, [key]: true };
}

/** The response with an error if nothing is left of it, whoever made it: a model, a callback or a plugin. */
function withContentFault(response: ModelResponse, { content, isLost }: ReadCalls): ModelResponse {
  if (response.errorCode !== undefined) return response;
  if (isLost) return { ...response, ...MALFORMED };
  return hasContent(content) ? response : { ...response, ...emptyFault(response) };
}

/** A response as it is stored, and its calls. */
interface ReadCalls {
  readonly content: Content | undefined;
  readonly calls: readonly ResolvedCall[];
  /** See `readResponseContent`. */
  readonly isLost: boolean;
}

/**
 * Reads a complete response, or calls of a live model. Code that a tool can run becomes a call. Calls above the limit of an
 * response, and calls whose arguments cannot be read, have their response already.
 *
 * @param id of the event of the response
 */
export function readCalls(
  response: ModelResponse,
  request: Pick<TurnModelRequest, 'agent' | 'context' | 'config' | 'tools'>,
  id: string,
  ids: CallIds,
): ReadCalls {
  const { agent, context, config, tools } = request;
  const read = readResponseContent(response, agent, context, { ids, config });
  const { unusable, isLost } = read;
  const content = read.content && withCodeCalls(read.content, request);
  const made = functionCallsOf(content);
  const calls = made.map((call, index) => {
    if (index >= context.config.maxCallsPerAnswer) return refuseOverLimit(context, made.length, call);
    const isCut = index === made.length - 1 && mayLackArguments(call, response, tools);
    const fault = isCut ? 'the answer ended before them' : unusable[index];
    if (fault !== undefined) return refuseArguments(tools, call, fault);
    return resolveCall(agent, context, tools, id, call);
  });
  return { content, calls, isLost };
}

/**
 * The custom metadata of a response; undefined for most responses.
 *
 * @param content of the event; one with a content counts as one model call
 */
function marksOf(
  request: TurnModelRequest,
  response: ModelResponse,
  content: Content | undefined,
): Record<string, unknown> | undefined {
  const untrusted = readsOthers(request, response)
    ? untrustedMark(request.tools, { ...response, content })
    : undefined;
  const isSaid = content !== undefined;
  return request.isSent === isSaid ? untrusted : { ...untrusted, ...recordedCalls(request.isSent ? 1 : 0) };
}

/** Which guardrail refused the response, if one did. */
function tripwireMark(
  { spent }: InvocationContext,
  errorCode: string | undefined,
): Record<string, unknown> | undefined {
  const isTripped = errorCode === 'GUARDRAIL_TRIPPED' && spent?.tripwire !== undefined;
  return isTripped ? { [TRIPWIRE]: spent.tripwire } : undefined;
}

/** True if the provider may have run tools that read external data. */
function readsOthers({ tools, config }: TurnModelRequest, { untrustedTools }: ModelResponse): boolean {
  return tools.provided.length > 0 || untrustedTools !== undefined || hasProviderTools(config);
}

const MALFORMED: ModelResponse = Object.freeze({
  errorCode: 'MALFORMED_RESPONSE',
  errorMessage: 'The model returned values that are not content parts. Ask again.',
});

export function longRunningOf(calls: readonly ResolvedCall[]): string[] {
  const ids: string[] = [];
  for (const call of calls) if (isToolCall(call) && isLongRunning(call.entry.tool.traits)) ids.push(call.id);
  return ids;
}

type ModelResponses = AsyncGenerator<ModelResponse, void, undefined>;

/** Calls the agent's model and its callbacks. Yields the pieces as they arrive, then the complete response. */
function responsesTo(agent: TurnAgent, request: TurnModelRequest): ModelResponses {
  const { beforeModel, afterModel, onModelPiece, onModelError } = agent.callbacks;
  const isBare = !beforeModel && !afterModel && !onModelPiece && !onModelError;
  if (!isBare) return askWithCallbacks(agent, request);
  const { context } = request;
  const end = context.budget.spendLlmCall(context);
  return end === undefined ? ask(agent, request) : exhausted(end, context);
}

function ask(agent: TurnAgent, request: TurnModelRequest): ModelResponses {
  const { observe, dryRun, standIns } = request.context.services;
  if (dryRun) return dryRunOf(agent, request, dryRun);
  const generate = standIns?.askModel ?? generateBy;
  if (!observe) return generate(agent.model, request.send());
  const asker = { agentName: agent.name, ...request.context.observedRun };
  return observedResponses(agent.model, request.send(), { observe, asker, generate });
}

// eslint-disable-next-line require-yield -- nothing answers
async function* dryRunOf(agent: TurnAgent, request: TurnModelRequest, dryRun: DryRun): ModelResponses {
  const { tools, context, changing } = request;
  const closed = agent.boxes.map((box) => {
    const all = tools.in(box);
    return {
      opener: box.opener,
      tools: all.length,
      open: all.filter(({ name }) => box.isOpen(context, name)).length,
    };
  });
  await dryRun.request(agent, request.send(), { changing, closed, labels: labelsIn(request) });
}

/** The labels of the declared tools that have some. */
function labelsIn({ tools, context }: TurnModelRequest): BesideRequest['labels'] {
  const declared = tools.callable.filter(
    ({ name }) => tools.find(name)?.box?.isOpen(context, name) !== false,
  );
  const labelled = declared.map(({ name, traits }) => [name, labelsOf(traits)] as const);
  return Object.fromEntries(labelled.filter(([, labels]) => labels.length > 0));
}

async function* exhausted(end: EndCode, context: InvocationContext): ModelResponses {
  const response = endResponse(end);
  context.noteSpent({ code: end, message: response.errorMessage });
  yield response;
}

/** Replacements of `beforeModel` do not count against the limit of model calls. */
async function* askWithCallbacks(agent: TurnAgent, request: TurnModelRequest): ModelResponses {
  const { callbacks } = agent;
  const { callbackContext: context, context: invocation } = request;
  const answered = await callbacks.beforeModel?.(request, context);
  if (answered !== undefined) return yield answered;
  const end = invocation.budget.spendLlmCall(invocation);
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
  const own = judgedResponse(readModelResponse(whole ?? cutResponse(pieces)));
  request.received = own;
  const answer = (await callbacks.afterModel?.(own, context)) ?? own;
  if (answer !== own) request.replaced = own;
  yield answer;
}

/** Errors of later callbacks are not errors of the model, and are not passed to `onModelError`. */
async function* generateRecovering(agent: TurnAgent, request: TurnModelRequest): ModelResponses {
  try {
    yield* ask(agent, request);
  } catch (error) {
    const recovered = await agent.callbacks.onModelError?.(error, request, request.callbackContext);
    if (recovered === undefined) throw error;
    request.replaced = { errorCode: 'MODEL_FAILED' };
    yield recovered;
  }
}

/** The error response for a stream that ended early, with the text received so far. */
function cutResponse(pieces: readonly ModelResponse[]): ModelResponse {
  if (!pieces.some(({ content }) => hasContent(readContent(content))))
    return { errorCode: 'EMPTY_RESPONSE', errorMessage: 'The model ended without an answer.' };
  const text = pieces.map(textOf).join('');
  return {
    ...(text !== '' && { content: { role: 'model', parts: [{ text }] } }),
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream ended before the answer was complete. The received text is stored. Ask again.',
  };
}

/**
 * The error response for an error thrown during a model call. A refusal by a guardrail ends the run.
 *
 * @param isDenied true if the refusal is of this answer alone
 */
function failedResponse(
  error: unknown,
  { agent, context, received }: TurnModelRequest,
  isDenied: boolean,
): ModelResponse {
  const { code = 'MODEL_FAILED', message } = describeThrown(error);
  if (!isDenied) context.endIfTripped(error);
  if (code === 'CALLBACK_FAILED')
    context.services.logger.error('a callback around the model failed', { agent: agent.path, error });
  return { ...paidIn(received), errorCode: code, errorMessage: message };
}

/** What an answer cost, which counts also where the answer is refused. */
function paidIn({ usageMetadata, modelVersion }: ModelResponse = {}): ModelResponse {
  return present({ usageMetadata, modelVersion });
}
