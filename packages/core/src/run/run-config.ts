import {
  AdornError,
  shownName,
  type UnknownArguments,
  optionNames,
  suggestName,
  unknownOption,
} from '@adorn/schema';
import type { Budget } from './budget.js';

/** The settings of a run. */
export interface RunConfig {
  /** Maximum number of model calls of an invocation, including sub-agents. Default: 500. */
  readonly maxLlmCalls?: number;
  /** Maximum number of transfers between agents. Default: 25. */
  readonly maxTransfers?: number;
  /** Maximum number of consecutive answers with only invalid calls, on each branch. Default: 5. */
  readonly maxInvalidCalls?: number;
  /**
   * Maximum number of calls in one answer of a model. The calls above it are answered with the error `TOOL_CALL_LIMIT`: they
   * do not run, and nobody is asked about them. Default: 100.
   */
  readonly maxCallsPerAnswer?: number;
  /** Maximum number of calls of a turn that run in parallel. Default: 8. */
  readonly toolConcurrency?: number;
  /**
   * The time limit of a call, in milliseconds, of tools without a `timeout` of their own; not of long-running and background
   * tools, and of those that listen (`LiveInput`). `Infinity` waits for ever. Default: 30,000.
   */
  readonly toolTimeout?: number;
  /** What to do with unknown arguments, unless the tool states it. Default: `refuse`. */
  readonly unknownArguments?: UnknownArguments;
  /** `sse` yields the pieces of an answer as they arrive. Default: `none`. */
  readonly streaming?: 'none' | 'sse';
  /** Which agent gets the next message: the agent that answered last, or the root. Default: `last`. */
  readonly resumeAt?: 'last' | 'root';
  /** Yields all events of agents that run as tools. Default: false, only their requests to a person. */
  readonly showToolAgents?: boolean;
  /**
   * While another run is active in the session: `queue` waits for it, `refuse` throws `INVOCATION_ACTIVE`.
   * Default: `queue`.
   */
  readonly whileActive?: 'queue' | 'refuse';
  /**
   * A message whose `invocationId` the session's log has already: `run` runs it as another message of that invocation,
   * `refuse` throws `INVOCATION_REPEATED`, so that what is sent twice runs once. Default: `run`.
   */
  readonly whenRepeated?: 'run' | 'refuse';
  /**
   * Milliseconds after which a run of another process in the session is presumed dead if its process has not renewed its
   * hold, as a living process does every second: until then `whileActive` applies to it, then the new run takes the session
   * over. At least 3,000 count; 0 takes the session over at once. In a store that records no holds: milliseconds without an
   * event. Default: 5,000.
   */
  readonly takeOverAfter?: number;
  /**
   * Milliseconds after which an approval expires: the person is then asked again. Default: `Infinity`, approvals do not
   * expire.
   */
  readonly confirmationExpiresAfter?: number;
  /**
   * Limits of tokens, cost, time and bytes of an invocation. Reaching a limit ends the run with the event `TOKEN_LIMIT`,
   * `COST_LIMIT`, `TIME_LIMIT` or `BYTE_LIMIT`. Default: none.
   */
  readonly budget?: Budget;
}

/** A `RunConfig` with all defaults filled in. */
export type CompleteRunConfig = Required<RunConfig>;

export const DEFAULT_RUN_CONFIG: CompleteRunConfig = Object.freeze({
  maxLlmCalls: 500,
  maxTransfers: 25,
  maxInvalidCalls: 5,
  maxCallsPerAnswer: 100,
  toolConcurrency: 8,
  toolTimeout: 30_000,
  unknownArguments: 'refuse',
  streaming: 'none',
  resumeAt: 'last',
  showToolAgents: false,
  whileActive: 'queue',
  whenRepeated: 'run',
  takeOverAfter: 5_000,
  confirmationExpiresAfter: Infinity,
  budget: Object.freeze({}),
});

/**
 * Merges the settings of a run with those of the runner; undefined settings are ignored.
 *
 * @throws {RunConfigInvalidError} if the config is not an object, an option does not exist, or a value does not fit its
 *   option; a limit is a number of at least 0; `Infinity` means no limit
 */
