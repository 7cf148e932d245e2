/* eslint-disable max-lines -- one line and its connections: what comes first is decided in one place */
import type { Content, Event } from '@adorn/core';
import {
  type Cancellation,
  type ChangedResponses,
  checkLiveSetup,
  Condition,
  describeThrown,
  type EventBody,
  type FunctionResponse,
  type InvocationServices,
  type LiveCapabilities,
  type LiveConnection,
  type LiveEvent,
  LiveInputSource,
  type LiveModality,
  type LiveModel,
  type LiveNotice,
  LiveNotSupportedError,
  type LiveSetup,
  type LiveSignals,
  type LiveToolResponse,
  type LiveTranscription,
  type Replacement,
  startTimer,
} from '@adorn/core/backend';
import type { LiveOutput } from './live-output.js';
import type { LiveRecording } from './live-recording.js';
import { LiveSignalCounter } from './live-signals.js';

/** The settings of a live session that are the same for all its agents. */
export interface LiveLineOptions {
  /** Default: the model of each agent. */
  readonly model?: LiveModel | undefined;
  readonly voice?: string | undefined;
  readonly language?: string | undefined;
  readonly modality: LiveModality;
  readonly transcribe: Partial<LiveTranscription>;
  readonly activity: 'automatic' | 'manual';
  /** Milliseconds for one attempt to connect. */
  readonly connectTimeout: number;
  /** Milliseconds for all attempts to connect after the connection was lost. */
  readonly reconnectLimit: number;
  /** The handle of a connection of an earlier session. */
  readonly resume?: string | undefined;
  /** Answers are held back until their transcripts are checked. */
  readonly holdSpeech?: boolean | undefined;
  /** What a refused answer ends. Default: the session. */
  readonly onTripwire?: 'end' | 'continue' | undefined;
}

/** How far the line had come when something happened: see {@link LiveLine}. */
export interface LinePlace {
  /** The number of the connection, its generation, and the number of handles by then. */
  readonly connection: number;
  readonly generation: number;
  readonly handles: number;
}

/** An event of a connection. */
export interface LiveEventItem extends LinePlace {
  readonly kind: 'event';
  readonly event: LiveEvent;
  /** Its number among all events of the session's connections, from 1. */
  readonly number: number;
  /** Milliseconds of the answer that had been spoken when it arrived. */
  readonly atMs: number;
  /** Milliseconds of the answer that can have been heard by then. */
  readonly playedMs: number;
  /** True if it belongs to an answer that the user has stopped: its speech is not played any more. */
  readonly isMuted: boolean;
}

/** What the agent of a live session handles next, on the control lane: everything that has an event or a response. */
export type LiveItem =
  | LiveEventItem
  /** A text for the model. `isOfUser`: it is stored as a message of the user. */
  | {
      readonly kind: 'text';
      readonly content: Content;
      readonly isOfUser: boolean;
      /** The id of the mail that it comes from. */
      readonly mail?: string | undefined;
      readonly respond: boolean;
    }
  /** Answers to open requests: `take` stores them. */
  | { readonly kind: 'answers'; readonly take: () => Promise<void> }
  /** The connection of this number has to be replaced, unless it was. */
  | { readonly kind: 'reconnect'; readonly connection: number }
  /** The model stays silent after what the user has said. */
  | { readonly kind: 'silence' }
  /** The words of a question that was answered have not been transcribed in time. */
  | { readonly kind: 'overdue' }
  /** A check beside the model has refused a message. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The time that the agent has asked for is over. */
  | { readonly kind: 'timer' }
  /** A call has ended, or something else is to be looked at. */
  | { readonly kind: 'wake' }
  /** The session ends. */
  | { readonly kind: 'close' };

/** Who makes the events of the session: the agent that speaks. */
export interface LiveSpeaker {
  readonly agent: { readonly name: string };
  readonly path: string;
  event(body: EventBody): Event;
}

/** Bytes that may wait in the connection before frames of video are dropped. */
const MAX_BUFFERED = 1024 * 1024;

