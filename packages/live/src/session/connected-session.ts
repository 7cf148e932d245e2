import type { Content, Event, InvocationContext, Message, PendingRequest, RunResult } from '@adorn/core';
import {
  type AgentNode,
  type AnswerOptions,
  type ApproveOptions,
  Cancellation,
  type ChangedResponses,
  describeThrown,
  type EventSink,
  type FunctionResponse,
  type LiveInputSource,
  type LiveRunOutput,
  LiveSession,
  type LiveSignals,
  type LiveStart,
  LlmAgentNode,
  type OpenSession,
  type PendingRequestData,
  type Performed,
  RunConfigInvalidError,
  type RunOfSession,
  shown,
  toUserContent,
} from '@adorn/core/backend';
import { LiveLine } from '../line/live-line.js';
import { LiveRecording } from '../line/live-recording.js';
import { LiveOutput } from '../line/live-output.js';
import { createResampler, type Resampler } from '../line/resampler.js';
import { lineOptionsOf } from './line-options.js';

/** A session, with the line to its model. */
export class ConnectedSession extends LiveSession implements OpenSession {
  readonly invocationId: string;
  readonly cancellation: Cancellation;
  readonly line: LiveLine;
  private readonly output: LiveOutput;
  /** All events but the pieces. */
  private readonly events: Event[] = [];
  private readonly ending: Promise<RunResult<unknown>>;
  /** Resolves when the events that were emitted are shown. */
  private shown: Promise<void> = DONE;
  /** By the rate that they convert. */
  private readonly resamplers = new Map<number, Promise<Resampler>>();
  /** Undefined until the run has its session. */
  private run: RunOfSession | undefined;

  constructor({ invocationId, input, services, run }: LiveStart) {
    super();
    const options = lineOptionsOf(input);
    this.invocationId = invocationId;
    this.cancellation = new Cancellation(services.clock);
    this.output = new LiveOutput(services.clock, options.holdSpeech);
    this.line = new LiveLine(options, this.output, services, this.cancellation);
    if (input.saveAudio === true) this.line.recording = new LiveRecording();
    this.ending = this.begin(run);
    this.ending.catch((error: unknown) => {
      services.logger.error('a live session failed', { invocationId, error });
    });
  }

  get inputRate(): number {
    return this.line.capabilities?.inputRate ?? 16_000;
  }

  get outputRate(): number {
    return this.line.capabilities?.outputRate ?? 24_000;
  }

  get bufferedBytes(): number {
    return this.line.bufferedBytes;
  }

  get resumptionHandle(): string | undefined {
    return this.line.resumptionHandle;
  }

  get signals(): LiveSignals {
    return this.line.signals;
  }

  get ended(): Promise<RunResult<unknown>> {
    this.output.detach();
    return this.ending;
  }

  sendText(message: Message): void {
    const content = toUserContent(message);
    this.line.post({ kind: 'text', content, isOfUser: true, respond: true });
  }

  sendAudio(
    speech: Uint8Array | AsyncIterable<Uint8Array>,
    { rate }: { readonly rate?: number } = {},
  ): Promise<void> {
    if (rate !== undefined) requireRate(rate);
    if (!(speech instanceof Uint8Array)) return this.pump(speech, rate);
    if (rate !== undefined) return this.sendAt(rate, speech.slice());
    this.line.sendAudio(speech);
    return DONE;
  }

  endAudio(): void {
    this.line.endAudio();
  }

  sendVideo(frame: Uint8Array, mimeType = 'image/jpeg'): void {
    this.line.sendVideo(frame, mimeType);
  }

  sendActivity(activity: 'start' | 'end'): void {
    this.line.sendActivity(activity);
  }

  interrupt(): void {
    this.line.interrupt();
  }

  steer(text: string): void {
    this.line.post({ kind: 'text', content: toUserContent(text), isOfUser: false, respond: false });
  }

  prompt(text: string): void {
    this.line.post({ kind: 'text', content: toUserContent(text), isOfUser: false, respond: true });
  }

  approve(request: PendingRequest | PendingRequestData, options: ApproveOptions = {}): Promise<void> {
    return this.deliver(async () => this.run?.approve(request, options));
  }

  reject(
    request: PendingRequest | PendingRequestData,
    options: AnswerOptions & { readonly reason?: string } = {},
  ): Promise<void> {
    return this.deliver(async () => this.run?.reject(request, options));
  }

  supply(
    request: PendingRequest | PendingRequestData,
    value: unknown,
    options: AnswerOptions = {},
  ): Promise<void> {
    return this.deliver(async () => this.run?.supply(request, value, options));
  }

  async close(): Promise<void> {
    this.line.close();
    this.output.detach();
    await this.ending.catch(ignore);
  }

