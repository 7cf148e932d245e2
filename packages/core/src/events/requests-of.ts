import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { FunctionCall, FunctionResponse } from '../content/genai-types.js';
import type { Event } from './event.js';
import {
  type PendingRequestData,
  REQUEST_CONFIRMATION,
  REQUEST_CREDENTIAL,
  REQUEST_INPUT,
  type ToolConfirmation,
} from './pending-request.js';

/** True if the function responses in an event answer calls: those of users and of the dispatcher do, a model's do not. */
export function answersCalls({ author, content }: Event): boolean {
  return author === 'user' || content?.role !== 'model';
}

/** The requests that an event opens; most events open none, and those of a user never do. */
export function requestsOf(event: Event): PendingRequestData[] {
  if (event.longRunningToolIds.length === 0 || event.author === 'user') return [];
  const isOpened = ({ id = '' }: { id?: string }): boolean => event.longRunningToolIds.includes(id);
  return [
    ...functionCallsOf(event.content).filter(isOpened).flatMap(toRequest),
    ...functionResponsesOf(event.content).filter(isOpened).map(toResultRequest),
  ];
}

/** The result of a long-running tool is awaited once the tool returns a handle, not once it is called. */
function toResultRequest({ id = '', name: tool = '' }: FunctionResponse): PendingRequestData {
  return { kind: 'result', id, functionCallId: id, tool, args: {} };
}

function toRequest(call: FunctionCall): PendingRequestData[] {
  const { id = '', name = '', args = {} } = call;
  switch (name) {
    case REQUEST_CONFIRMATION:
      return [toConfirmation(id, args)];
    case REQUEST_CREDENTIAL:
      return [toCredential(id, args as unknown as CredentialArgs)];
    case REQUEST_INPUT:
      return [toInput(id, args)];
    default:
      return [];
  }
}

/** The arguments of `adk_request_confirmation`. */
export interface ConfirmationArgs {
  readonly originalFunctionCall: FunctionCall;
  readonly toolConfirmation: {
    readonly hint: string;
    readonly confirmed: boolean;
    readonly payload?: unknown;
  };
  /** Digest of the tool's definition. An addition to the ADK's fields, as are the following. */
  readonly toolDefinition?: string;
  /** In seconds since 1970. */
  readonly expiresAt?: number;
  readonly askedBy?: 'tool';
}

/** Logs of other ADKs are read too, so no argument is trusted. */
function toConfirmation(
  id: string,
  { originalFunctionCall, toolConfirmation, toolDefinition, expiresAt, askedBy }: Partial<ConfirmationArgs>,
): PendingRequestData {
  const { hint, payload } = toolConfirmation ?? {};
  return {
    kind: 'confirmation',
    id,
    ...calledIn(originalFunctionCall),
    hint: textOr(hint, ''),
    ...(payload !== undefined && { payload }),
    ...(typeof toolDefinition === 'string' && { definition: toolDefinition }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(askedBy === 'tool' && { askedBy }),
  };
}

/** The arguments of `adk_request_input`. The last two are additions to the ADK's fields. */
export interface InputArgs {
  readonly interruptId: string;
  readonly message: string | null;
  readonly payload: unknown;
  readonly response_schema: Readonly<Record<string, unknown>> | null;
  readonly originalFunctionCall?: FunctionCall;
  readonly toolDefinition?: string;
}

function toInput(
  id: string,
  { message, payload, response_schema: schema, originalFunctionCall, toolDefinition }: Partial<InputArgs>,
): PendingRequestData {
  return {
    kind: 'input',
    id,
    ...calledIn(originalFunctionCall),
    hint: textOr(message, ''),
    ...(payload !== undefined && payload !== null && { payload }),
    ...(typeof schema === 'object' && schema !== null && { schema }),
    ...(typeof toolDefinition === 'string' && { definition: toolDefinition }),
    askedBy: 'tool',
  };
}

function calledIn(
  call: Partial<FunctionCall> | null | undefined,
): Pick<PendingRequestData, 'functionCallId' | 'tool' | 'args'> {
  const { id, name, args } = call ?? {};
  return { functionCallId: textOr(id, ''), tool: textOr(name, ''), args: args ?? {} };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** The arguments of `adk_request_credential`. The last two are additions to the ADK's fields. */
export interface CredentialArgs {
  readonly functionCallId: string;
  readonly authConfig: NonNullable<PendingRequestData['authConfig']>;
  readonly originalFunctionCall?: FunctionCall;
  readonly askedBy?: 'tool';
}

function toCredential(
  id: string,
  { functionCallId, authConfig, originalFunctionCall, askedBy }: CredentialArgs,
): PendingRequestData {
  return {
    kind: 'credential',
    id,
    ...calledIn(originalFunctionCall),
    functionCallId,
    authConfig,
    ...(askedBy === 'tool' && { askedBy }),
  };
}

/** A person's decision about a call, and the request that was shown. */
export interface Decision {
  readonly confirmation: ToolConfirmation;
  /** The reason for a refusal, if one was given. */
  readonly reason?: string;
  readonly shown: PendingRequestData;
}

/** A request that a tool made while it ran, and the response to it. */
export interface AnsweredRequest {
  readonly request: PendingRequestData;
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * Reads a person's decision in any of the forms in which clients send it: bare, under `toolConfirmation`, or under
 * `response` as an object or as JSON text. Undefined unless `confirmed` is a boolean.
 */
export function readDecision(
  request: PendingRequestData,
  response: Record<string, unknown> | undefined,
): Decision | undefined {
  const { confirmed, payload, reason } = unwrap(response ?? {});
  if (typeof confirmed !== 'boolean') return undefined;
  const { by, channel } = response ?? {};
  const confirmation = {
    hint: request.hint ?? '',
    confirmed,
    ...(payload !== undefined && { payload }),
    ...(typeof by === 'string' && { by }),
    ...(typeof channel === 'string' && { channel }),
  };
  return { confirmation, shown: request, ...(typeof reason === 'string' && { reason }) };
}

function unwrap(response: Record<string, unknown>): Record<string, unknown> {
  const inner = response['toolConfirmation'] ?? response['response'];
  if (typeof inner === 'string') return parseObject(inner);
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : response;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