/** Bytes of memory of whatever waits, beside its content. */
const ENTRY_BYTES = 64;

/** Milliseconds before the end that the provider has announced, at which the connection is replaced at the latest. */
const BEFORE_END_MS = 2_000;

/** Milliseconds after the user's last words in which a model that may stay silent begins to answer. */
const SILENCE_MS = 2_000;

/**
 * The line of a live session to its model, which outlives connections and agents.
 *
 * It has two lanes. Speech and interruptions take the fast lane: they are passed on in the tick in which they arrive, and
 * wait for no promise. Everything else is an item of the control lane, which the agent takes one after another.
 */
export class LiveLine {
  /** What the user sends, for the tools that read it. */
  readonly heard = new LiveInputSource();
  /** The paths of the agents that have spoken. */
  readonly spoken = new Set<string>();
  /** How many connections have been opened. */
  connections = 0;
  /** How often a new connection has begun without the memory of the one before. */
  generation = 0;
  /** The number of handles that the provider has given. */
  handles = 0;
  /** The number of the newest event that a connection has sent. */
  received = 0;
  /** The number of the newest event that an agent has taken. */
  taken = 0;
  /** The number of the handle by which the current connection was continued. */
  resumedFrom = 0;
  private readonly items: LiveItem[] = [];
  private readonly changed = new Condition();
  private connection: LiveConnection | undefined;
  private model: LiveModel | undefined;
  private handle: string | undefined;
  private setup: LiveSetup | undefined;
  private speaker: LiveSpeaker | undefined;
  private isEnding = false;
  private isMuted = false;
  private hasSpeech = false;
  /** News from before the first agent. */
  private readonly early: LiveNotice[] = [];
  private spokenMs = 0;
  private dropped = 0;
  /** Speech that was sent while there was no connection. */
  private readonly waiting: ((connection: LiveConnection) => void)[] = [];
  /** Bytes of the speech in `waiting`, and of the texts in `items`. */
  private waitingBytes = 0;
  private stopGoAway: (() => void) | undefined;
  private stopSilence: (() => void) | undefined;
  private readonly counter: LiveSignalCounter;
  /** Passes a message of the user to the plugins, which may replace it. Absent if none does. */
  onUserMessage: ((message: Content) => Promise<Replacement>) | undefined;
  /** Stores the message of a mail. False if another run has stored it. */
  takeMail: ((mail: string, event: Event) => Promise<boolean>) | undefined;
  /** What the callbacks of the agent that speaks make of results that come from outside. */
  onResponses: ((responses: readonly FunctionResponse[]) => Promise<ChangedResponses>) | undefined;
  /** Saves the speech, if the session is to. */
  recording: LiveRecording | undefined;
  /** Resolves when the model is known, or the session has ended. */
  readonly known: Promise<void>;
  private tellKnown: () => void = ignore;
  /** Called on the fast lane. */
  onCancelled: ((ids: readonly string[]) => void) | undefined;

  constructor(
    readonly options: LiveLineOptions,
    readonly output: LiveOutput,
    private readonly services: Pick<InvocationServices, 'clock' | 'logger'>,
    private readonly cancellation: Cancellation,
  ) {
    this.handle = options.resume;
    this.counter = new LiveSignalCounter(services.clock);
    this.known = new Promise((resolve) => (this.tellKnown = resolve));
  }

  /** True if the session is to end: nothing is sent any more. */
  get isClosing(): boolean {
    return this.isEnding;
  }

  get capabilities(): LiveCapabilities | undefined {
    return this.model?.capabilities;
  }

  /** Bytes of speech and messages that were sent and that the model has not taken yet. */
  get bufferedBytes(): number {
    return this.waitingBytes + (this.connection?.bufferedBytes ?? 0);
  }

  /** How far the line has come. */
  get place(): LinePlace {
    return { connection: this.connections, generation: this.generation, handles: this.handles };
  }

