import { type Message, toUserContent } from '../../events/content-parts.js';
import type { Content } from '../../events/genai-types.js';
import { describeThrown, shown } from '@adorn/schema';
import type { Event } from '../../events/event.js';
import type { SessionKey } from '../../events/session.js';
import type { Principal } from '../../approvals/principal.js';
import type { PendingRequest, PendingRequestData } from '../../events/pending-request.js';
import { Cancellation } from '../../run/cancellation.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import { RunConfigInvalidError } from '../../run/run-config.js';
import { LiveLine, type LiveLineOptions } from '../../run/live/live-line.js';
import type { LiveSignals } from '../../run/live/live-signals.js';
import { LiveRecording } from '../../run/live/live-recording.js';
import { LiveOutput } from '../../run/live/live-output.js';
import { createResampler, type Resampler } from '../../run/live/resampler.js';
import type { Execute, RunHandle } from '../begin/active-run.js';
import {
  type AnswerOptions,
  type ApproveOptions,
  decisionInput,
  supplyInput,
} from '../answers/answer-input.js';
import { resultOf, type RunResult } from '../run.js';
import type { RunStartInput } from '../begin/run-input.js';

/**
 * A live conversation: one run that stays open. What is sent goes to the model at once, also while tools run; what comes
 * back is iterated as the events of a text run.
 *
 * ```ts
 * await using live = runner.live({ userId: 'ada', sessionId: 'call-7' });
 * live.sendAudio(microphone()); // PCM16, mono, at live.inputRate
 * for await (const event of live) {
 *   if (event.audio) speaker.play(event.audio);
 *   if (event.interrupted) speaker.stop();
 * }
 * ```
 *
 * Pieces (speech, transcripts as they grow) are `partial` and never stored. The transcripts of a turn are stored as its
 * text. The session does not wait for its reader; one that leaves 20,000 events unread cancels it. Stopping to iterate ends
 * nothing: iterate again for what follows. `close`, or the end of the block, ends the session.
 */
export class LiveSession implements AsyncIterable<Event> {
  /** The cancellation of the session's run. */
  readonly cancellation: Cancellation;
  /** @internal */
  readonly line: LiveLine;
  private readonly output: LiveOutput;
  /** All events but the pieces. */
  private readonly events: Event[] = [];
  private readonly ending: Promise<RunResult<unknown>>;
  /** Resolves when the events that were emitted are shown. */
  private shown: Promise<void> = DONE;
  /** By the rate that they convert. */
  private readonly resamplers = new Map<number, Promise<Resampler>>();
  /** @internal */
  answering: ((input: RunStartInput) => Promise<void>) | undefined;
  /** @internal */
  key: SessionKey | undefined;
  /**
   * Who has opened the session.
   *
   * @internal
   */
  speaker: Principal | undefined;

  constructor(
    /** The id of the session's one run. */
    readonly invocationId: string,
    options: LiveLineOptions,
    execute: (live: LiveSession) => Execute,
    services: Pick<InvocationServices, 'clock' | 'logger'>,
    savesAudio = false,
  ) {
    this.cancellation = new Cancellation(services.clock);
    this.output = new LiveOutput(services.clock, options.holdSpeech);
    this.line = new LiveLine(options, this.output, services, this.cancellation);
    if (savesAudio) this.line.recording = new LiveRecording();
    this.ending = this.begin(execute(this));
    this.ending.catch((error: unknown) => {
      services.logger.error('a live session failed', { invocationId, error });
    });
  }

  /** Samples per second of the speech to send; 16,000 until the model is known. */
  get inputRate(): number {
    return this.line.capabilities?.inputRate ?? 16_000;
  }

  /** Samples per second of the speech that the model answers with; 24,000 until the model is known. */
  get outputRate(): number {
    return this.line.capabilities?.outputRate ?? 24_000;
  }

  /**
   * Bytes of speech and messages that were sent and that the model has not taken, because it is not connected yet or takes
   * them slowly. Speech is never dropped: who passes on what others send reads this, and refuses more.
   */
  get bufferedBytes(): number {
    return this.line.bufferedBytes;
  }

  /** The handle by which the provider could continue this conversation, for `resume`; undefined while it could not. */
  get resumptionHandle(): string | undefined {
    return this.line.resumptionHandle;
  }

  /** What goes on now: who speaks, for how long, how much is left. Reading it costs nothing; ask as often as you show it. */
  get signals(): LiveSignals {
    return this.line.signals;
  }

  /** Resolves to the result of the session when it has ended. Rejects if a store, or code around the agents, has failed. */
  get ended(): Promise<RunResult<unknown>> {
    this.output.detach();
    return this.ending;
  }

  /** Sends a message of the user. It is stored first. */
  sendText(message: Message): void {
    const content = toUserContent(message);
    this.line.post({ kind: 'text', content, isOfUser: true, respond: true });
  }

