import type { Event, PendingRequest, Runner } from '@adorn/core';
import type { LiveRunInput, LiveSession } from '@adorn/core/backend';

import { verdictOf } from '../chat/confirmations.js';
import type { ChatInput } from '../chat/chat-input.js';
import { renderEvent } from '../chat/render-event.js';
import type { Screen } from '../chat/screen.js';
import { inDeclaredOrder, wholeCall } from '../chat/whole-call.js';
import type { Player } from './recorders.js';

/** How a live conversation is held in a terminal. */
export interface LiveChatOptions {
  readonly session: LiveRunInput;
  /** The messages that are written, and the answers to questions. */
  readonly input: ChatInput;
  readonly screen: Screen;
  /** Speech to send instead of messages, at a number of samples per second. */
  readonly speech?: ((rate: number) => AsyncIterable<Uint8Array>) | undefined;
  /** Plays the speech of the model. Default: it is only shown as text. */
  readonly player?: Player | undefined;
  /** Called with each stored event. */
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Milliseconds without an event after which a spoken conversation has ended. Default: 1,500. */
  readonly quietMs?: number;
}

/** What came of a live conversation. */
export interface LiveChatOutcome {
  /** The number of events with an error, and of failures of the microphone. */
  readonly faults: number;
}

/**
 * Holds a live conversation: messages are written, or speech is sent. What is said is shown when it is stored, calls and
 * results as they come, and questions are asked.
 *
 * @throws what ends the session: a store that fails
 */
export async function liveChat(runner: Runner<unknown>, options: LiveChatOptions): Promise<LiveChatOutcome> {
  const live = runner.live(options.session);
  const chat = new LiveChat(runner, live, options);
  const reading = chat.read();
  try {
    await chat.untilBegun();
    await (options.speech ? chat.speak(options.speech) : chat.write());
  } finally {
    await live.close();
    await reading;
    options.player?.stop();
    options.screen.rest();
  }
  return { faults: chat.faults };
}

/** Milliseconds in which an agent that greets begins to do so. */
const GREETING_MS = 200;

class LiveChat {
  faults = 0;
  private readonly asked = new Set<string>();
  private readonly questions: PendingRequest[] = [];
  private isConnected = false;
  private isAnswering = false;
  private isOver = false;
  private turns = 0;
  private last = performance.now();
  private wake: () => void = () => undefined;

  constructor(
    private readonly runner: Runner<unknown>,
    private readonly live: LiveSession,
    private readonly options: LiveChatOptions,
  ) {}

  async read(): Promise<void> {
    try {
      for await (const event of this.live) await this.take(event);
    } finally {
      this.isOver = true;
      this.wake();
    }
  }

  /** Waits for the connection, and for the greeting if there is one. */
  async untilBegun(): Promise<void> {
    await this.until(() => this.isConnected);
    await this.until(() => this.isAnswering, GREETING_MS);
    await this.until(() => !this.isAnswering);
  }

  /** Sends one message after another, each when the answer to the one before has ended. */
  async write(): Promise<void> {
    const { input, screen } = this.options;
    if (input.isInteractive)
      screen.note('The conversation is open. Write, Ctrl-C stops an answer, /quit leaves.');
    for (;;) {
      await this.settleQuestions();
      if (this.isOver || (!input.isInteractive && this.faults > 0)) return;
      const message = (await input.readMessage())?.trim();
      if (message === undefined || message === '/quit') return;
      if (message !== '') await this.answered(() => this.live.sendText(message));
    }
  }

  /** Sends speech until it ends, and waits for what follows. */
  async speak(speech: (rate: number) => AsyncIterable<Uint8Array>): Promise<void> {
    const stop = this.options.input.onInterrupt(() => void this.live.close());
    const sending = this.live.sendAudio(speech(this.live.inputRate));
    const sent = { isOver: false };
    void sending.then(() => (sent.isOver = true));
    const { quietMs = 1_500 } = this.options;
    for (;;) {
      await this.until(() => this.questions.length > 0, quietMs);
      await this.settleQuestions();
      if (this.isOver || (sent.isOver && performance.now() - this.last >= quietMs)) break;
    }
    stop();
  }

