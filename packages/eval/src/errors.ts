import { AdornError } from '@adorn/core';

import { snakeCase } from './camel-keys.js';

/** An eval set cannot be read. */
export class EvalSetInvalidError extends AdornError {
  readonly code = 'EVAL_SET_INVALID';

  /**
   * @param source the file, or what was read
   * @param place such as `evalCases[2].conversation`
   * @param isSnakeCase true if the keys of the file are in snake case
   */
  constructor(source: string, place: string, fault: string, options?: ErrorOptions, isSnakeCase = false) {
    const where = place === '' ? '' : ` at ${place}`;
    const form = isSnakeCase ? snakeCase(FORM) : FORM;
    super(
      `The eval set ${source} cannot be read${where}: ${fault}. An eval set is an object ${form}.`,
      options,
    );
  }
}

const FORM =
  '{ evalSetId, evalCases: [{ evalId, conversation: [{ userContent, finalResponse, intermediateData }] }] }';

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