  /** True for the place of the connection that is in use, or of the one that was lost last. */
  isPresent({ connection }: Pick<LinePlace, 'connection'>): boolean {
    return connection === this.connections;
  }

  /** True if the model of the connection knows what happened: there, or before the handle that it was continued by. */
  knows({ connection, generation, handles }: LinePlace): boolean {
    if (generation !== this.generation) return false;
    return connection === this.connections || handles < this.resumedFrom;
  }

  // The session's side.

  sendAudio(chunk: Uint8Array): void {
    if (this.isEnding) return;
    this.hasSpeech = true;
    this.heard.publish({ kind: 'audio', data: chunk });
    this.recording?.add('user', chunk, this.capabilities?.inputRate ?? 16_000);
    if (this.connection) {
      this.connection.sendAudio(chunk);
      return;
    }
    const kept = chunk.slice();
    this.waitFor(kept.byteLength, (connection) => {
      connection.sendAudio(kept);
    });
  }

  endAudio(): void {
    this.whenOpen((connection) => {
      connection.endAudio();
    });
  }

  sendVideo(frame: Uint8Array, mimeType: string): void {
    if (this.isEnding) return;
    this.heard.publish({ kind: 'video', data: frame, mimeType });
    const { connection } = this;
    if (!connection || connection.bufferedBytes > MAX_BUFFERED) {
      this.dropped++;
      if (this.dropped === 1) this.notify({ kind: 'videoDropped', frames: 1 });
      return;
    }
    if (this.dropped > 1) this.notify({ kind: 'videoDropped', frames: this.dropped - 1 });
    this.dropped = 0;
    connection.sendVideo(frame, mimeType);
  }

  sendActivity(activity: 'start' | 'end'): void {
    this.counter.noteActivity(activity);
    this.heard.publish({ kind: 'activity', activity });
    this.whenOpen((connection) => {
      connection.sendActivity(activity);
    });
  }

  /** Stops the answer in the tick of the call. */
  interrupt(): void {
    if (this.isEnding) return;
    if (this.capabilities?.interrupts === true) this.connection?.interrupt(this.output.playedMs);
    this.isMuted = this.spokenMs > 0;
    this.interrupted();
  }

  /** Stops the answer that goes on, and drops the speech that is still to come of it. */
  dropAnswer(): void {
    const isOver = this.items.some((item) => item.kind === 'event' && item.event.kind === 'turnComplete');
    if (isOver) {
      this.stopSpeech();
      return;
    }
    this.interrupt();
    this.isMuted = true;
  }

  /** Stops the speech of an answer that is over. */
  stopSpeech(): void {
    const { speaker } = this;
    this.output.dropAudio();
    if (speaker)
      this.output.push(speaker.event({ author: speaker.agent.name, partial: true, interrupted: true }));
  }

  post(item: LiveItem): void {
    if (this.isEnding) return;
    this.items.push(item);
    this.waitingBytes += sizeOf(item);
    this.changed.notify();
  }

  /** Ends the session: the agent takes what has arrived, and then the end. */
  close(): void {
    this.isEnding = true;
    this.heard.end();
    this.changed.notify();
  }

  // The agent's side.

  /** The next item; `close` if the session was cancelled, or an agent before has taken its end. */
  async next(): Promise<LiveItem> {
    const { cancellation, items } = this;
    await this.changed.until(() => items.length > 0 || this.isEnding || cancellation.isCancelled);
    const item = cancellation.isCancelled ? undefined : items.shift();
    if (!item) return CLOSE;
    this.waitingBytes -= sizeOf(item);
    if (item.kind === 'event') this.taken = item.number;
    return item;
  }

  /** Has `next` give an item again that was not handled. */
  putBack(item: LiveItem): void {
    if (item === CLOSE) return;
    this.items.unshift(item);
    this.waitingBytes += sizeOf(item);
  }

  /** Has `next` look again, because the session was cancelled. */
  cancelled(): void {
    this.close();
  }

