import type { EmulatedCall } from '../answer-steps.js';
import { openAiError } from '../wires/openai-chat.wire.js';
import { stepUnknown } from './errors.js';
import type { HeardContent, HeardMessage, HeardResult, LiveJson } from './live-message.js';
import type { LiveUsage, SayingStep } from './live-step.js';
import type { LiveDialect, LiveFrame, LiveWire } from './live-wire.js';
import { RealtimeAnswer } from './realtime-answer.js';

const PATH = /^\/+(?:[^/?]+\/)*realtime(?:\?|$)/;

/** OpenAI's Realtime API over WebSocket, in its form of general availability. */
export const OPENAI_REALTIME_WIRE: LiveWire = {
  paths: '/v1/realtime?model={model}',
  serves: (path) => PATH.test(path),
  connect: (path) => new RealtimeDialect(new URL(path, 'ws://emulator').searchParams.get('model') ?? ''),
  refusal: (status, message) => ({ error: openAiError(status, message) }),
};

/** Sends what the real API sends of itself: items that were added, audio that was committed, responses that end. */
class RealtimeDialect implements LiveDialect {
  readonly isBinary = false;
  private session: LiveJson;
  private answer: RealtimeAnswer | undefined;
  /** True once an answer may begin: asked for, or because the user has ended to speak. */
  private isAsked = false;
  /** The rest of an answer that the client has cancelled is not said. */
  private isSkipping = false;
  private hasAudio = false;
  /** True while the user speaks, as far as the script says. */
  private isSpeaking = false;
  private isSetUp = false;
  private counter = 0;

  constructor(model: string) {
    this.session = { type: 'realtime', object: 'realtime.session', id: 'sess_1', model };
  }

  greeting(): LiveJson[] {
    return [this.event('session.created', { session: this.session })];
  }

  accept(): LiveJson[] {
    this.isSetUp = true;
    return [this.event('session.updated', { session: this.session })];
  }

  read(json: LiveJson): { heard: readonly HeardMessage[]; replies: readonly LiveJson[] } {
    const { contents, replies } = this.react(json);
    return { heard: contents.map((content) => ({ ...content, json })), replies };
  }

  maySay(step: SayingStep): boolean {
    if (!ANSWERS.has(step.kind) || this.answer || this.isSkipping || this.isAsked) return true;
    return this.hasAudio && this.detectsTurns;
  }

  frames(step: SayingStep): LiveFrame[] {
    switch (step.kind) {
      case 'text':
      case 'speech':
      case 'calls':
        return this.isSkipping ? [] : [...this.begin(), ...this.said(step)];
      case 'endTurn':
        return this.end(step.usage);
      case 'interrupt':
        return [...(this.isSpeaking ? [] : this.voice('start')), ...this.cancel('turn_detected')];
      case 'voice':
        return this.voice(step.activity);
      case 'heardWords':
        return this.heardWords(step.pieces);
      case 'failure':
        return [this.event('error', { error: { ...openAiError(400, step.message), code: step.code } })];
      case 'frame':
        return [step.frame];
      default:
        throw stepUnknown(step.kind, "OpenAI's Realtime API");
    }
  }

  private react(json: LiveJson): { contents: HeardContent[]; replies: LiveJson[] } {
    switch (json['type']) {
      case 'session.update':
        return this.updated(json['session'] as LiveJson);
      case 'input_audio_buffer.append':
        this.hasAudio = true;
        return heard({
          kind: 'audio',
          bytes: Buffer.from(String(json['audio']), 'base64'),
          mimeType: 'audio/pcm',
        });
      case 'input_audio_buffer.commit':
        return this.commit();
      case 'input_audio_buffer.clear':
        this.hasAudio = false;
        return { contents: [{ kind: 'other' }], replies: [this.event('input_audio_buffer.cleared')] };
      case 'conversation.item.create':
        return this.created(json['item'] as LiveJson);
      case 'conversation.item.truncate':
        return this.truncated(json);
      case 'response.create':
        return this.asked();
      case 'response.cancel':
        return this.cancelled();
      default:
        return heard({ kind: 'other' });
    }
  }

  private updated(session: LiveJson): { contents: HeardContent[]; replies: LiveJson[] } {
    this.session = { ...this.session, ...session };
    if (!this.isSetUp) return heard({ kind: 'setup' });
    const replies = [this.event('session.updated', { session: this.session })];
    return { contents: [{ kind: 'update' }], replies };
  }

  private commit(): { contents: HeardContent[]; replies: LiveJson[] } {
    if (!this.hasAudio) return this.refuse('input_audio_buffer_commit_empty', 'The buffer has no audio.');
    return { contents: [{ kind: 'audioEnd' }], replies: this.committed() };
  }

  private created(item: LiveJson): { contents: HeardContent[]; replies: LiveJson[] } {
    const added = { id: this.id('item'), object: 'realtime.item', status: 'completed', ...item };
    const replies = ['added', 'done'].map((end) =>
      this.event(`conversation.item.${end}`, { previous_item_id: null, item: added }),
    );
    return { contents: contentsOf(item), replies };
  }

