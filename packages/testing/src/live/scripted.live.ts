import type { Clock, Event, Logger } from '@adorn/core';
import {
  type LiveCapabilities,
  type LiveConnectOptions,
  type LiveConnection,
  LiveModel,
  type LiveSetup,
  SystemClock,
} from '@adorn/core/backend';

import { ScriptLeftOverError } from '../scripted/errors.js';
import { LiveLog } from './live-log.js';
import { LiveReader, type LiveReaderOptions } from './live-reader.js';
import type { LiveStep } from './live-step.js';
import { LiveReadWait, LiveWait } from './live-wait.js';
import { ScriptedLiveConnection } from './scripted-live-connection.js';

/**
 * A live model that plays a script, for tests of spoken conversations. One script is played across all connections: what
 * follows a drop is played on the next one.
 *
 * The script misbehaves as it is told: it drops and delays, reports events twice or in another order, cancels calls, and
 * makes calls of one id. A test may also report events itself (`connection.emit`).
 *
 * @example
 * const model = new ScriptedLive(untilText(), callsLive('balance_of', { account: '7' }, 'c1'), untilResponse('c1'), speaks('10 dollars.'));
 * await using live = runner.live({ userId: 'ada', model });
 */
export class ScriptedLive extends LiveModel {
  readonly name = 'scripted-live';
  readonly capabilities: LiveCapabilities;
  /** The connections in the order in which they were opened. */
  readonly connections: ScriptedLiveConnection[] = [];
  /** Measures the pauses of the script; tests may replace it by the clock of their runner. */
  clock: Clock = new SystemClock();
  private readonly steps: Exclude<LiveStep, readonly LiveStep[]>[];
  private isPlaying = false;
  /** True if a wait cannot be met any more. */
  private isStuck = false;
  private played = 0;
  /** The wait at which the script stands. */
  private waiting: LiveWait | LiveReadWait | undefined;
  private beginToRead: (session: LiveReader) => void = () => undefined;
  /** What the script reads of the session, once it follows one. */
  private readonly session = new Promise<LiveReader>((resolve) => (this.beginToRead = resolve));

  constructor(...steps: readonly LiveStep[]) {
    super();
    this.capabilities = ABLE;
    this.steps = flat(steps);
  }

  /** The same script with other capabilities. */
  static able(capabilities: Partial<LiveCapabilities>, ...steps: readonly LiveStep[]): ScriptedLive {
    const model = new ScriptedLive(...steps);
    Object.assign(model, { capabilities: { ...ABLE, ...capabilities } });
    return model;
  }

  /** The newest connection. @throws if there is none */
  get connection(): ScriptedLiveConnection {
    const newest = this.connections.at(-1);
    if (!newest) throw new Error('The scripted live model has no connection yet.');
    return newest;
  }

  /**
   * Reads a session for the script, whose `untilState` and `untilYield` wait for what it does, and for the test.
   *
   * @param live the session that has this model
   * @param options those of the reader. Default of `hint`: what the script waits for
   * @returns a reader for the test, which does not iterate `live`
   * @throws {OptionInvalidError}
   */
  follow(live: AsyncIterable<Event>, options: LiveReaderOptions = {}): LiveReader {
    const log = new LiveLog(live);
    const reader = new LiveReader(log, { hint: () => this.waiting?.text, ...options });
    this.beginToRead(new LiveReader(log, { timeout: Infinity }));
    return reader;
  }

  override async connect(setup: LiveSetup, { signal, logger }: LiveConnectOptions): Promise<LiveConnection> {
    signal.throwIfAborted();
    await Promise.resolve();
    const [first] = this.steps;
    if (isRefusal(first)) {
      this.steps.shift();
      throw first.error;
    }
    const connection = new ScriptedLiveConnection(setup, signal);
    this.connections.push(connection);
    void this.play(connection, logger ?? console);
    return connection;
  }

