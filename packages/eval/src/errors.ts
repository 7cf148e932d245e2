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

/** A metric or an option of an evaluation is unknown, or has a value that cannot be used. Nothing was evaluated. */
export class EvalConfigInvalidError extends AdornError {
  readonly code = 'EVAL_CONFIG_INVALID';

  /** @param what such as `evaluate`, or the name of a metric in quotes */
  constructor(what: string, fault: string, cure: string) {
    super(`${what}: ${fault}. ${cure}`);
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