export function overlayRunConfig(base: CompleteRunConfig, own: RunConfig | undefined): CompleteRunConfig {
  if (own === undefined) return base;
  // Plain JavaScript may pass any value.
  const config: unknown = own;
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw RunConfigInvalidError.ofValue('config', config, 'Pass an object of options, or leave it out.');
  }
  requireOptions('config', config, OPTIONS);
  const stated = Object.entries(own).filter(([, value]) => value !== undefined);
  for (const [name, value] of stated) checkOption(name, value);
  const budget = own.budget === undefined ? base.budget : { ...base.budget, ...own.budget };
  return { ...base, ...Object.fromEntries(stated), budget };
}

const OPTIONS: ReadonlySet<string> = new Set(Object.keys(DEFAULT_RUN_CONFIG));

/** The options that are not limits; whoever adds one states its valid values below. */
type Choice = {
  [Option in keyof CompleteRunConfig]: CompleteRunConfig[Option] extends number ? never : Option;
}[Exclude<keyof CompleteRunConfig, 'budget'>];

/** The options that are not limits, with their valid values. */
const CHOICES: ReadonlyMap<string, readonly unknown[]> = new Map(
  Object.entries({
    unknownArguments: ['refuse', 'drop'],
    streaming: ['none', 'sse'],
    resumeAt: ['last', 'root'],
    showToolAgents: [true, false],
    whileActive: ['queue', 'refuse'],
    whenRepeated: ['run', 'refuse'],
  } satisfies { [Option in Choice]: readonly CompleteRunConfig[Option][] }),
);

const BUDGET = optionNames<Budget>({ tokens: true, usd: true, cost: true, ms: true, bytes: true });

/** @throws {RunConfigInvalidError} */
function checkBudget(budget: unknown): void {
  if (typeof budget !== 'object' || budget === null || Array.isArray(budget)) {
    throw RunConfigInvalidError.ofValue('budget', budget, 'Pass limits, such as { tokens: 100_000 }.');
  }
  requireOptions('budget', budget, BUDGET);
  const { cost, ...limits } = budget as Budget;
  for (const [name, value] of Object.entries<unknown>(limits)) {
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0)))
      throw RunConfigInvalidError.ofValue(`budget.${name}`, value);
  }
  if ((limits.usd ?? cost) !== undefined && typeof cost !== 'function') {
    const cure = 'Pass the price of a model call: cost: (usage) => (usage.totalTokenCount ?? 0) * 0.000001.';
    throw RunConfigInvalidError.ofValue('budget.cost', cost, cure);
  }
}

function checkOption(name: string, value: unknown): void {
  if (name === 'budget') {
    checkBudget(value);
    return;
  }
  const choices = CHOICES.get(name);
  if (choices === undefined) {
    if (typeof value !== 'number' || !(value >= 0)) throw RunConfigInvalidError.ofValue(name, value);
  } else if (!choices.includes(value)) {
    throw RunConfigInvalidError.ofChoice(name, value, choices);
  }
}

/** An option of a run or a runner does not exist or has an invalid value, or the config is not an object. */
export class RunConfigInvalidError extends AdornError {
  readonly code = 'RUN_CONFIG_INVALID';

  /** An option whose value is not valid. */
  static ofValue(
    name: string,
    value: unknown,
    cure = 'Pass a number of at least 0, or Infinity for no limit.',
  ): RunConfigInvalidError {
    return new this(`The run's ${name} is ${shown(value)}. ${cure}`);
  }

  /** An option whose value is none of those that there are. */
  static ofChoice(name: string, value: unknown, valid: readonly unknown[]): RunConfigInvalidError {
    return this.ofValue(name, value, suggestName(value, new Set(valid.map(String))));
  }

  /** A method of a runner that was called for another application. */
  static ofApp(method: string, given: unknown, own: string): RunConfigInvalidError {
    return new this(
      `runner.${method}: appName is ${shown(given)}, but the runner's is ${shownName(own)}. ` +
        'Omit it, or use a runner of that application.',
    );
  }
}

/**
 * Refuses options that do not exist, and a value that is no object: plain JavaScript may pass any.
 *
 * @param owner the method with the options, such as `runner.run`
 * @throws {RunConfigInvalidError}
 */
export function requireOptions(owner: string, options: object, names: ReadonlySet<string>): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const valid = [...names].join(', ');
    throw new RunConfigInvalidError(
      `${owner}: its options are ${shown(given)}, not an object. Valid: ${valid}.`,
    );
  }
  const unknown = unknownOption(options, names);
  if (unknown !== undefined) throw new RunConfigInvalidError(`${owner}: ${unknown.fault}. ${unknown.cure}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return shownName(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
