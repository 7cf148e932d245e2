import { AdornError, type Content, type Logger, type Model, type ModelResponse } from '@adorn/core';
import {
  LiveConnection,
  type LiveSetup,
  type LiveSetupChange,
  type LiveToolResponse,
} from '@adorn/core/backend';

import { UtteranceDetector } from './utterance-detector.js';

type Part = NonNullable<Content['parts']>[number];
type FunctionCall = NonNullable<Part['functionCall']>;

interface Surroundings {
  readonly signal: AbortSignal;
  readonly logger: Logger | undefined;
  /** What was said in the next utterance. */
  readonly nextWords: () => string | undefined;
}

/** A conversation with a text model, which is asked again whenever there is something to answer. */
export class TextLiveConnection extends LiveConnection {
  readonly bufferedBytes = 0;
  private setup: LiveSetup;
  private readonly contents: Content[];
  /** Calls without a response; the model is not asked before they have one. */
  private readonly open = new Map<string, FunctionCall>();
  private readonly called = new Map<string, FunctionCall>();
  private responses: Part[] = [];
  /** What was said while calls had no response: it stands behind the responses, as models demand. */
  private said: Content[] = [];
  private isOwed = false;
  private answering: AbortController | undefined;
  private asked = 0;
  private readonly speech: UtteranceDetector;

  constructor(
    private readonly model: Model,
    setup: LiveSetup,
    private readonly surroundings: Surroundings,
  ) {
    super();
    this.setup = setup;
    this.contents = [...setup.history];
    const isManual = setup.activity === 'manual';
    this.speech = new UtteranceDetector({
      isManual,
      begins: () => {
        this.report({ kind: 'speech', activity: 'start' });
        if (this.answering) this.stopAnswer();
      },
      ends: (seconds) => {
        this.report({ kind: 'speech', activity: 'end' });
        this.hear(surroundings.nextWords() ?? `(${seconds.toFixed(1)} s of speech)`);
      },
    });
    surroundings.signal.addEventListener('abort', this.end, { once: true });
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    if (this.isClosed) return;
    (this.hasOpenCalls() ? this.said : this.contents).push(...contents);
    if (respond) this.ask();
  }

  override sendAudio(chunk: Uint8Array): void {
    if (!this.isClosed) this.speech.take(chunk);
  }

  override endAudio(): void {
    if (!this.isClosed) this.speech.end();
  }

  override sendVideo(): void {
    const message = `The model "${this.model.name}" sees no images in a live conversation. Send text or speech.`;
    this.report({ kind: 'error', code: 'LIVE_NOT_SUPPORTED', message, fatal: false });
  }

  override sendActivity(activity: 'start' | 'end'): void {
    if (this.isClosed) return;
    if (activity === 'start') this.speech.begin();
    else this.speech.end();
  }

  /** A result after an acknowledgement stands in the conversation as a call of its own: a text model knows no other. */
  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    if (this.isClosed) return;
    for (const { id, name, response, scheduling } of responses) {
      const part: Part = { functionResponse: { id, name, response: { ...response } } };
      if (this.open.delete(id)) {
        this.responses.push(part);
        continue;
      }
      const functionCall = this.called.get(id) ?? { id, name, args: {} };
      this.contents.push({ role: 'model', parts: [{ functionCall }] }, { role: 'user', parts: [part] });
      if (scheduling !== 'silent') this.ask();
    }
    if (this.hasOpenCalls() || this.responses.length === 0) return;
    this.contents.push({ role: 'user', parts: this.responses }, ...this.said);
    this.responses = [];
    this.said = [];
    this.ask();
  }

  override interrupt(): void {
    this.answering?.abort();
  }

  override update({ instruction, tools, backgroundTools }: LiveSetupChange): void {
    this.setup = { ...this.setup, instruction, tools, backgroundTools };
  }

  override close(): void {
    this.end();
  }

  /** True while calls have no response. */
  private hasOpenCalls(): boolean {
    return this.open.size > 0;
  }

  private readonly end = (): void => {
    this.surroundings.signal.removeEventListener('abort', this.end);
    this.answering?.abort();
    this.report({ kind: 'closed', clean: true });
  };

  private hear(text: string): void {
    this.report({ kind: 'inputTranscript', text, finished: true });
    this.sendContents([{ role: 'user', parts: [{ text }] }], true);
  }

  /** The user speaks while the model answers. */
  private stopAnswer(): void {
    this.answering?.abort();
    this.report({ kind: 'interrupted' });
  }

  /** Has the model answer now, or after the answer that it makes. */
  private ask(): void {
    this.isOwed = true;
    if (!this.answering) void this.answerAll();
  }

  private async answerAll(): Promise<void> {
    while (this.isOwed && !this.hasOpenCalls() && !this.isClosed) {
      this.isOwed = false;
      this.answering = new AbortController();
      await this.answer(this.answering.signal).catch((error: unknown) => {
        if (this.answering?.signal.aborted !== true) this.fail(error);
      });
      if (!this.hasOpenCalls()) this.report({ kind: 'turnComplete' });
      this.answering = undefined;
    }
  }

  private async answer(signal: AbortSignal): Promise<void> {
    const { instruction, tools, config } = this.setup;
    const request = {
      contents: [...this.contents],
      config: { ...config, ...(instruction !== '' && { systemInstruction: instruction }), tools },
      stream: true,
      signal,
      ...(this.surroundings.logger !== undefined && { logger: this.surroundings.logger }),
    };
    let isStreamed = false;
    for await (const response of this.model.generate(request)) {
      signal.throwIfAborted();
      if (response.partial === true) isStreamed = this.say(response) || isStreamed;
      else this.take(response, isStreamed);
    }
  }

  private take(response: ModelResponse, isStreamed: boolean): void {
    if (response.errorCode !== undefined) {
      const { errorCode: code, errorMessage: message = 'The model gave no answer.' } = response;
      this.report({ kind: 'error', code, message, fatal: false });
      return;
    }
    if (!isStreamed) this.say(response);
    const parts = (response.content?.parts ?? []).map((part) => this.withId(part));
    if (parts.length > 0) this.contents.push({ role: 'model', parts });
    if (response.usageMetadata) this.report({ kind: 'usage', usage: response.usageMetadata });
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    for (const call of calls) {
      this.open.set(call.id ?? '', call);
      this.called.set(call.id ?? '', call);
    }
    if (calls.length > 0) this.report({ kind: 'toolCall', calls });
    else this.report({ kind: 'generationComplete' });
  }

  /** @returns true if there was something to say */
  private say({ content }: ModelResponse): boolean {
    const texts = (content?.parts ?? []).filter(({ text = '' }) => text !== '');
    for (const { text = '', thought = false } of texts) {
      if (thought || this.setup.modality === 'text') this.report({ kind: 'text', text, thought });
      else this.report({ kind: 'outputTranscript', text });
    }
    return texts.length > 0;
  }

  /** A call needs an id by which it is answered. */
  private withId(part: Part): Part {
    const { functionCall } = part;
    if (!functionCall) return part;
    const { id = '' } = functionCall;
    if (id !== '' && !this.called.has(id)) return part;
    this.asked++;
    return { ...part, functionCall: { ...functionCall, id: `text-call-${String(this.asked)}` } };
  }

  private fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const code = AdornError.is(error) ? error.code : 'MODEL_FAILED';
    this.report({ kind: 'error', code, message, fatal: false });
  }
}
