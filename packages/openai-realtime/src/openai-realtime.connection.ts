import type { Content } from '@adorn/core';
import {
  type ForeignObject,
  LiveConnection,
  type LiveEvent,
  type LiveSetupChange,
  type LiveToolResponse,
} from '@adorn/core/backend';
import type { ConversationItem, RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';

import { toImage, toItems, toOutput } from './conversation-items.js';
import { ReceivedAnswer } from './realtime-answer.js';
import { RATE, toSessionChange } from './realtime-session.js';
import { type RealtimeResponse, readResponse } from './realtime-response.js';

/** The settings of a connection that its events depend on. */
export interface ConnectionSettings {
  readonly activity: 'automatic' | 'manual';
  /** False if the user's speech does not interrupt the model. */
  readonly interruptible: boolean;
  readonly transcribesOutput: boolean;
  readonly redact: (text: string) => string;
}

/** Answers to messages that came too late to have an effect. */
const HARMLESS: ReadonlySet<string | undefined> = new Set([
  'response_cancel_not_active',
  'input_audio_buffer_commit_empty',
]);

const ORDERLY = 1000;

/** How long the other side has to confirm the end of a connection. */
const FAREWELL_MS = 1_000;

/** One second of silence, after which the API knows that the user has stopped. */
const SILENCE = new Uint8Array(RATE * 2);

/** An open connection to the Realtime API. */
export class OpenAiRealtimeConnection extends LiveConnection {
  private answer: ReceivedAnswer | undefined;
  /** Calls that the model waits for. It is asked to go on once all of them are answered. */
  private readonly openCalls = new Set<string>();
  /** True if an answer is to be asked for when the one under way has ended. */
  private isAnswerWanted = false;
  private hasInputDeltas = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly settings: ConnectionSettings,
  ) {
    super();
  }

  override get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  /**
   * Reads an event of the server. What it leaves out has a neutral value, as servers that are only compatible do so.
   *
   * @throws {UnexpectedShapeError} if a field has another type
   */
  receive(type: string, event: ForeignObject): void {
    switch (type) {
      case 'input_audio_buffer.speech_started':
        this.onSpeech();
        break;
      case 'input_audio_buffer.speech_stopped':
        this.report({ kind: 'speech', activity: 'end', utterance: event.text('item_id') });
        break;
      case 'input_audio_buffer.committed':
        // Where the application says when the user speaks, nothing else names the utterance.
        if (this.settings.activity === 'manual')
          this.report({ kind: 'speech', activity: 'end', utterance: event.text('item_id') });
        break;
      case 'conversation.item.input_audio_transcription.delta':
        this.onInputWords(event.text('delta') ?? '', event.text('item_id'));
        break;
      case 'conversation.item.input_audio_transcription.completed':
        this.onInputTranscript(event.text('transcript') ?? '', event.text('item_id'));
        break;
      case 'conversation.item.input_audio_transcription.failed':
        this.onInputTranscript('', event.text('item_id'));
        break;
      case 'response.created':
        this.answer = new ReceivedAnswer(event.object('response')?.text('id') ?? '');
        break;
      case 'response.output_audio.delta':
        this.onAudio(event);
        break;
      case 'response.output_audio_transcript.delta':
        if (this.settings.transcribesOutput) this.onOutputWords('outputTranscript', event.text('delta'));
        break;
      case 'response.output_text.delta':
        this.onOutputWords('text', event.text('delta'));
        break;
      case 'response.done':
        this.onDone(readResponse(event.object('response')));
        break;
      case 'error':
        this.onError(event.object('error'));
        break;
      default:
    }
  }

  /** The other side has sent what cannot be read. The session may open another connection. */
  lose(reason: string): void {
    this.report({ kind: 'closed', clean: false, reason });
  }

  /** The other side has ended the connection. */
  end(code: number, reason: string): void {
    const said = this.settings.redact(reason);
    this.report({ kind: 'closed', clean: code === ORDERLY, reason: said === '' ? undefined : said });
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    for (const item of toItems(contents)) this.create(item);
    if (respond) this.askForAnswer();
  }

  override sendAudio(chunk: Uint8Array): void {
    const audio = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64');
    this.send({ type: 'input_audio_buffer.append', audio });
  }

  /** The API has no message for it, and would wait for the end of the speech. */
  override endAudio(): void {
    if (this.settings.activity === 'automatic') this.sendAudio(SILENCE);
  }

  /** Each image stays in the conversation: the API has no video. */
  override sendVideo(frame: Uint8Array, mimeType: string): void {
    this.create(toImage(frame, mimeType));
  }

  override sendActivity(activity: 'start' | 'end'): void {
    if (activity === 'end') {
      this.send({ type: 'input_audio_buffer.commit' });
      this.askForAnswer();
      return;
    }
    this.send({ type: 'input_audio_buffer.clear' });
    if (this.answer?.isOpen !== true) return;
    this.cancel();
    this.report({ kind: 'interrupted' });
  }

  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    for (const response of responses) {
      this.openCalls.delete(response.id);
      this.create(toOutput(response));
    }
    const isSilent = responses.every(({ scheduling }) => scheduling === 'silent');
    if (!isSilent && this.openCalls.size === 0) this.askForAnswer();
  }

  /** Ends the answer under way, and says how much of the newest answer the user has heard. */
  override interrupt(playedMs: number): void {
    const { answer } = this;
    if (!answer) return;
    if (answer.isOpen && !answer.isCancelled) this.cancel();
    for (const truncation of answer.takeTruncations(playedMs))
      this.send({ type: 'conversation.item.truncate', ...truncation });
  }

  override update(change: LiveSetupChange): void {
    this.send({ type: 'session.update', session: toSessionChange(change) });
  }

  override close(): void {
    if (this.isClosed) return;
    this.report({ kind: 'closed', clean: true });
    this.socket.close(ORDERLY);
    setTimeout(() => {
      this.socket.terminate();
    }, FAREWELL_MS).unref();
  }

  /** The answer may be complete, but longer than what the user has heard of it. */
  private onSpeech(): void {
    const { answer } = this;
    this.report({ kind: 'speech', activity: 'start' });
    if (!answer || answer.isCancelled || !this.settings.interruptible) return;
    if (!answer.isOpen && !answer.isPlaying) return;
    answer.isCancelled = true;
    this.report({ kind: 'interrupted' });
  }

  private onInputWords(text: string, utterance: string | undefined): void {
    this.hasInputDeltas = true;
    if (text !== '') this.report({ kind: 'inputTranscript', text, utterance });
  }

  /** Some models give the whole transcript only. */
  private onInputTranscript(transcript: string, utterance: string | undefined): void {
    const text = this.hasInputDeltas ? '' : transcript;
    this.hasInputDeltas = false;
    this.report({ kind: 'inputTranscript', text, finished: true, utterance });
  }

  private onAudio(event: ForeignObject): void {
    const data = event.bytes('delta');
    const [itemId = '', index = 0] = [event.text('item_id'), event.number('content_index')];
    if (!data) return;
    this.answer?.addAudio(itemId, index, data.length);
    this.reportAnswer({ kind: 'audio', data });
  }

  private onOutputWords(kind: 'outputTranscript' | 'text', text: string | undefined): void {
    if (text !== undefined) this.reportAnswer({ kind, text });
  }

  private reportAnswer(event: LiveEvent): void {
    if (this.answer?.isCancelled !== true) this.report(event);
  }

  private onDone(response: RealtimeResponse): void {
    if (this.answer) this.answer.isOpen = false;
    if (response.status === 'cancelled') this.onCancelled(response);
    else if (response.status === 'failed') this.onFailed(response);
    else this.onComplete(response);
    if (!this.isAnswerWanted) return;
    this.isAnswerWanted = false;
    this.askForAnswer();
  }

  private onCancelled(response: RealtimeResponse): void {
    if (response.reason === 'turn_detected' && this.answer?.isCancelled === false) {
      this.answer.isCancelled = true;
      this.report({ kind: 'interrupted' });
    }
    this.endTurn(response);
  }

  private onFailed(response: RealtimeResponse): void {
    const { error = 'no reason was given' } = response;
    this.report(failure(`OpenAI could not answer: ${this.settings.redact(error)}`));
    this.endTurn(response);
  }

  private onComplete(response: RealtimeResponse): void {
    const { calls, malformed } = response;
    const reason = response.status === 'incomplete' ? response.reason : undefined;
    if (reason !== undefined)
      this.report(failure(`OpenAI ended its answer early: ${this.settings.redact(reason)}`));
    for (const { id } of calls) this.openCalls.add(id);
    if (calls.length > 0 || malformed.length > 0) this.reportUsage(response);
    if (calls.length > 0) this.report({ kind: 'toolCall', calls });
    if (malformed.length > 0) this.refuse(malformed);
    if (calls.length > 0 || malformed.length > 0) return;
    this.report({ kind: 'generationComplete' });
    this.endTurn(response);
  }

  private endTurn(response: RealtimeResponse): void {
    this.reportUsage(response);
    this.report({ kind: 'turnComplete' });
  }

  private reportUsage({ usage }: RealtimeResponse): void {
    if (usage) this.report({ kind: 'usage', usage });
  }

  /** Calls whose arguments are not JSON run nothing: the model is told at once. */
  private refuse(ids: readonly string[]): void {
    const response = { error: 'The arguments are not a JSON object. Call the function again.' };
    this.sendToolResponses(ids.map((id) => ({ id, name: '', response })));
  }

  private onError(error: ForeignObject | undefined): void {
    const [code, message = 'no reason was given'] = [error?.text('code'), error?.text('message')];
    if (code === 'conversation_already_has_active_response') this.isAnswerWanted = true;
    else if (!HARMLESS.has(code)) this.report(failure(`OpenAI: ${this.settings.redact(message)}`));
  }

  /** The API refuses a second response while one is under way. */
  private askForAnswer(): void {
    if (this.answer?.isOpen === true) this.isAnswerWanted = true;
    else this.send({ type: 'response.create' });
  }

  private cancel(): void {
    if (this.answer) this.answer.isCancelled = true;
    this.send({ type: 'response.cancel' });
  }

  private create(item: ConversationItem): void {
    this.send({ type: 'conversation.item.create', item });
  }

  /** Never throws: a socket that is closing drops what it is given. */
  private send(event: RealtimeClientEvent): void {
    if (!this.isClosed) this.socket.send(JSON.stringify(event), ignoreFailure);
  }
}

/** The end of the connection is reported by itself. */
function ignoreFailure(): void {
  // Nothing to add.
}

function failure(message: string): LiveEvent {
  return { kind: 'error', code: 'MODEL_FAILED', message, fatal: false };
}
