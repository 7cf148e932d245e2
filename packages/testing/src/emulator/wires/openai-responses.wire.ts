import type { GeminiAnswer } from '../gemini-step.js';
import { openAiError } from './openai-chat.wire.js';
import {
  messageIn,
  type ScriptAnswer,
  ScriptAnswerReader,
  type ScriptPart,
  type ScriptUsage,
  toEvent,
} from './script-answer.js';
import { targetAt, type Wire } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

/** OpenAI's Responses API. */
export const OPENAI_RESPONSES_WIRE: Wire = {
  paths: '/{version}/responses',
  half: '{"type":"response.output_text.delta","del',
  read: targetAt('responses'),
  whole: (answer) => {
    const read = new ScriptAnswerReader('call_').read(answer);
    return responseOf(read, read.parts.map(itemOf));
  },
  events: (chunks, isComplete) => new ResponseStream().eventsOf(chunks, isComplete),
  failure: (status, body) => Buffer.from(JSON.stringify({ error: openAiError(status, messageIn(body)) })),
};

function responseOf({ model, finishReason, usage }: ScriptAnswer, output: readonly Json[]): GeminiAnswer {
  const reason = finishReason === undefined ? undefined : INCOMPLETE[finishReason];
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    model,
    output,
    usage: toUsage(usage ?? { input: 0, output: 0, cached: 0, thoughts: 0 }),
  };
}

const INCOMPLETE: Readonly<Record<string, string>> = {
  MAX_TOKENS: 'max_output_tokens',
  SAFETY: 'content_filter',
};

function toUsage({ input, output, cached, thoughts }: ScriptUsage): Json {
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: cached },
    output_tokens_details: { reasoning_tokens: thoughts },
  };
}

function itemOf(part: ScriptPart, index: number): Json {
  switch (part.kind) {
    case 'text': {
      const content = [{ type: 'output_text', text: part.text, annotations: [] }];
      return { type: 'message', id: `msg_${String(index)}`, role: 'assistant', status: 'completed', content };
    }
    case 'thought': {
      const summary = [{ type: 'summary_text', text: part.text }];
      return {
        type: 'reasoning',
        id: `rs_${String(index)}`,
        summary,
        encrypted_content: part.signature ?? null,
      };
    }
    case 'call': {
      const { id, name, args } = part.call;
      const call = { call_id: id, name, arguments: args, status: 'completed' };
      return { type: 'function_call', id: `fc_${String(index)}`, ...call };
    }
  }
}

/** The events of one response: its items one after the other, neighbouring texts in one. */
class ResponseStream {
  private readonly reader = new ScriptAnswerReader('call_');
  private readonly events: string[] = [];
  private readonly items: Json[] = [];
  private texts: string[] | undefined;

  eventsOf(chunks: readonly GeminiAnswer[], isComplete: boolean): string[] {
    const answers = chunks.map((chunk) => this.reader.read(chunk));
    const last = answers.at(-1);
    if (!last) return [];
    this.send('response.created', { response: responseOf({ ...last, finishReason: undefined }, []) });
    for (const { parts } of answers) for (const part of parts) this.sendPart(part);
    if (isComplete) this.closeText();
    if (isComplete && last.finishReason !== undefined) {
      const response = responseOf(last, this.items);
      this.send(`response.${String(response['status'])}`, { response });
    }
    return this.events;
  }

  private sendPart(part: ScriptPart): void {
    if (part.kind === 'text') {
      this.sendText(part.text);
      return;
    }
    this.closeText();
    const item = itemOf(part, this.items.length);
    this.sendItem('added', part.kind === 'call' ? { ...item, arguments: '' } : { ...item, summary: [] });
    if (part.kind === 'call') this.sendDelta('function_call_arguments', item, part.call.args);
    else this.sendSummary(item, part.text);
    this.endItem(item);
  }

  private sendText(text: string): void {
    if (!this.texts)
      this.sendItem('added', { ...itemOf({ kind: 'text', text: '' }, this.items.length), content: [] });
    (this.texts ??= []).push(text);
    this.sendDelta('output_text', { id: `msg_${String(this.items.length)}` }, text);
  }

  private closeText(): void {
    if (!this.texts) return;
    this.endItem(itemOf({ kind: 'text', text: this.texts.join('') }, this.items.length));
    this.texts = undefined;
  }

  private sendSummary({ id }: Json, text: string): void {
    const place = { item_id: id, output_index: this.items.length, summary_index: 0 };
    this.send('response.reasoning_summary_part.added', {
      ...place,
      part: { type: 'summary_text', text: '' },
    });
    this.send('response.reasoning_summary_text.delta', { ...place, delta: text });
    this.send('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
  }

  private sendItem(step: 'added' | 'done', item: Json): void {
    this.send(`response.output_item.${step}`, { output_index: this.items.length, item });
  }

  private endItem(item: Json): void {
    this.sendItem('done', item);
    this.items.push(item);
  }

  private sendDelta(kind: string, { id }: Json, delta: string): void {
    const place = { item_id: id, output_index: this.items.length, content_index: 0 };
    this.send(`response.${kind}.delta`, { ...place, delta });
  }

  private send(type: string, fields: Json): void {
    this.events.push(toEvent({ type, sequence_number: this.events.length, ...fields }, type));
  }
}
