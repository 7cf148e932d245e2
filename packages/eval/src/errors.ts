import { AdornError } from '@adorn/core';

/** An eval set cannot be read. */
export class EvalSetInvalidError extends AdornError {
  readonly code = 'EVAL_SET_INVALID';

  /** @param source the file, or what was read @param place such as `evalCases[2].conversation` */
  constructor(source: string, place: string, fault: string, options?: ErrorOptions) {
    const where = place === '' ? '' : ` at ${place}`;
    super(
      `The eval set ${source} cannot be read${where}: ${fault}. ` +
        'An eval set is an object { evalSetId, evalCases: [{ evalId, conversation: [{ userContent, finalResponse, intermediateData }] }] }.',
      options,
    );
  }
}

/** A metric is unknown, or its options are wrong. Nothing was evaluated. */
export class EvalMetricInvalidError extends AdornError {
  readonly code = 'EVAL_METRIC_INVALID';

  constructor(metric: string, fault: string, cure: string) {
    super(`The metric "${metric}": ${fault}. ${cure}`);
  }
}

/** Cases of an evaluation have not passed. */
export class EvalsFailedError extends AdornError {
  readonly code = 'EVALS_FAILED';

  /** @param report the cases as text */
  constructor(failed: number, total: number, report: string) {
    super(`${String(failed)} of ${String(total)} cases have not passed.\n${report}`);
  }
}
