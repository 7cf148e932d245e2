import type { Deny, Reply } from '../../gates/callbacks/agent-callbacks.js';
import { AdornError } from '@adorn/schema';
import type { CallbackContext } from '../../run/callback-context.js';
import type { Tripwire } from '../../run/tripwire.js';
import type { ToolContext } from '../../tools/tool-context.js';
import type { Tool } from '../../tools/tool.js';

/** A named check of a text: a message of a user, an answer of a model, or a text in the result of a tool. */
export interface Guardrail {
  /** Named in the error, the log and the event. */
  readonly name: string;
  /**
   * For input only: checks the message while the model is asked, and cancels the model call if it refuses the message. No
   * part of the answer is shown before. Default: false, the model is asked after the check.
   */
  readonly runInParallel?: boolean;
  /**
   * For answers only: `end` ends the run; `deny` refuses the one answer: the model is told the reason, and answers once more. A
   * second refusal, one after the other, ends the run, and so does one in a live session. Default: `end`.
   */
  readonly onTripwire?: 'end' | 'deny';
  /**
   * Returns `new Deny(reason)` to refuse the text, another text to use in its place, or nothing to let it pass. May ask a
   * model or a service. A throw fails the run.
   */
  check(text: string, context: CallbackContext): Reply<Deny | string>;
}

/** A named check of tool calls. */
export interface ToolGuardrail {
  /** Named in the tripwire and in the messages of a refusal. */
  readonly name: string;
  /** Names of tools; `*` stands for any characters. Default: all tools. */
  readonly tools?: string | readonly string[];
  /** What a `Deny` does: `end` ends the run; `deny` refuses the call, and the model is told the reason. Default: `end`. */
  readonly onTripwire?: 'end' | 'deny';
  /** Runs before the call, before a person is asked. `args` are checked and frozen. */
  checkCall?(tool: Tool, args: Readonly<Record<string, unknown>>, context: ToolContext): Reply<Deny>;
  /** Runs after the call, before the model is told. A refused result is neither stored nor shown. */
  checkResult?(tool: Tool, result: unknown, context: ToolContext): Reply<Deny>;
}

/** The guardrails of an agent, or of all agents of a runner. */
export interface GuardrailOptions {
  /** Checks of messages of users, or of the input of an agent. */
  readonly inputGuardrails?: readonly Guardrail[];
  /** Checks of the answers of models. */
  readonly outputGuardrails?: readonly Guardrail[];
  /**
   * Checks of tool calls. A `Guardrail` among them checks each text in the results, unless it has a `checkResult`, which checks
   * them as a whole.
   */
  readonly toolGuardrails?: readonly (ToolGuardrail | Guardrail)[];
}

/** A guardrail refused a text or a call. The run ends with an event of this code, unless the model may answer again. */
export class GuardrailTrippedError extends AdornError {
  readonly code = 'GUARDRAIL_TRIPPED';

  constructor(
    /** The guardrail that refused, what it checked, and its reason. */
    readonly tripwire: Tripwire,
    /** True if only this answer is refused: the model may give another one. Default: false. */
    readonly mayAnswerAgain = false,
  ) {
    const { guardrail, where, reason } = tripwire;
    super(`The guardrail "${guardrail}" refused the ${where}: ${reason}`);
  }
}