  cancel(): void {
    this.cancellation.cancel();
  }

  [Symbol.asyncIterator](): AsyncIterator<Event, void, undefined> {
    return {
      next: async () => {
        const step = await this.output.next();
        if (step.done === true) await this.ending;
        return step;
      },
      return: () => Promise.resolve({ done: true, value: undefined }),
    };
  }

  /** Stores an event. Events are shown in the order in which they were emitted, however long a store takes for one. */
  private readonly emit: LiveRunOutput['emit'] = (event, store) => {
    const before = this.shown;
    const showing = this.showAfter(before, store(event));
    this.shown = before.then(() => showing).catch(ignore);
    return showing;
  };

  private async showAfter(before: Promise<void>, storing: Promise<Event>): Promise<void> {
    const [event] = await Promise.all([storing, before]);
    if (!event.partial) this.events.push(event);
    this.output.push(event);
    if (this.output.isOverfull) this.cancellation.cancel();
  }

  private async begin(run: LiveStart['run']): Promise<RunResult<unknown>> {
    const { cancellation, emit, events, line } = this;
    const cancelled = (): void => {
      line.cancelled();
    };
    try {
      return await run(this, { cancellation, events, emit, cancelled });
    } finally {
      line.hangUp();
      this.output.end();
      for (const resampler of this.resamplers.values()) resampler.then(close, ignore);
      await line.recording?.saved();
    }
  }

  /** Converts speech of another rate, once the model has said which it hears. Chunks keep their order. */
  private async sendAt(rate: number, chunk: Uint8Array): Promise<void> {
    await this.line.known;
    const { inputRate, line } = this;
    if (line.isClosing) return;
    let resampler = this.resamplers.get(rate);
    if (!resampler && rate !== inputRate)
      this.resamplers.set(rate, (resampler = createResampler(rate, inputRate)));
    line.sendAudio((await resampler)?.convert(chunk) ?? chunk);
  }

  private async pump(speech: AsyncIterable<Uint8Array>, rate: number | undefined): Promise<void> {
    try {
      for await (const chunk of speech) {
        if (this.line.isClosing) return;
        if (rate === undefined) this.line.sendAudio(chunk);
        else await this.sendAt(rate, chunk);
      }
      this.line.endAudio();
    } catch (error) {
      this.line.notify({ kind: 'inputFailed', message: describeThrown(error).message });
    }
  }

  // The runner's side.

  get heard(): LiveInputSource {
    return this.line.heard;
  }

  get spoken(): ReadonlySet<string> {
    return this.line.spoken;
  }

  get isClosing(): boolean {
    return this.line.isClosing;
  }

  connect(run: RunOfSession): void {
    const { line } = this;
    this.run = run;
    line.recording?.begin((name, part) => run.saveSpeech(name, part));
    line.onUserMessage = run.onUserMessage;
    line.takeMail = (mail, event) => run.takeMail(mail, event);
  }

  async perform(agent: AgentNode, context: InvocationContext, sink: EventSink): Promise<Performed> {
    if (!(agent instanceof LlmAgentNode)) throw new TypeError('Only an LLM agent speaks in a live session.');
    const { runLiveTurns } = await import('../turns/live-turns.js');
    return runLiveTurns(agent.openTurn(context, sink), this.line);
  }

  async changeResponses(responses: readonly FunctionResponse[]): Promise<ChangedResponses | undefined> {
    return this.line.onResponses?.(responses);
  }

  postMessage(message: Content, mail?: string): void {
    this.line.post({ kind: 'text', content: message, isOfUser: true, respond: true, mail });
  }

  takenOver(): void {
    this.line.notify({ kind: 'takenOver' });
    this.line.close();
  }

  deliver(store: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = async (): Promise<void> => {
        try {
          await store();
          resolve();
        } catch (error) {
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- thrown by a store
          reject(error);
        }
      };
      if (this.line.isClosing) take().catch(ignore);
      else this.line.post({ kind: 'answers', take });
    });
  }
}

const DONE = Promise.resolve();

/** Of the converter, and far beyond what speech needs. */
const RATES = { least: 1_000, most: 384_000 };

function requireRate(rate: unknown): void {
  const { least, most } = RATES;
  if (Number.isInteger(rate) && (rate as number) >= least && (rate as number) <= most) return;
  const cure = `Pass the samples per second of the speech, a whole number from ${String(least)} to ${String(most)}.`;
  throw new RunConfigInvalidError(`live.sendAudio: rate is ${shown(rate)}. ${cure}`);
}

function close(resampler: Resampler): void {
  resampler.close();
}

function ignore(): void {
  // The error is that of the session, which `ended` rejects with.
}
