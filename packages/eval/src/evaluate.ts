import { randomUUID } from 'node:crypto';

import type { Event, PendingRequest, Runner, RunResult } from '@adorn/core';
import { type Awaitable, describeThrown, kindOf, optionNames, unknownOption } from '@adorn/core/backend';

import type { EvalCase, EvalInvocation, EvalSet } from './eval-set.js';
import { EvalConfigInvalidError, EvalSetInvalidError } from './errors.js';
import {
  type EvalCaseResult,
  type EvalInvocationResult,
  type EvalMetricResult,
  EvalReport,
  statusOf,
} from './eval-report.js';
import { answerIn } from './invocations-of.js';
import type { EvalMetric } from './metrics/metric.js';
import { responseMatch } from './metrics/response-match.js';
import { toolTrajectory } from './metrics/tool-trajectory.js';

/** The user whose sessions an evaluation makes, unless a case names one. */
const EVAL_USER = 'eval_user';

/** The options of {@link evaluate}. */
export interface EvaluateOptions {
  /** Default: {@link toolTrajectory} and {@link responseMatch}. */
  readonly metrics?: readonly EvalMetric[];
  /** The ids of the cases to play. Default: all. */
  readonly cases?: readonly string[];
  /** How often each case is played. Default: 1. */
  readonly runs?: number;
  /** How many cases are played at once. Default: 4. */
  readonly concurrency?: number;
  /** Decides on a call that waits for an approval. Default: the case ends with an error that names the call. */
  readonly approve?: (request: PendingRequest) => Awaitable<boolean>;
  /** Called after each case, in the order in which they end. */
  readonly onCase?: (result: EvalCaseResult) => void;
  /** True to keep the sessions in which the cases were played. Default: they are deleted. */
  readonly keepSessions?: boolean;
  /** Ends the evaluation: cases that have not ended have an error. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the cases of an eval set, each in a new session, and scores what the agent did. Tools run as in any run: evaluate
 * with services that may be written to.
 *
 * @example
 * await using runner = await createRunner(WeatherAgent);
 * const report = await evaluate(runner, await readEvalSet('weather.evalset.json'), { runs: 3 });
 * report.assertPassed();
 *
 * @returns also if cases have failed, or could not be played
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) if an option or a metric cannot be used
 * @throws {EvalSetInvalidError} (`EVAL_SET_INVALID`) if `cases` names one that the set does not have
 */
export async function evaluate(
  runner: Runner<unknown>,
  set: EvalSet,
  options: EvaluateOptions = {},
): Promise<EvalReport> {
  checkOptions(options);
  const { metrics = [toolTrajectory(), responseMatch()], runs = 1, concurrency = 4 } = options;
  const evaluation = new Evaluation(runner, set, metrics, options);
  const wanted = casesOf(set, options.cases).flatMap((one) =>
    Array.from({ length: runs }, (_, index) => ({ evalCase: one, run: index + 1 })),
  );
  const results: EvalCaseResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < wanted.length; index = next++) {
      const { evalCase, run } = wanted[index] as (typeof wanted)[number];
      const result = await evaluation.play(evalCase, run);
      results[index] = result;
      options.onCase?.(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, wanted.length)) }, work));
  } finally {
    for (const metric of metrics) await metric.close?.();
  }
  return new EvalReport(set.evalSetId, results);
}

const OPTIONS = optionNames<EvaluateOptions>({
  metrics: true,
  cases: true,
  runs: true,
  concurrency: true,
  approve: true,
  onCase: true,
  keepSessions: true,
  signal: true,
});