  /**
   * Opens a connection for an agent, in place of the one before: by its handle if there is one. An open connection that can
   * be changed, and does not go away, is changed. Speech that was sent meanwhile follows.
   *
   * @param setupOf makes the setup; called again for each attempt
   * @returns `new` if the model knows nothing but the history of the setup
   * @throws the last error of the model
   */
  async connect(
    model: LiveModel,
    speaker: LiveSpeaker,
    setupOf: () => Promise<Omit<LiveSetup, 'resume'>>,
  ): Promise<'new' | 'resumed' | 'updated'> {
    this.speaker = speaker;
    this.spoken.add(speaker.path);
    for (const notice of this.early.splice(0)) this.notify(notice);
    const old = this.connection;
    const first = await setupOf();
    if (old && model === this.model && model.capabilities.updates && !this.isGoingAway) {
      const { instruction, tools, backgroundTools } = first;
      if (isSame(first, this.setup)) return 'updated';
      this.setup = first;
      old.update({ instruction, tools, backgroundTools });
      return 'updated';
    }
    if (this.model && model.name !== this.model.name) this.handle = undefined;
    this.model = model;
    this.tellKnown();
    try {
      return (await this.attempt(model, first, setupOf)) ? 'resumed' : 'new';
    } finally {
      if (old && old !== this.connection) old.close();
    }
  }

  sendToolResponses(responses: readonly LiveToolResponse[]): void {
    this.connection?.sendToolResponses(responses);
  }

  sendContents(contents: readonly Content[], respond: boolean): void {
    this.connection?.sendContents(contents, respond);
  }

  /** Shows news that have no place in the log. */
  notify(live: LiveNotice): void {
    const { speaker } = this;
    if (!speaker) this.early.push(live);
    else this.output.push(speaker.event({ author: speaker.agent.name, partial: true, live }));
  }

  /** True if speech was sent since the last call, and the provider transcribes it. Called for each answer, also to a known question. */
  takeSpeech(): boolean {
    const isTranscribed = this.hasSpeech && this.setup?.transcribe.input === true;
    this.hasSpeech = false;
    return isTranscribed;
  }

  /** Another answer begins. */
  beginAnswer(): void {
    this.spokenMs = 0;
    this.output.beginAnswer();
  }

  /** Closes the connection, and forgets what could continue it. */
  hangUp(): void {
    this.isEnding = true;
    this.tellKnown();
    this.stopGoAway?.();
    this.stopSilence?.();
    const { connection } = this;
    this.connection = undefined;
    connection?.close();
    this.heard.end();
  }

  private whenOpen(send: (connection: LiveConnection) => void): void {
    if (this.isEnding) return;
    if (!this.connection) this.waitFor(0, send);
    else send(this.connection);
  }

  private waitFor(bytes: number, send: (connection: LiveConnection) => void): void {
    this.waitingBytes += bytes + ENTRY_BYTES;
    this.waiting.push((connection) => {
      this.waitingBytes -= bytes + ENTRY_BYTES;
      send(connection);
    });
  }

  private async attempt(
    model: LiveModel,
    first: Omit<LiveSetup, 'resume'>,
    setupOf: () => Promise<Omit<LiveSetup, 'resume'>>,
  ): Promise<boolean> {
    const { clock } = this.services;
    const latest = clock.now() + this.options.reconnectLimit / 1000;
    let setup = first;
    for (let attempts = 1; ; attempts++) {
      // A handle of an earlier session is passed to a model that has none, too: it is refused.
      const isAble = model.capabilities.resumes || !this.hasBegun;
      const resume = isAble && attempts <= 2 ? this.handle : undefined;
      // The connection that is replaced may give another handle meanwhile.
      const { handles } = this;
      try {
        await this.open(model, { ...setup, resume }, handles);
        return resume !== undefined;
      } catch (error) {
        const wait = Math.min(5_000, 250 * 2 ** (attempts - 1));
        const isFirst = !this.hasBegun && (resume === undefined || error instanceof LiveNotSupportedError);
        if (this.isEnding || isFirst || clock.now() + wait / 1000 > latest) throw error;
        if (!this.hasBegun) this.handle = undefined;
        this.services.logger.warn('a live connection could not be opened; it is tried again', {
          model: model.name,
          error: describeThrown(error).message,
        });
        if (!(await this.cancellation.sleep(wait))) throw error;
        setup = await setupOf();
      }
    }
  }

