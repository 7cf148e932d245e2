import { EvalsFailedError } from './errors.js';
import { type EvalInvocation, toolUsesOf } from './eval-set.js';

/** `notEvaluated`: the case expects nothing that a metric looks at. `error`: its conversation could not be played. */
export type EvalStatus = 'passed' | 'failed' | 'notEvaluated' | 'error';

/** What a metric says of a turn or of a case. */
export interface EvalMetricResult {
  readonly metricName: string;
  /** The lowest score that passes; of a gate, the highest. */
  readonly threshold: number;
  /** True for a gate. */
  readonly isGate?: boolean;
  /** Absent unless evaluated. */
  readonly score?: number;
  readonly evalStatus: EvalStatus;
  /** Why it could not be evaluated. */
  readonly error?: string;
  /** What has failed, in words. */
  readonly detail?: string;
}

/** A turn as it was, beside what was expected. */
export interface EvalInvocationResult {
  readonly actualInvocation: EvalInvocation;
  readonly expectedInvocation: EvalInvocation;
  readonly evalMetricResults: readonly EvalMetricResult[];
}

/** A case that was played once. */
export interface EvalCaseResult {
  readonly evalSetId: string;
  readonly evalId: string;
  readonly finalEvalStatus: EvalStatus;
  /** The means over the turns. */
  readonly overallEvalMetricResults: readonly EvalMetricResult[];
  readonly evalMetricResultPerInvocation: readonly EvalInvocationResult[];
  readonly sessionId: string;
  readonly userId: string;
  /** Which repetition of the case it is, from 1. */
  readonly run: number;
  /** Milliseconds that it took to play and score it. Absent in results of earlier versions. */
  readonly durationMs?: number;
  /** Why the conversation could not be played to its end. */
  readonly error?: string;
}

/** What became of the cases of an eval set. */
export class EvalReport {
  constructor(
    readonly evalSetId: string,
    /** In the order of the cases, and of their repetitions. */
    readonly caseResults: readonly EvalCaseResult[],
    /** The names of the metrics that were asked for, and for which no case expects anything. */
    readonly idleMetrics: readonly string[] = [],
    /** The share of the cases that has to pass. */
    readonly passRate = 1,
  ) {}

  /**
   * `error` if one case has an error, else `failed` if a gate has failed or fewer cases passed than `passRate` wants, else
   * `notEvaluated` if there is no case, or a case or a metric of which nothing was evaluated.
   */
  get status(): EvalStatus {
    const statuses = this.caseResults.map(({ finalEvalStatus }) => finalEvalStatus);
    const isIdle = this.idleMetrics.length > 0 || statuses.includes('notEvaluated');
    const worst = statusOf(statuses);
    const found = worst === 'failed' && this.hasEnoughPassed ? 'passed' : worst;
    return found === 'passed' && isIdle ? 'notEvaluated' : found;
  }

  /** The names of the gates that have failed in a case. */
  get failedGates(): readonly string[] {
    const all = this.caseResults.flatMap(({ overallEvalMetricResults }) => overallEvalMetricResults);
    const failed = all.filter(({ isGate, evalStatus }) => isGate === true && evalStatus === 'failed');
    return [...new Set(failed.map(({ metricName }) => metricName))];
  }

  private get hasEnoughPassed(): boolean {
    const played = this.caseResults.length - this.count('notEvaluated');
    return this.failedGates.length === 0 && this.count('passed') >= this.passRate * played;
  }

  count(status: EvalStatus): number {
    return this.caseResults.filter(({ finalEvalStatus }) => finalEvalStatus === status).length;
  }

  /** The cases as text, those that have not passed with what was expected and what was found. */
  toString(): string {
    return [...this.caseResults.flatMap(linesOf), ...this.idleLines()].join('\n');
  }

  /**
   * For a test: `(await evaluate(runner, set)).assertPassed()`.
   *
   * @throws {EvalsFailedError} (`EVALS_FAILED`) with the cases that have not passed. Nothing evaluated is not passed.
   */
  assertPassed(): void {
    if (this.status === 'passed') return;
    const others = this.caseResults.filter(({ finalEvalStatus }) => finalEvalStatus !== 'passed');
    const lines = [...others.flatMap(linesOf), ...this.idleLines()];
    throw new EvalsFailedError(others.length, this.caseResults.length, lines.join('\n'));
  }

  /** Says of what nothing was evaluated, other than of a case. */
  idleLines(): string[] {
    const lines = this.idleMetrics.map(
      (name) =>
        `No case expects anything that ${name} looks at. Write what is expected, or leave out the metric.`,
    );
    if (this.caseResults.length > 0) return lines;
    return ['The eval set has no cases: nothing was evaluated.', ...lines];
  }
}

/** An error goes before a failure, and a failure before what has passed. */
export function statusOf(statuses: readonly EvalStatus[]): EvalStatus {
  for (const status of ['error', 'failed', 'passed'] as const) if (statuses.includes(status)) return status;
  return 'notEvaluated';
}

const WORDS: Readonly<Record<EvalStatus, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  notEvaluated: 'no expectations',
  error: 'ERROR',
};

/** A case as lines of text: its status, its scores, and the turns that have not passed. */
export function linesOf(result: EvalCaseResult): string[] {
  const { evalId, run, finalEvalStatus, overallEvalMetricResults, error } = result;
  const name = run === 1 ? evalId : `${evalId} (run ${String(run)})`;
  const scores = overallEvalMetricResults.map(scoreLine);
  const lines = [[WORDS[finalEvalStatus].padEnd(7), name, ...scores].join('  ')];
  for (const { metricName, detail } of overallEvalMetricResults)
    if (detail !== undefined) lines.push(`         ${metricName}: ${detail}`);
  if (error !== undefined) lines.push(`         ${error}`);
  if (finalEvalStatus === 'passed' || finalEvalStatus === 'notEvaluated') return lines;
  return [...lines, ...result.evalMetricResultPerInvocation.flatMap(linesOfTurn)];
}

function scoreLine({ metricName, score, threshold, error, isGate }: EvalMetricResult): string {
  if (error !== undefined) return `${metricName}: ${error}`;
  if (score === undefined) return `${metricName} –`;
  if (isGate === true)
    return `${metricName} ${String(Number(score.toFixed(4)))} (${score <= threshold ? '≤' : '>'} ${String(threshold)})`;
  return `${metricName} ${score.toFixed(2)} (${score >= threshold ? '≥' : '<'} ${String(threshold)})`;
}

function linesOfTurn(result: EvalInvocationResult, index: number): string[] {
  const { actualInvocation: actual, expectedInvocation: expected, evalMetricResults } = result;
  const failed = evalMetricResults.filter(
    ({ evalStatus }) => evalStatus === 'failed' || evalStatus === 'error',
  );
  if (failed.length === 0) return [];
  return [
    `         turn ${String(index + 1)}: ${shortened(textOf(expected.userContent))}`,
    `           expected  ${describe(expected)}`,
    `           found     ${describe(actual)}`,
  ];
}

function describe(turn: EvalInvocation): string {
  const calls = (toolUsesOf(turn) ?? []).map(
    ({ name, args }) => `${name ?? ''} ${JSON.stringify(args ?? {})}`,
  );
  return [...calls, `"${shortened(textOf(turn.finalResponse))}"`].join(', ');
}

function textOf(content: EvalInvocation['finalResponse']): string {
  return (content?.parts ?? []).map(({ text = '', thought }) => (thought === true ? '' : text)).join('');
}

/** On one line, of at most 120 characters. */
function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
