import type { EmulatedCall } from '../answer-steps.js';
import type { LiveJson } from './live-message.js';
import type { LiveUsage } from './live-step.js';

type WriteEvent = (type: string, fields: LiveJson) => LiveJson;

/** A message of the answer that is still open. */
interface OpenMessage {
  readonly id: string;
  readonly index: number;
  readonly kind: 'output_text' | 'output_audio';
  words: string;
}

/** One response of OpenAI's Realtime API: its items, their parts and deltas, and its end. */
export class RealtimeAnswer {
  private readonly items: LiveJson[] = [];
  private message: OpenMessage | undefined;

  constructor(
    private readonly id: string,
    private readonly event: WriteEvent,
    private readonly newId: (kind: string) => string,
  ) {}

  begin(): LiveJson[] {
    return [this.event('response.created', { response: this.response('in_progress') })];
  }

  write(pieces: readonly string[]): LiveJson[] {
    const { opening, message } = this.open('output_text');
    message.words += pieces.join('');
    return [...opening, ...pieces.map((delta) => this.delta(message, 'response.output_text.delta', delta))];
  }

  speak(pieces: readonly Uint8Array[], transcript: readonly string[]): LiveJson[] {
    const { opening, message } = this.open('output_audio');
    message.words += transcript.join('');
    return [
      ...opening,
      ...pieces.map((piece) =>
        this.delta(message, 'response.output_audio.delta', Buffer.from(piece).toString('base64')),
      ),
      ...transcript.map((delta) => this.delta(message, 'response.output_audio_transcript.delta', delta)),
    ];
  }

  /** The arguments of a call come in two halves. */
  call(calls: readonly (EmulatedCall & { readonly id: string })[]): LiveJson[] {
    return [...this.close('completed'), ...calls.flatMap((call) => this.functionCall(call))];
  }

  end(usage?: LiveUsage): LiveJson[] {
    return [...this.close('completed'), this.done('completed', null, usage)];
  }

  cancel(reason: string): LiveJson[] {
    return [...this.close('incomplete'), this.done('cancelled', { type: 'cancelled', reason })];
  }

  private functionCall({ id, name, args = {} }: EmulatedCall & { readonly id: string }): LiveJson[] {
    const text = JSON.stringify(args);
    const half = Math.ceil(text.length / 2);
    const item = {
      id: this.newId('item'),
      object: 'realtime.item',
      type: 'function_call',
      call_id: id,
      name,
    };
    const about = {
      response_id: this.id,
      item_id: item.id,
      output_index: this.items.length,
      call_id: id,
    };
    const done = { ...item, status: 'completed', arguments: text };
    const added = this.itemEvent('added', { ...item, status: 'in_progress', arguments: '' });
    const finished = this.itemEvent('done', done);
    this.items.push(done);
    const deltas = [text.slice(0, half), text.slice(half)].map((delta) =>
      this.event('response.function_call_arguments.delta', { ...about, delta }),
    );
    const complete = this.event('response.function_call_arguments.done', { ...about, name, arguments: text });
    return [added, ...deltas, complete, finished];
  }

  private open(kind: OpenMessage['kind']): { opening: LiveJson[]; message: OpenMessage } {
    if (this.message?.kind === kind) return { opening: [], message: this.message };
    const closing = this.close('completed');
    const message: OpenMessage = { id: this.newId('item'), index: this.items.length, kind, words: '' };
    this.message = message;
    const item = { ...itemOf(message), status: 'in_progress', content: [] };
    return {
      opening: [
        ...closing,
        this.itemEvent('added', item),
        this.partEvent('added', message, { type: partType(kind) }),
      ],
      message,
    };
  }

  private close(status: 'completed' | 'incomplete'): LiveJson[] {
    const { message } = this;
    if (!message) return [];
    this.message = undefined;
    const part = partOf(message);
    const item = { ...itemOf(message), status, content: [part] };
    const events = [
      this.wordsDone(message),
      this.partEvent('done', message, part),
      this.itemEvent('done', item),
    ];
    this.items.push(item);
    return events;
  }

  private wordsDone(message: OpenMessage): LiveJson {
    const about = this.about(message);
    return message.kind === 'output_text'
      ? this.event('response.output_text.done', { ...about, text: message.words })
      : this.event('response.output_audio_transcript.done', { ...about, transcript: message.words });
  }

  private delta(message: OpenMessage, type: string, delta: string): LiveJson {
    return this.event(type, { ...this.about(message), delta });
  }

  private about({ id, index }: OpenMessage): LiveJson {
    return { response_id: this.id, item_id: id, output_index: index, content_index: 0 };
  }

  private itemEvent(end: 'added' | 'done', item: LiveJson): LiveJson {
    return this.event(`response.output_item.${end}`, {
      response_id: this.id,
      output_index: this.items.length,
      item,
    });
  }

  private partEvent(end: 'added' | 'done', message: OpenMessage, part: LiveJson): LiveJson {
    return this.event(`response.content_part.${end}`, { ...this.about(message), part });
  }

  private done(status: string, details: LiveJson | null, usage?: LiveUsage): LiveJson {
    return this.event('response.done', { response: this.response(status, details, usage) });
  }

  private response(status: string, details: LiveJson | null = null, usage?: LiveUsage): LiveJson {
    return {
      id: this.id,
      object: 'realtime.response',
      status,
      status_details: details,
      output: [...this.items],
      usage: usage ? usageOf(usage) : null,
    };
  }
}

function itemOf({ id }: OpenMessage): LiveJson {
  return { id, object: 'realtime.item', type: 'message', role: 'assistant' };
}

function partType(kind: OpenMessage['kind']): string {
  return kind === 'output_text' ? 'text' : 'audio';
}

function partOf({ kind, words }: OpenMessage): LiveJson {
  return kind === 'output_text'
    ? { type: 'output_text', text: words }
    : { type: 'output_audio', transcript: words };
}

function usageOf({ input, output }: LiveUsage): LiveJson {
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: { text_tokens: input, audio_tokens: 0, cached_tokens: 0 },
    output_token_details: { text_tokens: output, audio_tokens: 0 },
  };
}