  /** True after the first connection: a session that cannot begin fails at once. */
  private get hasBegun(): boolean {
    return this.setup !== undefined;
  }

  /** @param handles the number of handles by the one that the connection is continued by */
  private async open(model: LiveModel, setup: LiveSetup, handles: number): Promise<void> {
    checkLiveSetup(model, setup);
    if (this.options.holdSpeech === true && setup.modality === 'audio' && !setup.transcribe.output)
      throw new LiveNotSupportedError(model.name, [UNCHECKED]);
    const { signal } = this.cancellation;
    const { logger } = this.services;
    const connection = await model.connect(setup, { signal, timeout: this.options.connectTimeout, logger });
    const isResumed = setup.resume !== undefined;
    this.connections++;
    this.setup = setup;
    this.stopGoAway?.();
    this.stopGoAway = undefined;
    if (isResumed) this.resumedFrom = handles;
    else {
      this.generation++;
      this.handle = undefined;
    }
    this.isMuted = false;
    this.connection = connection;
    this.counter.connected();
    for (const send of this.waiting.splice(0)) send(connection);
    this.notify({ kind: 'connected', model: model.name, resumed: isResumed });
    void this.read(connection, model.capabilities);
  }

  /** Reads a connection until its end. */
  private async read(connection: LiveConnection, capabilities: LiveCapabilities): Promise<void> {
    let reason = 'the connection ended';
    try {
      for await (const event of connection) {
        if (connection !== this.connection) {
          // A connection that was replaced still cancels the calls that it made.
          if (event.kind === 'toolCallCancellation') this.onCancelled?.(event.ids);
          continue;
        }
        if (event.kind === 'closed') {
          reason = event.reason ?? reason;
          break;
        }
        this.arrived(event, capabilities);
      }
    } catch (error) {
      reason = describeThrown(error).message;
    }
    if (connection !== this.connection) return;
    this.connection = undefined;
    if (this.isEnding) return;
    this.notify({ kind: 'disconnected', reason });
    this.post({ kind: 'reconnect', connection: this.connections });
  }

  /** The fast lane. */
  private arrived(event: LiveEvent, { staysSilent, outputRate }: LiveCapabilities): void {
    this.counter.note(event);
    if (staysSilent) this.awaitSilence(event);
    switch (event.kind) {
      case 'audio':
        this.play(event.data, outputRate);
        return;
      case 'interrupted':
        this.reportPlayed();
        this.interrupted();
        return;
      case 'toolCallCancellation':
        this.onCancelled?.(event.ids);
        break;
      case 'resumption':
        this.noteHandle(event.handle);
        break;
      case 'goAway':
        this.goAway(event.timeLeftMs);
        return;
      case 'speech':
        this.heard.publish({ kind: 'activity', activity: event.activity });
        break;
      case 'turnComplete':
        this.isMuted = false;
        this.recording?.endTurn();
        break;
      default:
    }
    this.postEvent(event);
  }

  private postEvent(event: LiveEvent, playedMs = this.output.playedMs): void {
    const number = ++this.received;
    const { isMuted, place, spokenMs: atMs } = this;
    this.post({ kind: 'event', event, number, atMs, playedMs, isMuted, ...place });
  }

  private play(data: Uint8Array, rate: number): void {
    if (this.isMuted) return;
    // An agent has opened the connection.
    const speaker = this.speaker as LiveSpeaker;
    const audioMs = (data.byteLength / 2 / rate) * 1000;
    this.spokenMs += audioMs;
    this.counter.noteSpeech(audioMs);
    const inlineData = { mimeType: `audio/pcm;rate=${String(rate)}`, data: base64(data) };
    const content = { role: 'model', parts: [{ inlineData }] };
    this.output.push(speaker.event({ author: speaker.agent.name, content, partial: true }), audioMs);
    this.recording?.add('model', data, rate);
    if (this.output.isOverfull) this.cancellation.cancel();
  }

