import { randomUUID } from 'node:crypto';

import type { Event, PendingRequest, Runner, RunResult } from '@adorn/core';
import {
  type Awaitable,
  BOOLEAN,
  describeThrown,
  FUNCTION,
  LIST,
  OBJECT,
  optionFault,
  type OptionRules,
  rule,
} from '@adorn/core/backend';

import type { EvalCase, EvalInvocation, EvalSet } from './eval-set.js';
import { EvalConfigInvalidError, EvalSetInvalidError } from './errors.js';
import {
  type EvalCaseResult,
  type EvalInvocationResult,
  type EvalMetricResult,
  EvalReport,
  statusOf,
} from './eval-report.js';
import { stateResult } from './final-state.js';
import { answerIn } from './invocations-of.js';
import type { EvalMetric } from './metrics/metric.js';
import { responseMatch } from './metrics/response-match.js';
import { toolTrajectory } from './metrics/tool-trajectory.js';

/** The user of a case that names none. */
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
  /** True to copy the sessions in which the cases were played to the runner's store. Default: they are forgotten. */
  readonly keepSessions?: boolean;
  /** Ends the evaluation: cases that have not ended have an error. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the cases of an eval set and scores what the agent did. Each case begins with its own state and nothing else: neither
 * the sessions, state and artifacts of the application nor those of another case. Tools run as in any run: evaluate with
 * services that may be written to.
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
  return new EvalReport(set.evalSetId, results, options.metrics ? idle(options.metrics, results) : []);
}

/** The names of the metrics that have looked at no turn of any case. */
function idle(metrics: readonly EvalMetric[], results: readonly EvalCaseResult[]): string[] {
  const all = results.flatMap(({ overallEvalMetricResults }) => overallEvalMetricResults);
  const used = new Set(
    all.filter(({ evalStatus }) => evalStatus !== 'notEvaluated').map(({ metricName }) => metricName),
  );
  return metrics.map(({ name }) => name).filter((name) => !used.has(name));
}

const COUNT = rule(
  (value) => Number.isInteger(value) && (value as number) > 0,
  'Pass a whole number above 0.',
);
const METRICS = rule(
  (value) => Array.isArray(value) && value.every(isMetric),
  'Pass a list such as [toolTrajectory()], or of { name, description, threshold, score }.',
);

const OPTIONS: OptionRules<EvaluateOptions> = {
  metrics: METRICS,
  cases: LIST,
  runs: COUNT,
  concurrency: COUNT,
  approve: FUNCTION,
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

/** What a case has come to so far. */
interface Played {
  readonly turns: EvalInvocationResult[];
  /** Results beside those of the metrics. */
  readonly more: EvalMetricResult[];
}

class Evaluation {
  constructor(
    private readonly runner: Runner<unknown>,
    private readonly set: EvalSet,
    private readonly metrics: readonly EvalMetric[],
    private readonly options: EvaluateOptions,
  ) {}

  /** Rejects only if the runner is closed: anything else that goes wrong is the result. */
  async play(evalCase: EvalCase, run: number): Promise<EvalCaseResult> {
    const place = this.placeOf(evalCase);
    const played: Played = { turns: [], more: [] };
    const runner = this.runner.isolated();
    let error: string | undefined;
    try {
      await this.playIn(runner, evalCase, place, played);
      if (this.options.keepSessions === true) await this.keep(runner, place, evalCase.evalId);
    } catch (thrown) {
      error = describeThrown(thrown).message;
    }
    await runner.close().catch((thrown: unknown) => (error ??= describeThrown(thrown).message));
    const overall = [...this.metrics.map((metric) => overallOf(metric, played.turns)), ...played.more];
    return {
      evalSetId: this.set.evalSetId,
      evalId: evalCase.evalId,
      finalEvalStatus: error === undefined ? statusOf(overall.map(({ evalStatus }) => evalStatus)) : 'error',
      overallEvalMetricResults: overall,
      evalMetricResultPerInvocation: played.turns,
      ...{ sessionId: place.sessionId, userId: place.userId, run },
      ...(error !== undefined && { error }),
    };
  }

  private placeOf({ sessionInput = {} }: EvalCase): Place {
    const id = `eval-${randomUUID()}`;
    return {
      appName: this.runner.appName,
      // An empty text is what ADK writes for the default.
      userId: sessionInput.userId || EVAL_USER,
      sessionId: this.options.keepSessions === true ? id : sessionInput.sessionId || id,
    };
  }

  private async playIn(
    runner: Runner<unknown>,
    { conversation, rubrics, sessionInput, finalSessionState }: EvalCase,
    place: Place,
    { turns, more }: Played,
  ): Promise<void> {
    await runner.sessions.createSession(place, sessionInput?.state);
    for (const turn of conversation) {
      const expected = rubrics ? { ...turn, rubrics: [...rubrics, ...(turn.rubrics ?? [])] } : turn;
      turns.push(await this.turn(runner, expected, place));
    }
    if (!finalSessionState || Object.keys(finalSessionState).length === 0) return;
    const session = await runner.sessions.getSession(place);
    more.push(stateResult(finalSessionState, session?.state ?? {}));
  }

  /** Copies the session, and its files, to the stores of the application. */
  private async keep(runner: Runner<unknown>, place: Place, evalId: string): Promise<void> {
    const session = await runner.sessions.getSession(place);
    if (!session) return;
    const { state, events } = session;
    const title = `Evaluation of ${evalId}`;
    await this.runner.sessions.importSession(place, { state, events, title });
    for (const name of await runner.artifacts.list(place))
      for (const version of await runner.artifacts.versions(place, name)) {
        const part = await runner.artifacts.load(place, name, version);
        if (part && !name.startsWith('user:')) await this.runner.artifacts.save(place, name, part);
      }
  }

  private async turn(
    runner: Runner<unknown>,
    expected: EvalInvocation,
    place: Place,
  ): Promise<EvalInvocationResult> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    const message = expected.userContent.parts ?? [];
    const events: Event[] = [];
    let result = await runner.run({ ...place, message, signal });
    events.push(...result.events);
    while (result.status === 'paused') {
      result = await this.answered(runner, result);
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
  private async answered(
    runner: Runner<unknown>,
    { pending }: RunResult<unknown>,
  ): Promise<RunResult<unknown>> {
    const { approve, signal } = this.options;
    let last: RunResult<unknown> | undefined;
    for (const request of pending) {
      if (request.kind !== 'confirmation' || !approve)
        throw new Error(
          `The run waits for ${request.kind} of "${request.tool}". ` +
            'An evaluation answers approvals alone, with the option approve.',
        );
      const isApproved = await approve(request);
      last = await (isApproved ? runner.approve(request, { signal }) : runner.reject(request, { signal }));
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