  private async answered(send: () => void): Promise<void> {
    const { turns, faults } = this;
    const stop = this.options.input.onInterrupt(() => {
      this.live.interrupt();
    });
    send();
    await this.until(() => this.turns > turns || this.faults > faults);
    stop();
  }

  /** Asks each open question. One without an answer stays open. */
  private async settleQuestions(): Promise<void> {
    for (let request = this.questions.shift(); request; request = this.questions.shift())
      await this.settle(request);
  }

  private async settle(request: PendingRequest): Promise<void> {
    const { input, screen } = this.options;
    const { tool, args, hint } = request;
    screen.lines([{ tone: 'question', text: `? ${(hint?.trim() ?? '') || `Run ${tool}?`}` }]);
    const call = wholeCall(tool, inDeclaredOrder(this.runner.root, tool, args), screen.width - 2);
    screen.lines(call.map((text) => ({ tone: 'question', text: `  ${text}` })));
    for (;;) {
      const verdict = verdictOf((await input.readAnswer('  y/n › ')) ?? 'no');
      if (verdict.kind === 'unclear') continue;
      await this.answered(() => {
        const reason = verdict.kind === 'no' ? verdict.reason : undefined;
        const options = reason === undefined ? {} : { reason };
        const sent = verdict.kind === 'yes' ? this.live.approve(request) : this.live.reject(request, options);
        sent.catch((error: unknown) => {
          this.fail(error instanceof Error ? error.message : String(error));
        });
      });
      return;
    }
  }

  private async take(event: Event): Promise<void> {
    const { player } = this.options;
    if (event.live?.kind !== 'connected') this.last = performance.now();
    if (event.audio) player?.play(event.audio, this.live.outputRate);
    if (event.interrupted === true) player?.stop();
    this.note(event);
    if (!event.partial) this.options.onEvent?.(event);
    if (!event.partial) this.show(event);
    if (event.pending.length > 0) await this.collectQuestions();
    if (event.author !== 'user' && event.turnComplete) {
      this.isAnswering = false;
      this.turns++;
    }
    this.wake();
  }

  private note({ live, partial, author, text, outputTranscription }: Event): void {
    if (partial && author !== 'user' && (text !== '' || outputTranscription)) this.isAnswering = true;
    if (live?.kind === 'connected') this.isConnected = true;
    if (live?.kind === 'takenOver') this.options.screen.note('(the conversation goes on elsewhere)');
    if (live?.kind === 'disconnected') this.options.screen.note(`(${live.reason}; connecting again)`);
    if (live?.kind === 'inputFailed') this.fail(live.message);
  }

  private show(event: Event): void {
    const { screen, speech } = this.options;
    if (event.errorCode !== undefined && event.errorCode !== 'CANCELLED') this.faults++;
    if (event.author === 'user' && event.text !== '' && speech)
      screen.lines([{ tone: 'note', text: `› ${event.text}` }]);
    screen.lines(renderEvent(event, { width: screen.width }));
  }

  private fail(text: string): void {
    this.faults++;
    this.options.screen.lines([{ tone: 'failure', text: `✗ ${text}` }]);
    this.wake();
  }

  private async collectQuestions(): Promise<void> {
    const { userId = 'user', sessionId = '' } = this.options.session;
    for (const request of await this.runner.pending({ userId, sessionId })) {
      if (this.asked.has(request.id)) continue;
      this.asked.add(request.id);
      if (request.kind === 'confirmation') this.questions.push(request);
      else
        this.options.screen.note(
          `${request.tool} needs a ${request.kind}, which this conversation cannot provide.`,
        );
    }
  }

  /** Waits until something holds, the session has ended, or so many milliseconds have passed. */
  private async until(isMet: () => boolean, milliseconds?: number): Promise<void> {
    const limit = { isOver: false };
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => {
            limit.isOver = true;
            this.wake();
          }, milliseconds);
    while (!isMet() && !this.isOver && !limit.isOver)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    clearTimeout(timer);
  }
}
