import {
  type Content,
  type JsonSchema,
  type Model,
  type Part,
  type ToolContext,
  ToolError,
} from '@adorn/core';
import { canonicalJson, isSameJson, present, requestsOf } from '@adorn/core/backend';
import type {
  Client,
  ClientOptions,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client';

import { McpRequestFailedError } from '../errors.js';
import { saysNothingRun } from '../question-meta.js';
import type { ActiveCall, ActiveCalls, QuestionBeforeRun } from './active-calls.js';
import { isPrivate } from './check-options.js';
import { cleanText } from './clean-text.js';
import type { McpAnswer, McpToolOptions } from './mcp-toolset-options.js';
import { usableSchema } from './remote-schema.js';
import { ADDRESSES_REQUIRED } from './server-failure.js';

type QuestionOptions = Pick<McpToolOptions, 'approvers' | 'elicitation' | 'sampling' | 'roots'>;

/** The longest question to a person, in characters. */
const LONGEST_QUESTION = 4_096;
/** The most tokens that a server gets in one answer of the model. */
const MOST_TOKENS = 8_192;

/** What a server may ask for during a call. */
export function questionCapabilities({
  elicitation,
  sampling,
  roots,
}: QuestionOptions): NonNullable<ClientOptions['capabilities']> {
  return {
    ...(isAllowed(elicitation) && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(isAllowed(sampling) && { sampling: {} }),
    ...(roots !== undefined && { roots: {} }),
  };
}

/** Passes the questions of a server on: to the person for whom a call is made, and to the model. */
export function answerQuestions(
  client: Client,
  calls: ActiveCalls,
  options: QuestionOptions & { readonly server: string },
): void {
  const { sampling, roots } = options;
  if (isAllowed(options.elicitation))
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const call = calls.only;
      if (call === undefined) return { action: 'decline' };
      const asked = { ...options, call, signal: mcpReq.signal };
      return 'url' in params ? showAddress(params, asked) : askForm(params, asked);
    });
  if (isAllowed(sampling))
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const context = calls.only?.context;
      if (context === undefined) throw new Error('It is not known which call the request is about.');
      return sampled(params, context, sampling);
    });
  if (roots !== undefined)
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
}

/** The call that a question is about, and how it is answered. */
interface AskedCall extends Pick<QuestionOptions, 'approvers'> {
  readonly server: string;
  readonly call: ActiveCall;
  readonly elicitation?: QuestionOptions['elicitation'] | undefined;
  readonly signal: AbortSignal;
}

async function askForm(
  { message: question, requestedSchema, _meta }: ElicitRequestFormParams,
  { server, call, elicitation, approvers, signal }: AskedCall,
): Promise<ElicitResult> {
  const { schema, fault } = await usableSchema(requestedSchema);
  if (fault !== undefined) return { action: 'decline' };
  const message = `The MCP server ${server} asks: ${cleanText(question, LONGEST_QUESTION)}`;
  const isFirst = saysNothingRun(_meta);
  const payload = isFirst ? NOTHING_RUN : undefined;
  const asked = { message, schema: orNothing(schema), ...present({ approvers, payload }) };
  const beforeRun: QuestionBeforeRun | undefined = isFirst ? { text: canonicalJson(asked) } : undefined;
  const ask = async (context: ToolContext): Promise<McpAnswer> => {
    const answered =
      typeof elicitation === 'function' ? await elicitation({ message, schema }, context) : undefined;
    const answer = answered === undefined ? await context.requestInput<McpAnswer>(asked) : answered;
    if (beforeRun !== undefined) beforeRun.answer = answer;
    return answer;
  };
  const repeated = beforeRun && call.takeRepeated(beforeRun);
  const content = repeated === undefined ? await call.ask(ask, { signal, beforeRun }) : repeated;
  if (content === undefined) return { action: 'cancel' };
  return content === null ? { action: 'decline' } : { action: 'accept', content };
}

/** Shown with a question before whose answer the server has run nothing. */
const NOTHING_RUN = { hasRun: false };

/** True if the last question about a call said that the server had run nothing, so that the call may be made again. */
export function hasRunNothing({ events, functionCallId }: ToolContext): boolean {
  const asked = events.flatMap(requestsOf).findLast((one) => one.functionCallId === functionCallId);
  return asked?.askedBy === 'tool' && isSameJson(asked.payload, NOTHING_RUN);
}

const HAS_OPENED = { type: 'boolean', description: 'Whether you open the address.' };

/**
 * Has a person open an address, who answers whether. The address is shown in full, and never fetched.
 *
 * @param attempt from 1, where one call asks for the same address again
 */
