import type { IncomingHttpHeaders } from 'node:http';

import type { WebSocket } from 'ws';

import { LiveScriptLeftOverError } from './errors.js';
import type { HeardMessage, LiveJson } from './live-message.js';
import type { FaultStep, LiveWireStep, SayingStep } from './live-step.js';
import { LiveClosing, type LiveDialect, type LiveFrame } from './live-wire.js';

/** The steps of one connection. */
export type LiveSteps = Iterable<LiveWireStep> | AsyncIterable<LiveWireStep>;

/** One connection to a live emulator. */
export interface LiveEmulatorConnection {
  /** The path with its query, as it was asked for, the key among it. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Every message of the client, in order. */
  readonly heard: readonly HeardMessage[];
  /** All audio of the client, joined. */
  readonly audio: Buffer;
  /** Code and reason of the end; undefined while the connection is open. 1006: it was torn down. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
}

/** Plays a script on one WebSocket. */
export class LiveConversation implements LiveEmulatorConnection {
  readonly heard: HeardMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  private socket: WebSocket | undefined;
  private next = 0;
  private audioBytes = 0;
  private audioTaken = 0;
  private readonly waiters = new Set<() => void>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    readonly path: string,
    readonly headers: IncomingHttpHeaders,
    private readonly number: number,
    private readonly dialect: LiveDialect,
  ) {}

  get audio(): Buffer {
    return Buffer.concat(this.heard.flatMap((message) => (message.kind === 'audio' ? message.bytes : [])));
  }

  /** Plays the steps; rejects if the connection ends before the last of them. */
  async play(socket: WebSocket, steps: LiveSteps): Promise<void> {
    this.listen(socket);
    for (const json of this.dialect.greeting()) this.send(json);
    let number = 0;
    for await (const step of fromSetup(steps)) {
      number += 1;
      if (!(await this.take(step)) && !endsConnection(step))
        throw new LiveScriptLeftOverError(this.number, number, waitOf(step));
    }
  }

  /** Ends the connection, if it has not ended. */
  async hangUp(): Promise<void> {
    this.forgetTimers();
    if (!this.socket) return;
    this.socket.terminate();
    await this.until(() => false);
  }

