import {
  type Content,
  type JsonSchema,
  type Model,
  type Part,
  type ToolContext,
  ToolError,
} from '@adorn/core';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';

import type { ActiveCalls } from './active-calls.js';
import { cleanText } from './clean-text.js';
import type { McpAnswer, McpToolOptions } from './mcp-toolset-options.js';
import { usableSchema } from './remote-schema.js';

type QuestionOptions = Pick<McpToolOptions, 'elicitation' | 'sampling' | 'roots'>;

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
    ...(isAllowed(elicitation) && { elicitation: { form: { applyDefaults: true } } }),
    ...(isAllowed(sampling) && { sampling: {} }),
    ...(roots !== undefined && { roots: {} }),
  };
}

/** Passes the questions of a server on: to the person for whom a call is made, and to the model. */
export function answerQuestions(
  client: Client,
  calls: ActiveCalls,
  { server, elicitation, sampling, roots }: QuestionOptions & { readonly server: string },
): void {
  if (isAllowed(elicitation))
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const call = calls.only;
      const { schema, fault } = await usableSchema(
        'requestedSchema' in params ? params.requestedSchema : undefined,
      );
      if (call === undefined || fault !== undefined || params.mode === 'url') return { action: 'decline' };
      const message = `The MCP server ${server} asks: ${cleanText(params.message, LONGEST_QUESTION)}`;
      const content = await call.ask(async (context) => {
        const answered =
          typeof elicitation === 'function' ? await elicitation({ message, schema }, context) : undefined;
        return answered === undefined
          ? context.requestInput<McpAnswer>({ message, schema: orNothing(schema) })
          : answered;
      }, mcpReq.signal);
      if (content === undefined) return { action: 'cancel' };
      return content === null ? { action: 'decline' } : { action: 'accept', content };
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