  /** Reports how much of an interrupted answer was played: a provider that plays nothing itself does not know. */
  private reportPlayed(): void {
    const { playedMs } = this.output;
    if (this.capabilities?.interrupts === true && playedMs < this.spokenMs)
      this.connection?.interrupt(playedMs);
  }

  private interrupted(): void {
    const { speaker } = this;
    const { playedMs } = this.output;
    this.counter.noteInterruption();
    this.output.dropAudio();
    if (speaker)
      this.output.push(speaker.event({ author: speaker.agent.name, partial: true, interrupted: true }));
    this.postEvent(INTERRUPTED, playedMs);
  }

  /** Ends the turn of the user if the model, which may stay silent, does not begin to answer. */
  private awaitSilence(event: LiveEvent): void {
    const isHeard = event.kind === 'inputTranscript' || (event.kind === 'speech' && event.activity === 'end');
    if (!isHeard && !ENDS_SILENCE.has(event.kind)) return;
    this.stopSilence?.();
    this.stopSilence = undefined;
    if (!isHeard) return;
    this.stopSilence = startTimer(this.services.clock, SILENCE_MS, () => {
      this.post({ kind: 'silence' });
    });
  }

  private noteHandle(handle: string | undefined): void {
    if (handle === undefined) return;
    this.handle = handle;
    this.handles++;
  }

  private goAway(timeLeftMs: number): void {
    this.notify({ kind: 'goAway', timeLeftMs });
    this.stopGoAway?.();
    const { clock } = this.services;
    const { connections: connection } = this;
    this.postEvent({ kind: 'goAway', timeLeftMs });
    this.stopGoAway = startTimer(clock, Math.max(0, timeLeftMs - BEFORE_END_MS), () => {
      this.post({ kind: 'reconnect', connection });
    });
  }

  /** True while the provider's announcement of the end has not led to another connection. */
  get isGoingAway(): boolean {
    return this.stopGoAway !== undefined;
  }

  /** What goes on now. */
  get signals(): LiveSignals {
    const { connection, handle, counter } = this;
    return {
      isConnected: connection !== undefined,
      isResumable: handle !== undefined,
      ...counter.signals,
    };
  }

  /** The newest handle; undefined if the connection cannot be continued. */
  get resumptionHandle(): string | undefined {
    return this.handle;
  }
}

const UNCHECKED = 'no check of speech that is not transcribed (holdSpeech)';

const CLOSE: LiveItem = Object.freeze({ kind: 'close' });
/** The events of an answer, and of a user who goes on. */
const ENDS_SILENCE: ReadonlySet<LiveEvent['kind']> = new Set([
  'audio',
  'text',
  'outputTranscript',
  'toolCall',
  'speech',
  'turnComplete',
]);
const INTERRUPTED: LiveEvent = Object.freeze({ kind: 'interrupted' });

/** The bytes of a text that waits for the agent. What the provider sends is not counted. */
function sizeOf(item: LiveItem): number {
  if (item.kind !== 'text') return 0;
  const { parts = [] } = item.content;
  const sizes = parts.map(({ text = '', inlineData }) => text.length + (inlineData?.data?.length ?? 0));
  return sizes.reduce((sum, size) => sum + size, ENTRY_BYTES);
}

function ignore(): void {
  // Nobody waits for the model yet.
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function isSame(setup: Omit<LiveSetup, 'resume'>, other: LiveSetup | undefined): boolean {
  if (setup.instruction !== other?.instruction) return false;
  return toolsOf(setup) === toolsOf(other);
}

function toolsOf({ tools, backgroundTools }: Pick<LiveSetup, 'tools' | 'backgroundTools'>): string {
  return JSON.stringify([tools, backgroundTools]);
}
