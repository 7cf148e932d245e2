import type { PendingRequest, Runner } from '@adorn/core';
import {
  type Awaitable,
  BOOLEAN,
  FUNCTION,
  isObject,
  LIST,
  OBJECT,
  optionFault,
  type OptionRules,
  rule,
  TEXT,
} from '@adorn/core/backend';

import { type EvalTool, toolsOf } from './conversation.js';
import { EvalConfigInvalidError, EvalSetInvalidError } from './errors.js';
import { type EvalCaseResult, EvalReport } from './eval-report.js';
import type { EvalCase, EvalFault, EvalSet } from './eval-set.js';
import type { EvalGate } from './gates/gate.js';
import type { EvalMetric } from './metrics/metric.js';
import { COUNT } from './metrics/metric-options.js';
import { responseMatch } from './metrics/response-match.js';
import { toolTrajectory } from './metrics/tool-trajectory.js';
import { playCase, type Setting } from './play/play-case.js';
import type { Stubs } from './play/stand-ins.js';
import { ResultsFile } from './results-file.js';
import type { EvalAnswer, EvalUser } from './users/eval-user.js';

/** The options of {@link evaluate}. */
export interface EvaluateOptions {
  /** Default: {@link toolTrajectory} and {@link responseMatch}. */
  readonly metrics?: readonly EvalMetric[];
  /** What must hold in each conversation, whatever its scores are. Default: none. */
  readonly gates?: readonly EvalGate[];
  /** The ids of the cases to play. Default: all. */
  readonly cases?: readonly string[];
  /** How often each case is played. Default: 1. */
  readonly runs?: number;
  /** The share of the playings that has to pass, 0 to 1. A gate that fails, and an error, is not counted away. Default: 1. */
  readonly passRate?: number;
  /** How many cases are played at once. Default: 4. */
  readonly concurrency?: number;
  /** Decides on a call that waits for an approval. Default: `user`; without one, the case ends with an error that names the call. */
  readonly approve?: (request: PendingRequest) => Awaitable<EvalAnswer>;
  /** Plays the user of cases with a `conversationScenario`, and of cases without messages. Default: such a case is an error. */
  readonly user?: EvalUser;
  /** Functions in place of tools, behind their gates. Stubs of a case come first. Default: tools run. */
  readonly stubs?: Stubs;
  /** What goes wrong in a case. Default: the faults of the case. */
  readonly faults?: (evalCase: EvalCase, run: number) => readonly EvalFault[];
  /**
   * The path of a file, to which each result is written at once. If it has results already, the evaluation goes on behind them.
   * Default: results are in the report alone.
   */
  readonly results?: string;
  /** Called after each case, in the order in which they end; not for results that stood in the file. */
  readonly onCase?: (result: EvalCaseResult) => void;
  /** True to copy the sessions in which the cases were played to the runner's store. Default: they are forgotten. */
  readonly keepSessions?: boolean;
  /** Ends the evaluation: cases that have not ended have an error. */
  readonly signal?: AbortSignal;
}

/** A runner for all cases; or a function that creates one for each, which is closed after the case. */
export type EvalTarget = Runner<unknown> | (() => Awaitable<Runner<unknown>>);

/**
 * Plays the cases of an eval set and scores what the agent did. Each case begins with its own state and nothing else: neither
 * the sessions, state, artifacts and effects of the application nor those of another case. Tools run as in any run, unless they
 * have stubs: evaluate with services that may be written to. Services that keep something in memory are new in each case if
 * the runner is.
 *
 * @example
 * const report = await evaluate(() => createRunner(WeatherAgent), await readEvalSet('weather.evalset.json'), {
 *   gates: [noDoubleEffect(), maxToolCalls({ calls: 5 })],
 *   runs: 3,
 * });
 * report.assertPassed();
 *
 * @returns also if cases have failed, or could not be played
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) if an option or a metric cannot be used
 * @throws {EvalSetInvalidError} (`EVAL_SET_INVALID`) if `cases` names one that the set does not have
 */
