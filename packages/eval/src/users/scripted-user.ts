import type { PendingRequest } from '@adorn/core';
import { type Awaitable, FUNCTION, type OptionRules } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';
import { checkMetric } from '../metrics/metric-options.js';
import type { EvalAnswer, EvalUser, UserMove, UserView } from './eval-user.js';

/** What a scripted user says: a text, or a function that finds it by what was said. Undefined ends the conversation. */
export type UserLine = string | ((view: UserView) => Awaitable<string | undefined>);

/** The options of {@link scriptedUser}. */
export interface ScriptedUserOptions {
  /** Answers the requests of the runs. Default: nobody does, and such a case is an error. */
  readonly answer?: (request: PendingRequest, view: UserView) => Awaitable<EvalAnswer | undefined>;
}

const RULES: OptionRules<ScriptedUserOptions> = { answer: FUNCTION };

/**
 * A user who says the lines one after the other, each as the answer to a turn, and then ends the conversation. Whether the goal
 * was reached is not said.
 *
 * @example
 * const user = scriptedUser(['A-17', ({ turns }) => (turns.length < 5 ? 'Are you sure?' : undefined)]);
 */
export function scriptedUser(lines: readonly UserLine[], options: ScriptedUserOptions = {}): EvalUser {
  if (!isScript(lines))
    throw new EvalConfigInvalidError(
      'scriptedUser',
      'its lines are no texts and functions',
      "Pass a list such as ['Yes.'].",
    );
  checkMetric('scriptedUser', options, RULES);
  return {
    patience: Infinity,
    next: async (view): Promise<UserMove> => {
      // The first message of a scenario is none of the lines.
      const said = view.turns.length - (view.evalCase.conversationScenario ? 1 : 0);
      const line = lines[said];
      const message = typeof line === 'function' ? await line(view) : line;
      return message === undefined ? { end: 'over' } : { message };
    },
    answer: (request, view) => options.answer?.(request, view),
  };
}

function isScript(value: unknown): boolean {
  return Array.isArray(value) && value.every(isLine);
}

function isLine(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'string' && value !== '');
}
