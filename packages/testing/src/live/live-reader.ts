import type { Event } from '@adorn/core';
import { checkOptions, FUNCTION, isSameJson, type OptionRules, POSITIVE } from '@adorn/core/backend';

import { conversationText } from '../matchers/conversation-text.js';
import { StepNotReachedError } from '../runner/errors.js';

/** The options of a `LiveReader`. */
export interface LiveReaderOptions {
  /** How long each wait takes at most, in milliseconds of real time. Default: 4,000, which is less than a test of Jest may take. */
  readonly timeout?: number;
  /** What the error of a wait says besides the conversation. Default: nothing. */
  readonly hint?: () => string | undefined;
}

const RULES: OptionRules<LiveReaderOptions> = { timeout: POSITIVE, hint: FUNCTION };

/**
 * Reads the events of a live session up to what a test waits for. Each wait reads on from where the one before has ended, so waits
 * stand in the order in which things happen.
 *
 * The session has one reader: a test that uses this one takes events from `events`, and does not iterate the session.
 * `ScriptedLive.follow` gives one whose session its script reads, too.
 *
 * @example
 * await using live = runner.live({ userId: 'ada', model });
 * const call = new LiveReader(live);
 * await call.toConnected();
 * live.sendText('Hello?');
 * expect((await call.toTurnEnd()).text).toBe('Good day.');
 */
export class LiveReader {
  /** The events that were read, the pieces included. */
  readonly events: Event[] = [];
  private readonly source: AsyncIterator<Event>;
  private readonly timeout: number;
  private readonly hint: () => string | undefined;
  /** What the events that were read have written. */
  private readonly state: Record<string, unknown> = {};
  /** The event that was requested, also by a wait that was too long. */
  private requested: Promise<IteratorResult<Event>> | undefined;

  /**
   * @param live a session of `runner.live`
   * @throws {OptionInvalidError}
   */
  constructor(live: AsyncIterable<Event>, options: LiveReaderOptions = {}) {
    checkOptions('LiveReader', options, RULES);
    const { timeout = TIMEOUT_MS, hint = () => undefined } = options;
    this.source = live[Symbol.asyncIterator]();
    this.timeout = timeout;
    this.hint = hint;
  }

  /**
   * Reads to an event.
   *
   * @param isMet Default: true for any event
   * @param what the words of the error for what is waited for. Default: `such an event`
   * @throws {StepNotReachedError} if the session ends before, or does not come to it within `timeout`
   */
  async toEvent(isMet: (event: Event) => boolean = () => true, what = 'such an event'): Promise<Event> {
    const late = this.late();
    try {
      for (;;) {
        const event = await this.next(what, late.promise);
        if (isMet(event)) return event;
      }
    } finally {
      late.clear();
    }
  }

  /** Reads to the notice that the model is connected: the first time, after a loss, or with another phase. @throws {StepNotReachedError} */
  toConnected(): Promise<Event> {
    return this.toEvent(({ live }) => live?.kind === 'connected', 'a connection');
  }

  /** Reads to the end of a turn of the model. The event has the text of what it said last. @throws {StepNotReachedError} */
  toTurnEnd(): Promise<Event> {
    return this.toEvent(isTurnEnd, 'the end of a turn');
  }

  /**
   * Reads to what a tool yields while it runs. @returns the event, whose `functionResponses` have it
   *
   * @param tool the tool's name, such as `listen`. Default: any tool
   * @throws {StepNotReachedError}
   */
  toYield(tool?: string): Promise<Event> {
    const what = tool === undefined ? 'a yield' : `a yield of ${tool}`;
    return this.toEvent((event) => isYieldOf(event, tool), what);
  }

  /**
   * Reads until the session has written a value to the state. Returns at once if what was read has written it already.
   *
   * @param key with its prefix, such as `mood` or `user:tier`
   * @param wanted the value, or a function that is true for it. Default: any value but null
   * @returns the value
   * @throws {StepNotReachedError}
   */
  async toState(key: string, wanted?: unknown): Promise<unknown> {
    const isMet = (): boolean => isWanted(this.state[key], wanted);
    if (!isMet()) await this.toEvent(isMet, wordsOf(key, wanted));
    return this.state[key];
  }

  private async next(what: string, late: Promise<'late'>): Promise<Event> {
    this.requested ??= this.source.next();
    const step = await Promise.race([this.requested, late]);
    if (step === 'late') throw this.notReached(what, this.timeout);
    this.requested = undefined;
    if (step.done === true) throw this.notReached(what);
    this.events.push(step.value);
    Object.assign(this.state, step.value.actions.stateDelta);
    return step.value;
  }

  private notReached(what: string, waitedMs?: number): StepNotReachedError {
    const parts = [this.hint(), conversationText({ events: this.events, pending: [] })];
    return new StepNotReachedError(what, parts.filter((part) => part !== undefined).join('\n\n'), waitedMs);
  }

  private late(): { readonly promise: Promise<'late'>; readonly clear: () => void } {
    let timer: NodeJS.Timeout | undefined;
    const promise = new Promise<'late'>((resolve) => {
      if (this.timeout === Infinity) return;
      timer = setTimeout(() => {
        resolve('late');
      }, this.timeout);
    });
    return {
      promise,
      clear: () => {
        clearTimeout(timer);
      },
    };
  }
}

const TIMEOUT_MS = 4_000;

/** A turn of which no word is known ends with a piece. */
function isTurnEnd({ author, turnComplete }: Event): boolean {
  return author !== 'user' && turnComplete;
}

function isYieldOf({ partial, functionResponses }: Event, tool: string | undefined): boolean {
  return partial && functionResponses.some(({ name }) => tool === undefined || name === tool);
}

/** A key that was removed has the value null. */
function isWanted(value: unknown, wanted: unknown): boolean {
  if (isCondition(wanted)) return wanted(value);
  return wanted === undefined ? value !== undefined && value !== null : isSameJson(value, wanted);
}

function isCondition(wanted: unknown): wanted is (value: unknown) => boolean {
  return typeof wanted === 'function';
}

function wordsOf(key: string, wanted: unknown): string {
  if (wanted === undefined) return `a value of state.${key}`;
  return `state.${key} ${isCondition(wanted) ? wanted.toString() : JSON.stringify(wanted)}`;
}
