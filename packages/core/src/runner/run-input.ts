import type { Content } from '../content/genai-types.js';
import type { Message } from '../content/user-content.js';
import { answerNameOf, type PendingRequest } from '../events/pending-request.js';
import { requireOptions, type RunConfig, RunConfigInvalidError } from '../invocation/run-config.js';
import { newInvocationId } from '../runtime/ids.js';
import { optionNames } from '../schema/nearest-names.js';
import type { StateDelta } from '../state/state-delta.js';
import { AnswerMisdirectedError } from './errors.js';

/** Which conversation a message belongs to. */
export interface ConversationAddress {
  /** As in the key of a session; that of another application is refused. Default: the runner's. */
  readonly appName?: string;
  /** Default: `user`. A server passes the id of whoever sent the message: state, memory and credentials belong to it. */
  readonly userId?: string;
  /** A conversation of that id is continued, or begun. Default: a new one. */
  readonly sessionId?: string;
}

/** Who answers requests, as the caller knows it; what a message says of it is not believed. */
export interface Answerer {
  /** Who decided, such as the id of the person who clicked. Default: the user of the session. */
  readonly by?: string | undefined;
  /** By which way, such as `web` or `slack`. */
  readonly channel?: string | undefined;
  /**
   * `session`: an approval also covers later calls of the tool in the session, whatever their arguments, as long as the
   * tool's definition stays the same. Default: only the one call.
   */
  readonly remember?: 'session' | undefined;
}

