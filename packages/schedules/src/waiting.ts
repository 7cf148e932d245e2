import { setTimeout as pause } from 'node:timers/promises';

import { AdornError, type JsonSchema, type Runner, ToolContext } from '@adorn/core';
import {
  checkOptions,
  type InboxRequest,
  isObject,
  OBJECT,
  OptionInvalidError,
  type OptionRules,
  type PrincipalInput,
  secondsIn,
  TEXT,
} from '@adorn/core/backend';

import { SignalNotAwaitedError } from './errors.js';

/** The role of whoever answers what waits for a time or a signal. People do not have it, so they are not asked. */
const ROLE = 'adorn:signal';

/** How often what sleeps is looked at, in milliseconds. */
const INTERVAL_MS = 1_000;

/**
 * Has a tool wait for a time: the run pauses, and holds no process. Then the tool runs again from its start, and this returns at once.
 * Sleep before the first effect, or make what stands before it `idempotent`: it runs twice. {@link wakeSleepers} has to be under way
 * somewhere.
 *
 * ```ts
 * @tool({ effect: 'write' })
 * async remind(order: string, context: ToolContext): Promise<void> {
 *   await sleep(context, '2d');
 *   await this.mails.send(`Order ${order} waits for you.`);
 * }
 * ```
 *
 * @param time a whole number with `s`, `m`, `h` or `d`, such as `2d`
 * @throws {ToolPausedError} until the time is over: do not catch it
 * @throws {AdornError} `OPTION_INVALID` for no time, and for another context than that of a running tool
 */
export async function sleep(context: ToolContext, time: string): Promise<void> {
  requireTool('sleep', context);
  if (timeIn(time) === undefined)
    throw new OptionInvalidError(
      'sleep',
      `the time is ${JSON.stringify(time)}`,
      "Pass a whole number with s, m, h or d: '2d'.",
    );
  await context.requestInput({
    message: `Sleeps for ${time}.`,
    payload: { sleep: time },
    approvers: { role: ROLE },
  });
}

/** The options of `waitFor`. */
export interface WaitForOptions {
  /** The JSON Schema of the value. Default: anything. */
  readonly schema?: JsonSchema;
}

const WAIT_FOR: OptionRules<WaitForOptions> = { schema: OBJECT };

/**
 * Has a tool wait for a signal: the run pauses, and holds no process. Then the tool runs again from its start, and this returns the
 * value with which {@link signal} was called.
 *
 * @param name names the signal in the conversation, such as `payment`
 * @throws {ToolPausedError} until the signal is there: do not catch it
 * @throws {AdornError} `OPTION_INVALID` for no name, and for another context than that of a running tool
 */
export async function waitFor<Value = unknown>(
  context: ToolContext,
  name: string,
  options: WaitForOptions = {},
): Promise<Value> {
  checkOptions('waitFor', options, WAIT_FOR);
  requireTool('waitFor', context);
  if (typeof name !== 'string' || name === '')
    throw new OptionInvalidError('waitFor', 'the name is no text', "Pass the name of a signal: 'payment'.");
  const request = {
    message: `Waits for the signal ${name}.`,
    payload: { signal: name },
    approvers: { role: ROLE },
  };
  const { schema } = options;
  return context.requestInput<Value>(schema === undefined ? request : { ...request, schema });
}

/** A conversation that waits for a signal. */
export interface SignalAddress {
  readonly userId: string;
  readonly sessionId: string;
}

/** The options of `signal`. */
export interface SignalOptions {
  /** The id of the signal: sent again under it, it does nothing. For a webhook, the id of its delivery. Default: a new one. */
  readonly id?: string;
}

const SIGNAL: OptionRules<SignalOptions> = { id: TEXT };

/**
 * Answers what waits for a signal in a conversation, the oldest first, and continues its run. When this returns, the run has ended, or
 * waits for something else.
 *
 * @param value what `waitFor` returns, as JSON
 * @throws {SignalNotAwaitedError} if nothing in the conversation waits for it. A webhook that fails then is delivered again
 * @throws {AdornError} `ANSWER_INVALID` if the value does not fit the schema: it waits on; `INVOCATION_ACTIVE` while the same signal,
 *   by its id, is on its way in this process
 */
export async function signal(
  runner: Runner<unknown>,
  address: SignalAddress,
  name: string,
  value: unknown = null,
  options: SignalOptions = {},
): Promise<void> {
  checkOptions('signal', options, SIGNAL);
  const { id } = options;
  const isKnown = async (): Promise<boolean> => id !== undefined && (await isStored(runner, address, id));
  if (await isKnown()) return;
  const pending = await runner.pending({ userId: address.userId, sessionId: address.sessionId });
  const request = pending.find(
    ({ kind, payload }) => kind === 'input' && fieldOf(payload, 'signal') === name,
  );
  if (!request) throw new SignalNotAwaitedError(name, address.sessionId);
  try {
    await runner.supply(request, value, {
      by: signaller(`signal:${name}`, request.requester?.tenant),
      channel: 'signal',
      invocationId: id,
    });
  } catch (error) {
    // The same signal was sent twice at once, to two processes.
    if (!isNotPending(error) || !(await isKnown())) throw error;
  }
}