async function showAddress(
  { message: reason, url: address }: ElicitRequestURLParams,
  { server, call, approvers, signal }: AskedCall,
  attempt = 1,
): Promise<ElicitResult> {
  const url = webAddress(address);
  if (url === undefined) return { action: 'decline' };
  const message = `The MCP server ${server} asks you to open ${url} in your browser: ${cleanText(reason, LONGEST_QUESTION)}`;
  // An answer to an equal question would count for this one.
  const payload = attempt === 1 ? { url } : { url, attempt };
  const question = { message, payload, schema: HAS_OPENED, ...present({ approvers }) };
  const hasOpened = await call.ask((context) => context.requestInput<boolean>(question), { signal });
  if (hasOpened === undefined) return { action: 'cancel' };
  return { action: hasOpened ? 'accept' : 'decline' };
}

/** An address that a person may be sent to; undefined for one with a password, or that others could read or change on the way. */
function webAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isWeb = ['http:', 'https:'].includes(url.protocol) && isPrivate(url);
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

function isAllowed(option: unknown): boolean {
  return option !== undefined && option !== false;
}

/** A person may decline: by `null`. */
function orNothing(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null', description: 'Decline to answer.' }] };
}

/** What is read of a request for sampling. */
interface SamplingParams {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly systemPrompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: string[] | undefined;
}

async function sampled(params: SamplingParams, context: ToolContext, sampling: McpToolOptions['sampling']) {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences } = params;
  const request = {
    contents: messages.map(({ role, content }): Content => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: (Array.isArray(content) ? content : [content]).map(partOf),
    })),
    config: {
      maxOutputTokens: Math.min(maxTokens, MOST_TOKENS),
      ...(systemPrompt !== undefined && { systemInstruction: systemPrompt }),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences !== undefined && { stopSequences }),
    },
  };
  const own = typeof sampling === 'object' ? sampling : undefined;
  const { content, errorCode } = await context.askModel({
    ...request,
    ...(own !== undefined && { model: own }),
  });
  if (errorCode !== undefined) throw new ToolError(`The model gave no usable answer: ${errorCode}.`);
  const text = (content?.parts ?? [])
    .map((part) => (part.thought === true ? '' : (part.text ?? '')))
    .join('');
  return { role: 'assistant' as const, model: modelName(own), content: { type: 'text' as const, text } };
}

function modelName(model: Model | undefined): string {
  return model?.name ?? 'agent';
}

function partOf(block: unknown): Part {
  const { type, text, data, mimeType } = (block ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'text' && typeof text === 'string') return { text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return { inlineData: { data, mimeType } };
  throw new ToolError(`The model does not take content of the type ${JSON.stringify(type)} from a server.`);
}

/** How often one call may need addresses. */
const MOST_ROUNDS = 3;

/**
 * Makes a call, again after the user has opened the addresses without which its server does not begin it.
 *
 * @param call asks the user
 * @throws the server's error if the user does not open them, may not be asked, or the server needs ever more
 */
export async function withAddresses<Result>(
  send: () => Promise<Result>,
  call: ActiveCall,
  { elicitation, ...asked }: Pick<QuestionOptions, 'elicitation'> & Omit<AskedCall, 'call'>,
): Promise<Result> {
  for (let round = 1; ; round++) {
    try {
      return await send();
    } catch (error) {
      const addresses = isAllowed(elicitation) && round <= MOST_ROUNDS ? requiredAddresses(error) : [];
      if (addresses.length === 0) throw error;
      for (const address of addresses) {
        const { action } = await showAddress(address, { ...asked, call }, round);
        if (action !== 'accept') throw error;
      }
    }
  }
}

/**
 * Makes a call, once more if the server refuses the answer to a question before whose answer it has run nothing: the question has
 * expired, and is asked again.
 */
export async function withLateAnswer<Result>(send: () => Promise<Result>, call: ActiveCall): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    const isRefused = error instanceof McpRequestFailedError && error.failure.kind === 'refused';
    if (!isRefused || !call.repeatAnswer()) throw error;
    return send();
  }
}

/** The addresses of an error; empty for any other error, and if one of them is malformed. */
function requiredAddresses(error: unknown): ElicitRequestURLParams[] {
  const refusal = error instanceof McpRequestFailedError ? error.cause : error;
  const { code, data } = (refusal ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  const { elicitations } = (data ?? {}) as { readonly elicitations?: unknown };
  if (code !== ADDRESSES_REQUIRED || !Array.isArray(elicitations)) return [];
  const listed = elicitations as unknown[];
  return listed.every(isAddress) ? listed : [];
}

function isAddress(value: unknown): value is ElicitRequestURLParams {
  const { message, url } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof message === 'string' && typeof url === 'string';
}