  /**
   * Sends speech: PCM16, mono, little-endian. Speech that is sent while there is no connection follows later.
   *
   * @param options `rate`: samples per second of the speech; another one than `inputRate` is converted, by the package
   *   `@alexanderolsen/libsamplerate-js`. Default: `inputRate`
   * @returns for a stream, when it has ended; the model is then told that the microphone is off
   * @throws {RunConfigInvalidError} at once, for a rate that is no whole number from 1,000 to 384,000
   * @throws {ResamplerMissingError} for a chunk of another rate, without that package
   */
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

  /** Says that the microphone is off: the model does not wait for more speech. */
  endAudio(): void {
    this.line.endAudio();
  }

  /** Sends an image of a video. It is dropped if the connection does not take it: see the notice `videoDropped`. */
  sendVideo(frame: Uint8Array, mimeType = 'image/jpeg'): void {
    this.line.sendVideo(frame, mimeType);
  }

  /** Says that the user begins or ends to speak, with `activity: 'manual'`. */
  sendActivity(activity: 'start' | 'end'): void {
    this.line.sendActivity(activity);
  }

  /** Stops the answer of the model: an event `interrupted`, at once, and what was not played is dropped. */
  interrupt(): void {
    this.line.interrupt();
  }

  /** Has the model read a text with whatever follows. It is not stored. */
  steer(text: string): void {
    this.line.post({ kind: 'text', content: toUserContent(text), isOfUser: false, respond: false });
  }

  /** Has the model answer a text that is no message of the user. It is not stored. */
  prompt(text: string): void {
    this.line.post({ kind: 'text', content: toUserContent(text), isOfUser: false, respond: true });
  }

  /**
   * Approves a call of an agent that has spoken, also of an earlier run, or of an agent that it runs as a tool: the call runs,
   * and the model gets its result. Rejects like `runner.approve`, and with `RequestOfOtherAgentError`.
   */
  approve(request: PendingRequest | PendingRequestData, options: ApproveOptions = {}): Promise<void> {
    return this.answer(() => decisionInput('approve', this.own(request), options));
  }

  /** Rejects a request of this session. */
  reject(
    request: PendingRequest | PendingRequestData,
    options: AnswerOptions & { readonly reason?: string } = {},
  ): Promise<void> {
    return this.answer(() => decisionInput('reject', this.own(request), options));
  }

  /** Supplies what a call of this session waits for. */
  supply(
    request: PendingRequest | PendingRequestData,
    value: unknown,
    options: AnswerOptions = {},
  ): Promise<void> {
    return this.answer(() => supplyInput(this.own(request), value, options));
  }

  /** A request of `event.pending` does not name its session: it is this one. */
  private own(request: PendingRequest | PendingRequestData): PendingRequest {
    const { sessionId } = Object(request) as Partial<PendingRequest>;
    if (sessionId !== undefined) return request as PendingRequest;
    return { ...(request as PendingRequest), ...this.key };
  }

  /** Ends the session: what has arrived is stored, tools are stopped, the connection is closed. Resolves when it has ended. */
  async close(): Promise<void> {
    this.line.close();
    this.output.detach();
    await this.ending.catch(ignore);
  }

  /** Ends the session with an event `CANCELLED`. */
  cancel(): void {
    this.cancellation.cancel();
  }

  /** Calls `close`, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Iterates the events of the session, for one reader. */
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
  private readonly emit: RunHandle['emit'] = (event, store) => {
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

  private async begin(execute: Execute): Promise<RunResult<unknown>> {
    const { invocationId, cancellation, emit, line } = this;
    const cancelled = (): void => {
      line.cancelled();
    };
    const run = {
      invocationId,
      cancellation,
      emit,
      cancelled,
      hasStopped: false,
      detach: ignore,
      interrupt: ignore,
    };
    cancellation.add(run);
    // Whoever created the session may send and iterate first.
    await DONE;
    try {
      const place = await execute(run);
      return await resultOf<unknown>(this.events, place);
    } finally {
      this.line.hangUp();
      this.output.end();
      for (const resampler of this.resamplers.values()) resampler.then(close, ignore);
      await this.line.recording?.saved();
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

  /**
   * Takes an answer of `runner.approve`, `reject` or `supply`.
   *
   * @internal
   */
  deliver(input: RunStartInput): Promise<void> {
    return this.answer(() => input);
  }

  /**
   * Takes a message that was sent by `runner.run` while the session is open, or by `runner.send`.
   *
   * @internal
   */
  postMessage(message: Content, mail?: string): void {
    this.line.post({ kind: 'text', content: message, isOfUser: true, respond: true, mail });
  }

  /**
   * Ends the session for another one of the same conversation.
   *
   * @internal
   */
  takenOver(): void {
    this.line.notify({ kind: 'takenOver' });
    this.line.close();
  }

  private answer(inputOf: () => RunStartInput): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = async (): Promise<void> => {
        try {
          await this.answering?.(inputOf());
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
