import { ToolDecisionInvalidError } from './errors.js';

const DENY = Symbol.for('adorn.deny');
const ASK = Symbol.for('adorn.ask');

/**
 * Refuses a tool call: the tool does not run, and the model is told the reason. Return it from `checkTool` or
 * `beforeTool`. Returned from `afterTool`, `onToolError` or the tool itself, it withholds the result.
 */
export class Deny {
  readonly [DENY] = true;

  /** @param reason sent to the model */
  constructor(readonly reason: string) {
    if (typeof reason !== 'string') throw new ToolDecisionInvalidError('Deny', 'reason', reason);
  }

  static is(value: unknown): value is Deny {
    return typeof value === 'object' && value !== null && DENY in value;
  }
}

/** Has a person confirm a tool call before it runs. Return it from `checkTool`. */
export class Ask {
  readonly [ASK] = true;

  /**
   * @param hint the question, unless the tool asks one of its own. Default: asks to approve the tool by its name
   * @param payload data shown with the hint, as JSON
   */
  constructor(
    readonly hint?: string,
    readonly payload?: unknown,
  ) {
    if (hint !== undefined && typeof hint !== 'string')
      throw new ToolDecisionInvalidError('Ask', 'hint', hint);
  }

  static is(value: unknown): value is Ask {
    return typeof value === 'object' && value !== null && ASK in value;
  }
}
