import { type ApproverRule, asksOthers } from '../approvals/approver-rule.js';
import type { AuthConfig } from '../auth/auth-config.js';
import type { UnknownArguments } from '@adorn/schema';

/** A tool's side effect; shown to people. A destructive tool asks for confirmation. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** How the calls of a tool are handled; the same for every kind of tool. */
export interface ToolTraits {
  /** The tool's side effect. `destructive` asks for confirmation unless `confirm` is set. */
  readonly effect?: ToolEffect;
  /**
   * Who may answer the confirmations of its calls: the `requester`, `others`, somebody with a role, or what a function of the
   * arguments and `{ requester }` returns. If others are named, each call asks unless `confirm` is set, and no approval
   * covers later calls. Default: the requester, and whom the application names by `by` in the same process.
   */
  readonly approvers?: ApproverRule | ((...args: never[]) => unknown);
  /**
   * What an approval for the session covers: later calls for which the function of the arguments returns the same text as for the
   * approved one, or nothing with `false`. Anything else that it returns covers nothing. Default: all later calls.
   */
  readonly remember?: false | ((...args: never[]) => unknown);
  /** The credential that a call needs: `context.credential` when the tool runs. */
  readonly auth?: AuthConfig | undefined;
  /**
   * True if the tool returns a handle and its result arrives in a later message. The run pauses immediately; with `{
   * announce: true }` the model reads the handle and answers first. Default: false.
   */
  readonly longRunning?: boolean | { readonly announce: boolean };
  /**
   * Answers each call with `{ status: 'running' }` once it has passed the gates, and runs the tool beside the turn: the
   * model goes on, and gets the result when the tool has ended. The agent's run does not end, pause or hand over before.
   * Not for `longRunning` or `sequential` tools. Default: false.
   */
  readonly background?: boolean | BackgroundOptions;
  /**
   * Time limit of a run in milliseconds; `Infinity` for none. Default: 30,000; none for long-running and background
   * tools, and for those that listen (`LiveInput`).
   */
  readonly timeout?: number;
  /**
   * Milliseconds that each check before a run may take: validation, `confirm`, the credential store; and each of the
   * callbacks `beforeTool`, `afterTool` and `onToolError`. `Infinity` waits for ever. Default: 30,000.
   */
  readonly checkTimeout?: number;
  /**
   * Keeps results and answers equal calls with them: equal arguments, keys in any order. A call is still confirmed and
   * authorised first, failures are never kept, and equal calls at the same time share one run. Runs that write state,
   * save artifacts or request actions are not kept. Not for tools with the effect `write` or `destructive`.
   * Default: false.
   */
  readonly cache?: boolean | CacheOptions;
  /**
   * Repeats a run that failed or took too long, up to a number of attempts, the first included. Only for tools with
   * `effect: 'read'` or `idempotent`, unless `unsafe` is set. Not repeated: a final `ToolError`, invalid
   * arguments, a cancelled run. `timeout` applies to each attempt. Default: no retry.
   */
  readonly retry?: number | RetryOptions;
  /**
   * How many calls may start within a period, in this runner; a call beyond the limit fails or waits. Default: no
   * limit.
   */
  readonly rateLimit?: RateLimit;
  /** How many calls may run at a time, in this runner; others wait in order of arrival. Default: no limit. */
  readonly concurrency?: number | ConcurrencyOptions;
  /**
   * True if two runs with the same arguments have the effect of one, so that a run may be repeated after it failed or
   * its process ended. A function decides for each call; only `true` lets it run again: see {@link
   * Tool.isIdempotent}. Default: false.
   */
  readonly idempotent?: boolean | ((...args: never[]) => unknown);
  /**
   * The effect of a call, by a key of the domain: a function of the arguments, such as `(order) => ({ order })`, or `{ key, scope,
   * ttlMs }`. An effect happens once: a later call with the same key, of another turn, session, agent, process or door, gets
   * the first result with `doneBefore`, or is told that the outcome is unknown. A call whose key is undefined has its effect each
   * time. Not for tools with the effect `read`, or `longRunning` ones. Default: each call has its effect.
   */
  readonly once?: ((...args: never[]) => unknown) | OnceOptions;
  /**
   * True if its results contain text from third parties, such as web pages or mail, which may try to steer the model.
   * Once a conversation contains such a result, calls of `sensitive` tools need a confirmation. Default: false.
   */
  readonly untrusted?: boolean;
  /**
   * True if its results hold values that must not leave, such as salaries or passwords. What follows from it is said by rules,
   * such as those of a `DataFlowPlugin`: by default no call of an `outside` tool takes such a value along. Default: false.
   */
  readonly confidential?: boolean;
  /**
   * True if its calls hand their arguments to others than the application and its user: they send mail, post, search the web.
   * For the rules of `confidential` and `untrusted` results. Default: false.
   */
  readonly outside?: boolean;
  /**
   * True if each of its calls needs a confirmation in a conversation that contains untrusted results, because the
   * tool sends data away, spends money or has effects that cannot be undone. Default: false.
   */
  readonly sensitive?: boolean;
  /**
   * When the model of a live session reads what a running call yields: `each` as it comes, the `last` one when a turn of the
   * model ends, or nothing until the call has its result. By text, the model reads the result. Default: `end`.
   */
  readonly tell?: 'each' | 'last' | 'end';
  /** True if its calls must not run in parallel with other calls of the turn. Default: false. */
  readonly sequential?: boolean;
  /** Sends the message of every thrown error to the model. Default: false, only that of a `ToolError`. */
  readonly exposeErrors?: boolean;
  /** What to do with unknown arguments. Default: the setting of the run, which defaults to `refuse`. */
  readonly unknownArguments?: UnknownArguments;
  /** The largest result sent to the model, in bytes of JSON; a larger one is cut and saved as an artifact. Default: 65,536. */
  readonly maxResultBytes?: number;
}

