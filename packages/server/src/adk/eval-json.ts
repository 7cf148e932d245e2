import type { EvalCaseResult, EvalMetricResult, EvalStatus } from '@adorn/eval';

/** As Google's servers number them. */
const STATUS: Readonly<Record<EvalStatus, number>> = { passed: 1, failed: 2, notEvaluated: 3, error: 2 };

/** The result of a case in the answer to `run_eval`. */
export function wireRunResult(result: EvalCaseResult): Record<string, unknown> {
  const {
    finalEvalStatus,
    overallEvalMetricResults,
    evalMetricResultPerInvocation,
    run: _run,
    ...rest
  } = result;
  return {
    ...rest,
    finalEvalStatus: STATUS[finalEvalStatus],
    evalMetricResults: overallEvalMetricResults.map(wireMetric),
    overallEvalMetricResults: overallEvalMetricResults.map(wireMetric),
    evalMetricResultPerInvocation: evalMetricResultPerInvocation.map((turn) => ({
      ...turn,
      evalMetricResults: turn.evalMetricResults.map(wireMetric),
    })),
  };
}

/** The result of a case in a result that was kept. */
export function wireCaseResult(result: EvalCaseResult): Record<string, unknown> {
  return { id: result.evalSetId, ...wireRunResult(result) };
}

function wireMetric({ evalStatus, ...metric }: EvalMetricResult): Record<string, unknown> {
  return { ...metric, evalStatus: STATUS[evalStatus] };
}