/** True if a signal has been stored: its id is that of the run that it continued. */
async function isStored(
  { sessions, appName }: Runner<unknown>,
  { userId, sessionId }: SignalAddress,
  id: string,
): Promise<boolean> {
  const session = await sessions.getSession({ appName, userId, sessionId });
  return session?.events.some(({ invocationId }) => invocationId === id) === true;
}

function isNotPending(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'REQUEST_NOT_PENDING';
}

/** What wakes up what sleeps, until it is closed. */
export interface Waking extends AsyncDisposable {
  close(): Promise<void>;
}

/** After so many looks at what is new, all open requests are read: the clock of a process that asked may be behind. */
const LOOKS_BETWEEN_READS = 60;

/**
 * Continues the runs whose `sleep` is over, in whatever conversations of the application, within about a second. Any number of
 * processes may do so. The open requests are the timers, so nothing is lost by a restart.
 */
export function wakeSleepers(runner: Runner<unknown>, now = (): number => Date.now() / 1_000): Waking {
  const closing = new AbortController();
  const hasEnded = (): boolean => closing.signal.aborted;
  const sleepers = new Sleepers(runner);
  const watch = async (): Promise<void> => {
    for (let looks = 0; !hasEnded(); looks++) {
      // A store that does not answer is asked again.
      await sleepers.look(looks % LOOKS_BETWEEN_READS === 0).catch(noop);
      if (hasEnded()) return;
      sleepers.wake(now());
      await rest(closing.signal);
    }
  };
  const watching = watch();
  const close = async (): Promise<void> => {
    closing.abort();
    await watching;
  };
  return { close, [Symbol.asyncDispose]: close };
}

/** The open requests of an application that sleep. */
class Sleepers {
  private readonly asleep = new Map<string, InboxRequest>();
  private readonly waking = new Set<string>();
  /** Where the last page begins, as far as the list was read. */
  private lastPage: string | undefined;

  constructor(private readonly runner: Runner<unknown>) {}

  /** Reads the requests that are new: the list has the oldest first. */
  async look(isWhole: boolean): Promise<void> {
    if (isWhole) this.lastPage = undefined;
    for (;;) {
      const { requests, next } = await this.runner.inbox({ after: this.lastPage });
      for (const request of requests)
        if (timeOf(request) !== undefined) this.asleep.set(keyOf(request), request);
      if (next === undefined) return;
      this.lastPage = next;
    }
  }

  /** Continues the runs that have slept long enough. */
  wake(now: number): void {
    for (const [key, request] of this.asleep)
      if (!this.waking.has(key) && now >= (timeOf(request) ?? Infinity)) {
        this.waking.add(key);
        void this.wakeUp(key, request);
      }
  }

  /** If another process was faster there is nothing to do; a run that fails says so in its log. */
  private async wakeUp(key: string, request: InboxRequest): Promise<void> {
    const by = signaller('timer', request.requester?.tenant);
    try {
      await this.runner.supply(request, null, { by, channel: 'timer' });
      this.asleep.delete(key);
    } catch (error) {
      if (isNotPending(error)) this.asleep.delete(key);
    } finally {
      this.waking.delete(key);
    }
  }
}

function keyOf({ userId, sessionId, id }: InboxRequest): string {
  return JSON.stringify([userId, sessionId, id]);
}

/** When a request has slept long enough, in seconds since 1970. Undefined if it does not sleep. */
function timeOf({ kind, payload, askedAt }: InboxRequest): number | undefined {
  const seconds = kind === 'input' ? timeIn(fieldOf(payload, 'sleep')) : undefined;
  return seconds === undefined ? undefined : askedAt + seconds;
}

/** Of the tenant of the requester: nobody of another one may answer. */
function signaller(id: string, tenant: string | undefined): PrincipalInput {
  const by = { id, roles: [ROLE] };
  return tenant === undefined ? by : { ...by, tenant };
}

/** Undefined for what is no whole number of seconds, minutes, hours or days. */
function timeIn(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,6}[smhd]$/.test(text) ? secondsIn(text) : undefined;
}

function fieldOf(payload: unknown, name: string): unknown {
  return isObject(payload) && Object.hasOwn(payload, name)
    ? (payload as Record<string, unknown>)[name]
    : undefined;
}

function requireTool(what: string, context: unknown): void {
  if (context instanceof ToolContext) return;
  throw new OptionInvalidError(
    what,
    'the context is not that of a tool',
    'Only a tool can wait here: pass its ToolContext. A composite asks by context.requestInput.',
  );
}

/** Ends early if the signal aborts. */
async function rest(signal: AbortSignal): Promise<void> {
  await pause(INTERVAL_MS, undefined, { signal, ref: false }).catch(noop);
}

function noop(): void {
  // The next look is a second later.
}