export function isLongRunning({ longRunning = false }: ToolTraits): boolean {
  return longRunning !== false;
}

/** A trait that the rules of data ask for. */
export type ToolLabel = 'untrusted' | 'confidential' | 'outside' | 'sensitive';

const LABELS: readonly ToolLabel[] = ['untrusted', 'confidential', 'outside', 'sensitive'];

/** The labels of a tool, always in the same order. */
export function labelsOf(traits: { readonly [Label in ToolLabel]?: boolean | undefined }): ToolLabel[] {
  return LABELS.filter((label) => traits[label] === true);
}

/** True if somebody else than the requester may have to answer. A function decides for each call. */
export function namesOthers({ approvers }: ToolTraits): boolean {
  if (approvers === undefined) return false;
  return typeof approvers === 'function' || asksOthers([approvers]);
}

/** When the results of a background tool are delivered to the model; undefined for other tools. */
export function schedulingOf({ background = false }: ToolTraits): ResultScheduling | undefined {
  if (background === false) return undefined;
  return background === true ? 'when_idle' : (background.scheduling ?? 'when_idle');
}

/** True if a tool has policies other than its time limit. */
export function declaresPolicies({ cache, retry, rateLimit, concurrency }: ToolTraits): boolean {
  return cache !== undefined || retry !== undefined || rateLimit !== undefined || concurrency !== undefined;
}

/**
 * When a result that came later is delivered: with the next model call (`interrupt`); when the model has answered, in a
 * call of its own (`when_idle`); or without a model call (`silent`): the model reads it in its next one, if there is any.
 */
export type ResultScheduling = 'interrupt' | 'when_idle' | 'silent';

/** The options of `background`. */
export interface BackgroundOptions {
  /** Default: `when_idle`. */
  readonly scheduling?: ResultScheduling;
  /** What models read of the responses to a call. The log keeps the responses themselves. Default: they read these. */
  readonly format?: ResponseFormat;
}

/** A call for a {@link ResponseFormat}. */
export interface FormattedCall {
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** As the model gave them, checked and bound. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What models read of the responses to a call of a background tool. A function that throws hides the response. */
export interface ResponseFormat {
  /** In place of `{ status: 'running' }`. */
  readonly running?: (call: FormattedCall) => Readonly<Record<string, unknown>>;
  /** In place of the result or the error: `response` is `{ result }`, the object that the tool returned, or `{ error }`. */
  readonly result?: (
    call: FormattedCall,
    response: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** In place of the error of a call that was cancelled. */
  readonly cancelled?: (call: FormattedCall) => Readonly<Record<string, unknown>>;
}

/** The options of `once`. */
export interface OnceOptions {
  /** The key of the effect: a text, a number, or an object of them. A function of the arguments. */
  readonly key: (...args: never[]) => unknown;
  /** Where the effect happens once: in one `session`, for one `user`, or in the whole `app`. Default: `app`. */
  readonly scope?: 'session' | 'user' | 'app';
  /** How long it is remembered, in milliseconds since the call; `Infinity`: for ever. Default: `Infinity`. */
  readonly ttlMs?: number;
}

/** What `once` says, with its key under its name; undefined for a tool whose calls each have their effect. */
export function onceOf({ once }: ToolTraits): OnceOptions | undefined {
  return typeof once === 'function' ? { key: once } : once;
}

/** The scope in which results of a cached tool are shared. */
export type CacheScope = 'invocation' | 'session' | 'user' | 'app';

/** The options of `cache`. */
export interface CacheOptions {
  /**
   * Which calls share a result: those of one run (`invocation`), one `session`, one `user`, or the whole `app`.
   * Default: `session`. Calls with a credential never share results between users.
   */
  readonly scope?: CacheScope;
  /** How long a result is used, in milliseconds; `Infinity`: until the runner closes. Default: 300,000. */
  readonly ttlMs?: number;
  /**
   * The maximum number of results; the least recently used ones are dropped first. Default: 1,000. In total at most
   * 16 MiB of JSON.
   */
  readonly maxEntries?: number;
}

/** The options of `retry`. */
export interface RetryOptions {
  /** The number of attempts, including the first; at least 2. */
  readonly attempts: number;
  /**
   * Milliseconds before the second attempt, doubled for each further one, and randomly shortened by up to half.
   * Default: 500.
   */
  readonly delayMs?: number;
  /** The longest delay in milliseconds. Default: 30,000. */
  readonly maxDelayMs?: number;
  /** True to retry a tool that is neither `effect: 'read'` nor `idempotent`: its effect may happen twice. Default: false. */
  readonly unsafe?: boolean;
}

/** The scope in which calls of a limited tool are counted. */
export type LimitScope = 'user' | 'app';

/** The options of `rateLimit`. */
export interface RateLimit {
  /** How many calls may start within `perMs`; at least 1. */
  readonly calls: number;
  /** The length of the window in milliseconds. */
  readonly perMs: number;
  /** Whether calls are counted per `user`, or for the whole `app`. Default: `app`. */
  readonly scope?: LimitScope;
  /**
   * Milliseconds that a call waits for its turn. A call that would wait longer fails at once, and the model reads when
   * to try again. Default: 0.
   */
  readonly maxWaitMs?: number;
}

/** The options of `concurrency`. */
export interface ConcurrencyOptions {
  /** How many calls may run at a time; at least 1. Others wait in order of arrival. */
  readonly calls: number;
  /** Whether the calls of each `user` are counted apart, or all calls of the `app` together. Default: `app`. */
  readonly scope?: LimitScope;
  /** How many calls may wait; further ones fail immediately. Default: 1,000. */
  readonly maxQueue?: number;
}