function checkOptions(options: EvaluateOptions): void {
  const unknown = unknownOption(options, OPTIONS);
  if (unknown) throw new EvalConfigInvalidError('evaluate', unknown.fault, unknown.cure);
  for (const name of ['runs', 'concurrency'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw new EvalConfigInvalidError(
        'evaluate',
        `${name} is ${String(value)}`,
        'Pass a whole number above 0.',
      );
  }
  for (const metric of (options.metrics ?? []) as readonly (Partial<EvalMetric> | null | undefined)[])
    if (
      typeof metric?.score !== 'function' ||
      typeof metric.name !== 'string' ||
      !Number.isFinite(metric.threshold)
    )
      throw new EvalConfigInvalidError(
        'evaluate',
        `a metric is ${kindOf(metric)} without a name, a threshold or a score`,
        'Pass such as toolTrajectory(), or { name, description, threshold, score }.',
      );
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

/** A session of one case. */
interface Place {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

class Evaluation {
  constructor(
    private readonly runner: Runner<unknown>,
    private readonly set: EvalSet,
    private readonly metrics: readonly EvalMetric[],
    private readonly options: EvaluateOptions,
  ) {}

  /** Never rejects: what goes wrong is the result. */
  async play(evalCase: EvalCase, run: number): Promise<EvalCaseResult> {
    const { evalId, conversation, sessionInput: { userId = EVAL_USER, state } = {} } = evalCase;
    const { appName, sessions } = this.runner;
    const place = { appName, userId, sessionId: `eval-${randomUUID()}` };
    const turns: EvalInvocationResult[] = [];
    let error: string | undefined;
    try {
      await sessions.createSession(place, state);
      if (this.options.keepSessions === true) await this.name(place, `Evaluation of ${evalId}`);
      for (const expected of conversation) turns.push(await this.turn(expected, place));
    } catch (thrown) {
      error = describeThrown(thrown).message;
    }
    const overall = this.metrics.map((metric) => overallOf(metric, turns));
    const statuses = overall.map(({ evalStatus }) => evalStatus);
    if (this.options.keepSessions !== true)
      await sessions
        .deleteSession(place)
        .catch((thrown: unknown) => (error ??= describeThrown(thrown).message));
    return {
      evalSetId: this.set.evalSetId,
      evalId,
      finalEvalStatus: error === undefined ? statusOf(statuses) : 'error',
      overallEvalMetricResults: overall,
      evalMetricResultPerInvocation: turns,
      ...{ sessionId: place.sessionId, userId, run },
      ...(error !== undefined && { error }),
    };
  }

  /** Not every store has titles. */
  private async name(place: Place, title: string): Promise<void> {
    await this.runner.sessions.renameSession(place, title).catch(() => undefined);
  }

  private async turn(expected: EvalInvocation, place: Place): Promise<EvalInvocationResult> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    const message = expected.userContent.parts ?? [];
    const events: Event[] = [];
    let result = await this.runner.run({ ...place, message, signal });
    events.push(...result.events);
    while (result.status === 'paused') {
      result = await this.answered(result);
      events.push(...result.events);
    }
    if (result.error) throw result.error;
    const { invocationId } = result;
    const actual = { invocationId, userContent: expected.userContent, ...answerIn(events) };
    const evalMetricResults = await Promise.all(
      this.metrics.map((metric) => resultOf(metric, () => metric.score(actual, expected))),
    );
    return { actualInvocation: actual, expectedInvocation: expected, evalMetricResults };
  }

  /** @throws {Error} if nobody can answer for an evaluation */
  private async answered({ pending }: RunResult<unknown>): Promise<RunResult<unknown>> {
    const { approve, signal } = this.options;
    let last: RunResult<unknown> | undefined;
    for (const request of pending) {
      if (request.kind !== 'confirmation' || !approve)
        throw new Error(
          `The run waits for ${request.kind} of "${request.tool}". ` +
            'An evaluation answers approvals alone, with the option approve.',
        );
      const isApproved = await approve(request);
      last = await (isApproved
        ? this.runner.approve(request, { signal })
        : this.runner.reject(request, { signal }));
    }
    if (!last) throw new Error('The run waits for nothing that an evaluation could answer.');
    return last;
  }
}

async function resultOf(
  { name: metricName, threshold }: EvalMetric,
  score: () => Awaitable<number | undefined>,
): Promise<EvalMetricResult> {
  try {
    const found = await score();
    if (found === undefined) return { metricName, threshold, evalStatus: 'notEvaluated' };
    if (!Number.isFinite(found)) throw new Error(`the metric returned ${String(found)}, and no number`);
    return { metricName, threshold, score: found, evalStatus: found >= threshold ? 'passed' : 'failed' };
  } catch (thrown) {
    return { metricName, threshold, evalStatus: 'error', error: describeThrown(thrown).message };
  }
}

/** The mean over the turns that were evaluated. */
function overallOf(metric: EvalMetric, turns: readonly EvalInvocationResult[]): EvalMetricResult {
  const { name: metricName, threshold } = metric;
  const own = turns.flatMap(({ evalMetricResults }) =>
    evalMetricResults.filter((result) => result.metricName === metricName),
  );
  const broken = own.find(({ evalStatus }) => evalStatus === 'error');
  if (broken) return broken;
  const scores = own.flatMap(({ score }) => (score === undefined ? [] : [score]));
  if (scores.length === 0) return { metricName, threshold, evalStatus: 'notEvaluated' };
  const score = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return { metricName, threshold, score, evalStatus: score >= threshold ? 'passed' : 'failed' };
}