  private truncated({ item_id, content_index, audio_end_ms }: LiveJson): {
    contents: HeardContent[];
    replies: LiveJson[];
  } {
    const replies = [this.event('conversation.item.truncated', { item_id, content_index, audio_end_ms })];
    return {
      contents: [{ kind: 'truncate', itemId: String(item_id), playedMs: Number(audio_end_ms) }],
      replies,
    };
  }

  private asked(): { contents: HeardContent[]; replies: LiveJson[] } {
    if (this.answer)
      return this.refuse(
        'conversation_already_has_active_response',
        'Conversation already has an active response in progress.',
      );
    this.isAsked = true;
    this.isSkipping = false;
    return heard({ kind: 'respond' });
  }

  private cancelled(): { contents: HeardContent[]; replies: LiveJson[] } {
    if (!this.answer)
      return this.refuse('response_cancel_not_active', 'Cancellation failed: no active response found.');
    const replies = this.cancel('client_cancelled');
    this.isSkipping = true;
    return { contents: [{ kind: 'cancel' }], replies };
  }

  private refuse(code: string, message: string): { contents: HeardContent[]; replies: LiveJson[] } {
    const replies = [this.event('error', { error: { ...openAiError(400, message), code } })];
    return { contents: [{ kind: 'other' }], replies };
  }

  private begin(): LiveJson[] {
    if (this.answer) return [];
    const committed = this.isAsked || !this.hasAudio ? [] : this.committed();
    this.isAsked = false;
    this.answer = new RealtimeAnswer(
      this.id('resp'),
      (type, fields) => this.event(type, fields),
      (kind) => this.id(kind),
    );
    return [...committed, ...this.answer.begin()];
  }

  private said(step: SayingStep): LiveJson[] {
    const answer = this.answer;
    if (!answer) return [];
    if (step.kind === 'text') return answer.write(step.pieces);
    if (step.kind === 'speech') return answer.speak(step.pieces, step.transcript);
    if (step.kind !== 'calls') return [];
    this.answer = undefined;
    return [...answer.call(step.calls.map((call) => this.withId(call))), ...answer.end()];
  }

  private withId(call: EmulatedCall): EmulatedCall & { readonly id: string } {
    return { ...call, id: call.id ?? this.id('call') };
  }

  private end(usage: LiveUsage | undefined): LiveJson[] {
    const { answer } = this;
    this.answer = undefined;
    this.isSkipping = false;
    return answer?.end(usage) ?? [];
  }

  private cancel(reason: string): LiveJson[] {
    const { answer } = this;
    this.answer = undefined;
    return answer?.cancel(reason) ?? [];
  }

  private voice(activity: 'start' | 'end'): LiveJson[] {
    this.isSpeaking = activity === 'start';
    if (activity === 'end')
      return [this.event('input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id: 'item_0' })];
    return [this.event('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: 'item_0' })];
  }

  private heardWords(pieces: readonly string[]): LiveJson[] {
    const about = { item_id: 'item_0', content_index: 0 };
    const type = 'conversation.item.input_audio_transcription';
    return [
      ...pieces.map((delta) => this.event(`${type}.delta`, { ...about, delta })),
      this.event(`${type}.completed`, { ...about, transcript: pieces.join('') }),
    ];
  }

  private committed(): LiveJson[] {
    this.hasAudio = false;
    const item_id = this.id('item');
    return [this.event('input_audio_buffer.committed', { previous_item_id: null, item_id })];
  }

  private get detectsTurns(): boolean {
    const audio = this.session['audio'] as { input?: { turn_detection?: unknown } } | undefined;
    return audio?.input?.turn_detection !== null;
  }

  private id(kind: string): string {
    this.counter += 1;
    return `${kind}_${String(this.counter)}`;
  }

  private event(type: string, fields: LiveJson = {}): LiveJson {
    return { type, event_id: this.id('event'), ...fields };
  }
}

/** The steps that are part of an answer. */
const ANSWERS: ReadonlySet<string> = new Set(['text', 'speech', 'calls']);

function heard(content: HeardContent): { contents: HeardContent[]; replies: LiveJson[] } {
  return { contents: [content], replies: [] };
}

function contentsOf(item: LiveJson): HeardContent[] {
  if (item['type'] === 'function_call_output') return [{ kind: 'results', results: [resultOf(item)] }];
  if (item['type'] !== 'message' || item['role'] === 'assistant') return [{ kind: 'history' }];
  const parts = (item['content'] as readonly LiveJson[] | undefined) ?? [];
  return parts.map((part) => (part['type'] === 'input_image' ? imageOf(part) : textOf(part)));
}

function textOf({ text }: LiveJson): HeardContent {
  return { kind: 'text', text: typeof text === 'string' ? text : '', respond: false };
}

function imageOf({ image_url }: LiveJson): HeardContent {
  const [, mimeType = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(String(image_url)) ?? [];
  return { kind: 'video', bytes: Buffer.from(data, 'base64'), mimeType };
}

function resultOf({ call_id, output }: LiveJson): HeardResult {
  return { id: String(call_id), name: undefined, response: objectIn(String(output)) };
}

function objectIn(output: string): LiveJson {
  try {
    const value: unknown = JSON.parse(output);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as LiveJson;
  } catch {
    // A text that is no JSON is an output as well.
  }
  return { output };
}