  /** @throws {ScriptLeftOverError} if steps are left; it says for what the script waits, and what was sent */
  assertDone(): void {
    if (this.steps.length > 0)
      throw new ScriptLeftOverError(String(this.steps.length), this.played, this.waiting?.text);
  }

  private async play(connection: ScriptedLiveConnection, logger: Pick<Logger, 'warn'>): Promise<void> {
    if (this.isPlaying) return;
    this.isPlaying = true;
    try {
      while (!this.isStuck && !connection.isClosed && this.steps.length > 0 && !isRefusal(this.steps[0])) {
        await this.take(connection, logger);
      }
    } finally {
      this.isPlaying = false;
    }
    if (connection !== this.connections.at(-1)) await this.play(this.connection, logger);
  }

  private async take(connection: ScriptedLiveConnection, logger: Pick<Logger, 'warn'>): Promise<void> {
    const step = this.steps.shift();
    this.played++;
    if (typeof step === 'function') {
      const next = await step(connection);
      if (next) this.steps.unshift(...flat(next));
    } else if (step?.kind === 'until') await this.waitFor(step, connection, logger);
    else if (step?.kind === 'untilRead') await this.readTo(step, logger);
    else if (step?.kind === 'pause') await this.pause(step.milliseconds);
    else if (step && step.kind !== 'refuse') connection.emit(step);
  }

  /** A wait that the end of its connection has cut short goes on at the next one. */
  private async waitFor(
    step: Extract<LiveStep, { kind: 'until' }>,
    connection: ScriptedLiveConnection,
    logger: Pick<Logger, 'warn'>,
  ): Promise<void> {
    const wait = new LiveWait(step, connection);
    await this.standAt(wait, logger);
    if (wait.isMet) this.waiting = undefined;
    else this.putBack(wait.rest);
  }

  private async readTo(
    step: Extract<LiveStep, { kind: 'untilRead' }>,
    logger: Pick<Logger, 'warn'>,
  ): Promise<void> {
    this.isStuck = !(await this.standAt(new LiveReadWait(step, this.session), logger));
    if (this.isStuck) this.putBack(step);
    else this.waiting = undefined;
  }

  private putBack(step: LiveStep): void {
    this.steps.unshift(...flat(step));
    this.played--;
  }

  /** Warns once if nothing has come for a while: a script that waits for what was sent before would hang without a word. */
  private async standAt<Met>(
    wait: { readonly end: Promise<Met> } & (LiveWait | LiveReadWait),
    logger: Pick<Logger, 'warn'>,
  ): Promise<Met> {
    this.waiting = wait;
    const timer = setTimeout(() => logger.warn(wait.text), QUIET_MS).unref();
    const met = await wait.end;
    clearTimeout(timer);
    return met;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.clock.after) setTimeout(resolve, milliseconds);
      else this.clock.after(milliseconds, resolve);
    });
  }
}

/** How long a script waits before it says so, in milliseconds. */
const QUIET_MS = 5000;

/** Everything that a live model can do. */
const ABLE: LiveCapabilities = Object.freeze({
  modalities: ['audio', 'text'],
  inputs: ['text', 'audio', 'video', 'activity'],
  inputRate: 16_000,
  outputRate: 24_000,
  transcribes: ['input', 'output'],
  resumes: true,
  updates: false,
  asyncCalls: true,
  interrupts: true,
  voices: true,
  providerTools: ['googleSearch', 'codeExecution', 'urlContext'],
} as const);

function flat(step: LiveStep): Exclude<LiveStep, readonly LiveStep[]>[] {
  return isList(step) ? step.flatMap(flat) : [step];
}

function isList(step: LiveStep): step is readonly LiveStep[] {
  return Array.isArray(step);
}

function isRefusal(step: LiveStep | undefined): step is Extract<LiveStep, { kind: 'refuse' }> {
  return step !== undefined && 'kind' in step && step.kind === 'refuse';
}