export async function evaluate(
  target: EvalTarget,
  set: EvalSet,
  options: EvaluateOptions = {},
): Promise<EvalReport> {
  checkOptions(options);
  const { runs = 1, concurrency = 4 } = options;
  const setting = settingOf(set, options);
  const wanted = casesOf(set, options.cases).flatMap((one) =>
    Array.from({ length: runs }, (_, index) => ({ evalCase: one, run: index + 1 })),
  );
  const names = [...setting.metrics, ...setting.gates].map(({ name }) => name);
  const file =
    options.results === undefined ? undefined : await ResultsFile.open(options.results, set.evalSetId, names);
  const results: EvalCaseResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < wanted.length; index = next++) {
      const { evalCase, run } = wanted[index] as (typeof wanted)[number];
      const known = file?.find(evalCase, run);
      const result = known ?? (await play(target, setting, evalCase, run));
      results[index] = result;
      if (known) continue;
      if (setting.signal?.aborted !== true) await file?.add(evalCase, result);
      options.onCase?.(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, wanted.length)) }, work));
  } finally {
    for (const metric of setting.metrics) await metric.close?.();
    await setting.user?.close?.();
  }
  const asked = [...(options.metrics ?? []), ...setting.gates];
  return new EvalReport(set.evalSetId, results, idle(asked, results), options.passRate);
}

async function play(
  target: EvalTarget,
  setting: Setting,
  evalCase: EvalCase,
  run: number,
): Promise<EvalCaseResult> {
  if (typeof target !== 'function') return playCase(target, setting, evalCase, run);
  await using runner = await target();
  return await playCase(runner, setting, evalCase, run);
}

function settingOf({ evalSetId }: EvalSet, options: EvaluateOptions): Setting {
  const { metrics = [toolTrajectory(), responseMatch()], gates = [], stubs = {} } = options;
  let tools: Promise<ReadonlyMap<string, EvalTool>> | undefined;
  return {
    ...{ evalSetId, metrics, gates, stubs, user: options.user, approve: options.approve },
    faultsOf: options.faults ?? (({ faults = [] }) => faults),
    toolsOf: (runner) => (tools ??= toolsOf(runner)),
    keepSessions: options.keepSessions === true,
    signal: options.signal,
  };
}

/** The names of the metrics and gates that have looked at no turn of any case. */
function idle(asked: readonly { readonly name: string }[], results: readonly EvalCaseResult[]): string[] {
  const all = results.flatMap(({ overallEvalMetricResults }) => overallEvalMetricResults);
  const used = new Set(
    all.filter(({ evalStatus }) => evalStatus !== 'notEvaluated').map(({ metricName }) => metricName),
  );
  return asked.map(({ name }) => name).filter((name) => !used.has(name));
}

/** The rule of a list of metrics. */
export const METRICS = rule(
  (value) => Array.isArray(value) && value.every(isMetric),
  'Pass a list such as [toolTrajectory()], or of { name, description, threshold, score }.',
);
/** The rule of a list of gates. */
export const GATES = rule(
  (value) => Array.isArray(value) && value.every(isGate),
  'Pass a list such as [noDoubleEffect()], or of { name, description, limit, measure }.',
);
const RATE = rule(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'Pass a share from 0 to 1.',
);
const USER = rule(
  (value) =>
    isObject(value) &&
    typeof value['next'] === 'function' &&
    ['undefined', 'number'].includes(typeof value['patience']) &&
    [value['answer'], value['close']].every((one) => one === undefined || typeof one === 'function'),
  'Pass a user such as simulatedUser({ model }), or { next, answer, patience }.',
);

const OPTIONS: OptionRules<EvaluateOptions> = {
  metrics: METRICS,
  gates: GATES,
  cases: LIST,
  runs: COUNT,
  passRate: RATE,
  concurrency: COUNT,
  approve: FUNCTION,
  user: USER,
  stubs: OBJECT,
  faults: FUNCTION,
  results: TEXT,
  onCase: FUNCTION,
  keepSessions: BOOLEAN,
  signal: OBJECT,
};

function checkOptions(options: EvaluateOptions): void {
  const found = optionFault(options, OPTIONS);
  if (found) throw new EvalConfigInvalidError('evaluate', found.fault, found.cure);
}

function isMetric(value: Partial<EvalMetric> | null | undefined): boolean {
  return (
    typeof value?.score === 'function' && typeof value.name === 'string' && Number.isFinite(value.threshold)
  );
}

function isGate(value: Partial<EvalGate> | null | undefined): boolean {
  const { measure, name, limit = 0 } = value ?? {};
  return typeof measure === 'function' && typeof name === 'string' && Number.isFinite(limit);
}

function casesOf({ evalSetId, evalCases }: EvalSet, ids: readonly string[] | undefined): readonly EvalCase[] {
  if (ids === undefined) return evalCases;
  return ids.map((id) => {
    const found = evalCases.find(({ evalId }) => evalId === id);
    if (found) return found;
    const known = evalCases.map(({ evalId }) => evalId).join(', ');
    throw new EvalSetInvalidError(evalSetId, '', `it has no case "${id}", but ${known}`);
  });
}