/** One message to an agent tree. */
export interface RunInput extends ConversationAddress, Answerer {
  readonly message: Message;
  /** Written to the state together with the message: session keys and `temp:` keys, not `app:` and `user:`. */
  readonly stateDelta?: StateDelta;
  /** The id to cancel it by. Default: a new one. */
  readonly invocationId?: string | undefined;
  /** Laid over the runner's. */
  readonly config?: RunConfig | undefined;
  /** Cancels the run when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Which run to continue. */
export interface ResumeInput
  extends ConversationAddress, Pick<RunInput, 'invocationId' | 'config' | 'signal'> {
  readonly sessionId: string;
  /** The interrupted run, to be continued under its own id. Default: the last run of the session, under a new id. */
  readonly invocationId?: string | undefined;
}

/** What to undo in which conversation. */
export interface RewindInput extends ConversationAddress {
  readonly sessionId: string;
  /** The first invocation that is undone. */
  readonly invocationId: string;
}

/** Who answered a request, and how the run goes on. */
export interface AnswerOptions
  extends Pick<RunInput, 'invocationId' | 'config' | 'signal'>, Omit<Answerer, 'remember'> {}

/** How a call is approved. */
export interface ApproveOptions extends AnswerOptions, Answerer {
  /** Data for the tool: it is in `context.confirmation` when the tool runs. */
  readonly payload?: unknown;
}

/** How a result of a long-running tool is supplied. */
export interface ResultOptions {
  /** The result is an interim one: the model is told, and the request stays open for the next. Default: false. */
  readonly willContinue?: boolean;
}

const ADDRESS = { appName: true, userId: true, sessionId: true } as const;
const ANSWER = { by: true, channel: true, invocationId: true, config: true, signal: true } as const;

/** The names of the options of each method of a runner. */
export const OPTIONS = {
  run: optionNames<RunInput>({
    ...ADDRESS,
    message: true,
    stateDelta: true,
    invocationId: true,
    config: true,
    signal: true,
    by: true,
    channel: true,
    remember: true,
  }),
  ask: optionNames<ConversationAddress & Pick<RunInput, 'config' | 'signal'>>({
    ...ADDRESS,
    config: true,
    signal: true,
  }),
  explain: optionNames<ConversationAddress & Pick<RunInput, 'message' | 'stateDelta' | 'config' | 'signal'>>({
    ...ADDRESS,
    message: true,
    stateDelta: true,
    config: true,
    signal: true,
  }),
  pending: optionNames<ConversationAddress>(ADDRESS),
  approve: optionNames<ApproveOptions>({ ...ANSWER, payload: true, remember: true }),
  reject: optionNames<AnswerOptions & { reason: string }>({ ...ANSWER, reason: true }),
  supply: optionNames<AnswerOptions & ResultOptions>({ ...ANSWER, willContinue: true }),
  resume: optionNames<ResumeInput>({ ...ADDRESS, invocationId: true, config: true, signal: true }),
  rewind: optionNames<RewindInput>({ ...ADDRESS, invocationId: true }),
};

/** What a run begins with: a message, or the interrupted run that it continues. */
export type ExecutionInput =
  | { readonly kind: 'message'; readonly input: RunInput }
  | { readonly kind: 'resume'; readonly input: ResumeInput };

/** The id of the run that an input begins. It is checked when the run begins. */
export function invocationIdOf(input: Pick<RunInput, 'invocationId'> | null): string {
  const { invocationId = newInvocationId() } = input ?? {};
  return invocationId;
}

/**
 * Checks the options of a method, and that they are meant for this application.
 *
 * @throws {RunConfigInvalidError}
 */
export function requireInput(
  method: 'run' | 'ask' | 'explain' | 'pending' | 'resume' | 'rewind',
  input: ConversationAddress,
  appName: string,
): void {
  requireOptions(`runner.${method}`, input, OPTIONS[method]);
  if (input.appName !== undefined && input.appName !== appName) {
    throw RunConfigInvalidError.ofApp(method, input.appName, appName);
  }
}

/**
 * A yes or a no to a request, as the message of a run.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function decisionInput(
  method: 'approve' | 'reject',
  request: PendingRequest,
  decision: Record<string, unknown>,
  options: AnswerOptions & Answerer,
): RunInput {
  requireOptions(`runner.${method}`, options, OPTIONS[method]);
  if (request.kind !== 'confirmation') {
    throw new AnswerMisdirectedError(request, 'it asks for no yes or no', 'Use runner.supply');
  }
  if (request.askedBy === 'tool' && options.remember !== undefined) {
    const fault = 'the tool itself asked while it ran, so the approval is for this call only';
    throw new AnswerMisdirectedError(request, fault, 'Leave remember out');
  }
  return answerInput(request, decision, options);
}

/**
 * A credential, an input or a result that a call waits for, as the message of a run.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function supplyInput(
  request: PendingRequest,
  value: unknown,
  options: AnswerOptions & ResultOptions,
): RunInput {
  requireOptions('runner.supply', options, OPTIONS.supply);
  const isResult = request.kind === 'result';
  if (!isResult && options.willContinue === true) {
    throw new AnswerMisdirectedError(
      request,
      'only a result can be an interim one',
      'Leave willContinue out',
    );
  }
  if (request.kind === 'confirmation') {
    throw new AnswerMisdirectedError(
      request,
      'it asks for a yes or no',
      'Use runner.approve or runner.reject',
    );
  }
  return answerInput(request, suppliedResponse(request, value), options);
}

function suppliedResponse({ kind }: PendingRequest, value: unknown): Record<string, unknown> {
  if (kind === 'credential') return { credential: value };
  return kind === 'input' ? { result: value } : asObject(value);
}

function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : { result: value };
}

function answerInput(
  request: PendingRequest,
  response: Record<string, unknown>,
  options: AnswerOptions & Answerer & ResultOptions,
): RunInput {
  const { userId, sessionId } = request;
  if (typeof sessionId !== 'string') {
    throw new AnswerMisdirectedError(request, 'it has no session', 'Take the request from runner.pending');
  }
  const { invocationId, config, signal, by, channel, remember, willContinue } = options;
  const message = answerMessage(request, response, willContinue);
  return { userId, sessionId, message, invocationId, config, signal, by, channel, remember };
}

/** An answer to a request as the message that any client would send. */
function answerMessage(
  request: PendingRequest,
  response: Record<string, unknown>,
  willContinue: boolean | undefined,
): Content {
  const given = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== undefined));
  return {
    role: 'user',
    parts: [
      {
        functionResponse: {
          id: request.id,
          name: answerNameOf(request),
          response: given,
          ...(willContinue !== undefined && { willContinue }),
        },
      },
    ],
  };
}
