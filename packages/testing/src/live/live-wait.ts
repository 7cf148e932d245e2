import type { LiveReader } from './live-reader.js';
import type { LiveSent, LiveStep } from './live-step.js';
import type { ScriptedLiveConnection } from './scripted-live-connection.js';

/** A wait at which the script of a live model stands. */
export class LiveWait {
  /** Resolves when it is met, or when the connection has closed. */
  readonly end: Promise<void>;
  private readonly sentBefore: number;
  private left: number;

  constructor(
    private readonly step: Extract<LiveStep, { kind: 'until' }>,
    readonly connection: ScriptedLiveConnection,
  ) {
    const counted = step.isContinued === true ? connection.sent.filter((sent) => step.isMet(sent)).length : 0;
    this.sentBefore = step.isContinued === true ? 0 : connection.sent.length;
    this.left = Math.max(0, step.times - counted);
    this.end = this.isMet ? Promise.resolve() : connection.untilSent((sent) => this.count(sent), this.left);
  }

  /** False if the connection has closed before. */
  get isMet(): boolean {
    return this.left === 0;
  }

  /** What the next connection has to wait for, if this one has closed before. */
  get rest(): LiveStep {
    return { ...this.step, times: this.left, isContinued: true };
  }

  /** What it waits for and what was sent, as sentences. */
  get text(): string {
    const { sent } = this.connection;
    return (
      `The scripted live model waits for ${this.step.what}, ${String(this.left)} more of ${String(this.step.times)}. ` +
      `Sent since then: ${listOf(sent.slice(this.sentBefore))}. Sent before, which does not count: ` +
      `${listOf(sent.slice(0, this.sentBefore))}.`
    );
  }

  private count(sent: LiveSent): boolean {
    const isMet = this.step.isMet(sent);
    if (isMet) this.left--;
    return isMet;
  }
}

/** A wait of the script for what the session does. */
export class LiveReadWait {
  /** Resolves to true when it is met, to false when it cannot be: the session has ended, or a condition has thrown. */
  readonly end: Promise<boolean>;
  private isFollowed = false;
  private fault: string | undefined;

  constructor(
    private readonly step: Extract<LiveStep, { kind: 'untilRead' }>,
    session: Promise<LiveReader>,
  ) {
    this.end = this.readTo(session);
  }

  /** What it waits for, and what hinders it, as sentences. */
  get text(): string {
    const waits = `The scripted live model waits for ${this.step.what}.`;
    if (this.fault !== undefined) return `${waits} ${this.fault}`;
    return this.isFollowed
      ? waits
      : `${waits} It reads no session: call model.follow(live) behind runner.live.`;
  }

  private async readTo(session: Promise<LiveReader>): Promise<boolean> {
    const reader = await session;
    this.isFollowed = true;
    try {
      await this.step.read(reader);
      return true;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      return false;
    }
  }
}

/** `audio ×3, text "Hello", response to c1`; pieces of one kind in a row are counted. */
function listOf(sent: readonly LiveSent[]): string {
  const runs: { word: string; times: number }[] = [];
  for (const word of sent.map(wordOf)) {
    const last = runs.at(-1);
    if (last?.word === word) last.times++;
    else runs.push({ word, times: 1 });
  }
  if (runs.length === 0) return 'nothing';
  return runs.map(({ word, times }) => (times === 1 ? word : `${word} ×${String(times)}`)).join(', ');
}

function wordOf(sent: LiveSent): string {
  if (sent.kind === 'text') return `${sent.respond ? 'text' : 'context'} ${JSON.stringify(sent.text)}`;
  return sent.kind === 'response' ? `response to ${sent.response.id}` : sent.kind;
}
