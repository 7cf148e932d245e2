import type { GeminiAnswer } from '../gemini-step.js';
import {
  messageIn,
  type ScriptAnswer,
  ScriptAnswerReader,
  type ScriptPart,
  type ScriptUsage,
  toEvent,
} from './script-answer.js';
import { targetAt, type Wire } from './wire.js';

const ID = 'chatcmpl-1';

/** OpenAI's chat completions, which many providers and local servers offer. */
export const OPENAI_CHAT_WIRE: Wire = {
  paths: '/{version}/chat/completions',
  half: '{"id":"chatcmpl-1","choices":[{"delta":{"cont',
  read: targetAt('chat/completions'),
  whole: toCompletion,
  events: toChunks,
  failure: (status, body) => Buffer.from(JSON.stringify({ error: openAiError(status, messageIn(body)) })),
};

/** The error object of OpenAI's APIs. */
export function openAiError(status: number, message: string): GeminiAnswer {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  const code = status === 404 ? 'model_not_found' : status === 401 ? 'invalid_api_key' : null;
  return { message, type, param: null, code };
}

function toCompletion(answer: GeminiAnswer): GeminiAnswer {
  const { parts, finishReason, model, usage } = new ScriptAnswerReader('call_').read(answer);
  const message = {
    role: 'assistant',
    content: textOf(parts, 'text') || null,
    ...(textOf(parts, 'thought') !== '' && { reasoning_content: textOf(parts, 'thought') }),
    ...(callsIn(parts).length > 0 && { tool_calls: callsIn(parts).map(({ call }) => toolCall(call)) }),
  };
  return {
    ...headOf('chat.completion', model),
    choices: [{ index: 0, message, finish_reason: finishOf(finishReason, callsIn(parts).length > 0) }],
    ...(usage && { usage: toUsage(usage) }),
  };
}

function toChunks(chunks: readonly GeminiAnswer[], isComplete: boolean): string[] {
  const reader = new ScriptAnswerReader('call_');
  let calls = 0;
  const events = chunks.flatMap((chunk) => {
    const answer = reader.read(chunk);
    const deltas = answer.parts.flatMap((part) => deltasOf(part, part.kind === 'call' ? calls++ : 0));
    return [...deltas.map((delta) => chunkOf(answer, delta)), ...endOf(answer, calls > 0)];
  });
  return isComplete
    ? [...events.map((event) => toEvent(event)), 'data: [DONE]\n\n']
    : events.map((event) => toEvent(event));
}

/** The arguments of a call come in two halves. */
function deltasOf(part: ScriptPart, index: number): object[] {
  if (part.kind === 'text') return [{ content: part.text }];
  if (part.kind === 'thought') return [{ reasoning_content: part.text }];
  const { args } = part.call;
  const half = Math.ceil(args.length / 2);
  return [
    { tool_calls: [{ index, ...toolCall({ ...part.call, args: args.slice(0, half) }) }] },
    { tool_calls: [{ index, function: { arguments: args.slice(half) } }] },
  ];
}

function endOf(answer: ScriptAnswer, hasCalls: boolean): object[] {
  if (answer.finishReason === undefined) return [];
  const end = chunkOf(answer, {}, finishOf(answer.finishReason, hasCalls));
  return answer.usage ? [end, { ...chunkOf(answer, {}), choices: [], usage: toUsage(answer.usage) }] : [end];
}

function chunkOf({ model }: ScriptAnswer, delta: object, finish: string | null = null): GeminiAnswer {
  return { ...headOf('chat.completion.chunk', model), choices: [{ index: 0, delta, finish_reason: finish }] };
}

function headOf(object: string, model: string): GeminiAnswer {
  return { id: ID, object, created: 1_700_000_000, model };
}

function toolCall({ id, name, args }: { id: string; name: string; args: string }): object {
  return { id, type: 'function', function: { name, arguments: args } };
}

function textOf(parts: readonly ScriptPart[], kind: 'text' | 'thought'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}

function callsIn(parts: readonly ScriptPart[]): (ScriptPart & { kind: 'call' })[] {
  return parts.filter((part) => part.kind === 'call');
}

const FINISH: Readonly<Record<string, string>> = { MAX_TOKENS: 'length', SAFETY: 'content_filter' };

function finishOf(reason: string | undefined, hasCalls: boolean): string | null {
  if (reason === undefined) return null;
  return FINISH[reason] ?? (hasCalls ? 'tool_calls' : 'stop');
}

function toUsage({ input, output, cached, thoughts }: ScriptUsage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}
