import type { GeminiAnswer } from '../gemini-step.js';
import {
  messageIn,
  ScriptAnswerReader,
  type ScriptPart,
  type ScriptUsage,
  toEvent,
} from './script-answer.js';
import { targetAt, type Wire } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

/** Anthropic's messages. */
export const ANTHROPIC_WIRE: Wire = {
  paths: '/{version}/messages',
  half: '{"type":"content_block_delta","index":0,"del',
  read: targetAt('messages'),
  whole: toMessage,
  events: (chunks, isComplete) => new MessageStream().eventsOf(chunks, isComplete),
  failure: (status, body) => Buffer.from(JSON.stringify(errorOf(status, messageIn(body)))),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorOf(status: number, message: string): object {
  return { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } };
}

function toMessage(answer: GeminiAnswer): GeminiAnswer {
  const { parts, finishReason, model, usage } = new ScriptAnswerReader('toolu_').read(answer);
  const hasCalls = parts.some(({ kind }) => kind === 'call');
  return {
    ...headOf(model, usage),
    content: parts.map(blockOf),
    stop_reason: stopOf(finishReason, hasCalls),
    usage: { ...inputUsage(usage), output_tokens: usage?.output ?? 0 },
  };
}

function headOf(model: string, usage: ScriptUsage | undefined): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(usage), output_tokens: 0 },
  };
}

/** Tokens read from the cache are counted beside the others. */
function inputUsage(usage: ScriptUsage | undefined): Json {
  const { input = 0, cached = 0 } = usage ?? {};
  return { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
}

function blockOf(part: ScriptPart): Json {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thought':
      return { type: 'thinking', thinking: part.text, signature: part.signature ?? '' };
    case 'call':
      return { type: 'tool_use', id: part.call.id, name: part.call.name, input: parsed(part.call.args) };
  }
}

function parsed(args: string): unknown {
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}

const STOP: Readonly<Record<string, string>> = { MAX_TOKENS: 'max_tokens', SAFETY: 'refusal' };

function stopOf(reason: string | undefined, hasCalls: boolean): string | null {
  if (reason === undefined) return null;
  return STOP[reason] ?? (hasCalls ? 'tool_use' : 'end_turn');
}

/** The events of one message: its blocks one after the other, each with start, deltas and stop. */
class MessageStream {
  private readonly reader = new ScriptAnswerReader('toolu_');
  private readonly events: string[] = [];
  private index = -1;
  private open: ScriptPart['kind'] | undefined;
  private hasCalls = false;

  eventsOf(chunks: readonly GeminiAnswer[], isComplete: boolean): string[] {
    const answers = chunks.map((chunk) => this.reader.read(chunk));
    const last = answers.at(-1);
    this.send('message_start', { message: headOf(last?.model ?? 'emulator', last?.usage) });
    for (const { parts } of answers) for (const part of parts) this.sendPart(part);
    if (isComplete) this.closeBlock();
    if (isComplete && last?.finishReason !== undefined) {
      const delta = { stop_reason: stopOf(last.finishReason, this.hasCalls), stop_sequence: null };
      this.send('message_delta', { delta, usage: { output_tokens: last.usage?.output ?? 0 } });
      this.send('message_stop', {});
    }
    return this.events;
  }

  private sendPart(part: ScriptPart): void {
    if (this.open !== part.kind || part.kind === 'call') this.openBlock(part);
    for (const delta of deltasOf(part)) this.send('content_block_delta', { index: this.index, delta });
  }

  private openBlock(part: ScriptPart): void {
    this.closeBlock();
    this.index += 1;
    this.open = part.kind;
    if (part.kind === 'call') this.hasCalls = true;
    this.send('content_block_start', { index: this.index, content_block: emptyBlock(part) });
  }

  private closeBlock(): void {
    if (this.open !== undefined) this.send('content_block_stop', { index: this.index });
    this.open = undefined;
  }

  private send(type: string, fields: Json): void {
    this.events.push(toEvent({ type, ...fields }, type));
  }
}

function emptyBlock(part: ScriptPart): Json {
  if (part.kind === 'text') return { type: 'text', text: '' };
  if (part.kind === 'thought') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id: part.call.id, name: part.call.name, input: {} };
}

/** The arguments of a call come in two halves. */
function deltasOf(part: ScriptPart): Json[] {
  if (part.kind === 'text') return [{ type: 'text_delta', text: part.text }];
  if (part.kind === 'thought') {
    const { text, signature } = part;
    const signed = signature === undefined ? [] : [{ type: 'signature_delta', signature }];
    return [{ type: 'thinking_delta', thinking: text }, ...signed];
  }
  const { args } = part.call;
  const half = Math.ceil(args.length / 2);
  return [args.slice(0, half), args.slice(half)].map((text) => ({
    type: 'input_json_delta',
    partial_json: text,
  }));
}