  private listen(socket: WebSocket): void {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.receive(data);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.forgetTimers();
      this.wake();
    });
    socket.on('error', () => socket.terminate());
  }

  private receive(data: Buffer): void {
    const { heard, replies } = this.dialect.read(parse(data));
    for (const message of heard) {
      this.heard.push(message);
      if (message.kind === 'audio') this.audioBytes += message.bytes.length;
    }
    for (const reply of replies) this.send(reply);
    this.wake();
  }

  /** True once the step has been played; false if the connection has ended. */
  private async take(step: LiveWireStep): Promise<boolean> {
    switch (step.kind) {
      case 'setup':
        if (!(await this.hears(({ kind }) => kind === 'setup'))) return false;
        return step.isAccepted ? this.sendAll(this.dialect.accept()) : true;
      case 'hear':
        return this.hears(step.isHeard);
      case 'hearResults':
        return this.hearsResults(new Set(step.ids));
      case 'hearAudio':
        return this.hearsAudio(step.bytes);
      case 'pause':
        return this.sleep(step.ms);
      case 'twice':
      case 'backwards':
      case 'late':
      case 'cut':
      case 'drop':
      case 'close':
      case 'refuse':
      case 'ignore':
        return this.misbehave(step);
      default:
        return this.say(step);
    }
  }

  private async say(step: SayingStep): Promise<boolean> {
    if (!(await this.until(() => this.dialect.maySay(step)))) return false;
    return this.sendAll(this.dialect.frames(step));
  }

  private async misbehave(step: FaultStep): Promise<boolean> {
    switch (step.kind) {
      case 'twice':
        return this.sendAll((await this.framesOf(step.steps)).flatMap((frame) => [frame, frame]));
      case 'backwards':
        return this.sendAll((await this.framesOf(step.steps)).reverse());
      case 'late':
        this.after(step.ms, () => void this.framesOf(step.steps).then((frames) => this.sendAll(frames)));
        return true;
      case 'cut':
        return this.cut(await this.framesOf([step.step]));
      case 'close':
        return this.sendAll([new LiveClosing(step.code, step.reason)]);
      default:
        this.socket?.terminate();
        return true;
    }
  }

  private async framesOf(steps: readonly SayingStep[]): Promise<LiveFrame[]> {
    const frames: LiveFrame[] = [];
    for (const step of steps)
      if (await this.until(() => this.dialect.maySay(step))) frames.push(...this.dialect.frames(step));
    return frames;
  }

  private async hears(isHeard: (message: HeardMessage) => boolean): Promise<boolean> {
    return this.until(() => {
      while (this.next < this.heard.length) {
        const message = this.heard[this.next];
        this.next += 1;
        if (message && isHeard(message)) return true;
      }
      return false;
    });
  }

  private hearsResults(missing: Set<string>): Promise<boolean> {
    return this.hears((message) => {
      if (message.kind !== 'results') return false;
      for (const { id = '' } of message.results) missing.delete(id);
      return missing.size === 0;
    });
  }

  private async hearsAudio(bytes: number): Promise<boolean> {
    if (!(await this.until(() => this.audioBytes - this.audioTaken >= bytes))) return false;
    this.audioTaken += bytes;
    return true;
  }

  /** True once the condition holds; false if the connection ends before. */
  private async until(isTrue: () => boolean): Promise<boolean> {
    while (!isTrue()) {
      if (this.closed) return false;
      await new Promise<void>((resolve) => this.waiters.add(resolve));
    }
    return true;
  }

  private wake(): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const resume of waiters) resume();
  }

  private async sleep(ms: number): Promise<boolean> {
    let isOver = false;
    this.after(ms, () => {
      isOver = true;
      this.wake();
    });
    return this.until(() => isOver);
  }

  private after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }

  private forgetTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private sendAll(frames: readonly LiveFrame[]): boolean {
    for (const frame of frames) this.send(frame);
    return this.closed === undefined;
  }

  private send(frame: LiveFrame): void {
    if (frame instanceof LiveClosing) this.socket?.close(frame.code, frame.reason);
    else if (this.socket?.readyState === 1)
      this.socket.send(toBytes(frame), { binary: this.isBinary(frame) });
  }

  private isBinary(frame: LiveFrame): boolean {
    return frame instanceof Uint8Array || (typeof frame !== 'string' && this.dialect.isBinary);
  }

  /** The first half of the last message is a fragment, so the client gets none of it. */
  private cut(frames: readonly LiveFrame[]): boolean {
    this.sendAll(frames.slice(0, -1));
    const last = frames.at(-1);
    if (last === undefined || last instanceof LiveClosing) return false;
    const bytes = toBytes(last);
    const { socket } = this;
    socket?.send(bytes.subarray(0, Math.ceil(bytes.length / 2)), { fin: false }, () => {
      socket.terminate();
    });
    return true;
  }
}

/** The steps, with the acceptance of the setup before them unless they begin with it. */
async function* fromSetup(steps: LiveSteps): AsyncGenerator<LiveWireStep, void, undefined> {
  let isFirst = true;
  for await (const step of steps) {
    if (isFirst && step.kind !== 'setup') yield { kind: 'setup', isAccepted: true };
    isFirst = false;
    yield step;
  }
  if (isFirst) yield { kind: 'setup', isAccepted: true };
}

function toBytes(frame: Exclude<LiveFrame, LiveClosing>): Buffer {
  if (frame instanceof Uint8Array) return Buffer.from(frame);
  return Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame));
}

function parse(data: Buffer): LiveJson {
  try {
    return JSON.parse(data.toString('utf8')) as LiveJson;
  } catch {
    return { malformed: data.toString('utf8') };
  }
}

function endsConnection({ kind }: LiveWireStep): boolean {
  return kind === 'close' || kind === 'failure';
}

function waitOf(step: LiveWireStep): string | undefined {
  switch (step.kind) {
    case 'setup':
      return 'the setup';
    case 'hear':
      return step.what;
    case 'hearResults':
      return `responses to ${step.ids.length === 0 ? 'a call' : step.ids.join(', ')}`;
    case 'hearAudio':
      return `${String(step.bytes)} bytes of audio`;
    default:
      return undefined;
  }
}
