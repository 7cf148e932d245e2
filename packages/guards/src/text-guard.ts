import type { CallbackContext, Deny, Guardrail, ToolGuardrail } from '@adorn/core';
import { BOOLEAN, oneOf, type OptionRules, rule, TEXT, TEXTS } from '@adorn/core/backend';

/**
 * A guardrail that may stand among `inputGuardrails`, `outputGuardrails` and `toolGuardrails`. The result of a tool is checked
 * as one text.
 */
export type TextGuard = Guardrail & ToolGuardrail;

/** The options that every guardrail of this package has. */
export interface TextGuardOptions {
  /** Named in the error, the log and the event. Default: the name of the function that makes it. */
  readonly name?: string;
  /** For tools only: their names; `*` stands for any characters. Default: all tools. */
  readonly tools?: string | readonly string[];
  /**
   * `end` ends the run; `deny` refuses the call, withholds its result, or refuses the answer, and the model is told the reason.
   * A message of a user that is refused ends the run in any case. Default: `deny`.
   */
  readonly onTripwire?: 'end' | 'deny';
  /** For input only: checks while the model is asked, see {@link Guardrail.runInParallel}. Default: false. */
  readonly runInParallel?: boolean;
}

/** A list of names, or one name; the names themselves are read where the guardrail is registered. */
export const NAMES = rule(
  (value) => typeof value === 'string' || TEXTS.isValid(value),
  "Pass a name such as 'read_mail', or a list of names.",
);

export const TEXT_GUARD_OPTIONS: OptionRules<TextGuardOptions> = {
  name: TEXT,
  tools: NAMES,
  onTripwire: oneOf('end', 'deny'),
  runInParallel: BOOLEAN,
};

/** The fields of a guardrail beside its checks. */
export function guardFields(
  kind: string,
  { name = kind, tools = '*', onTripwire = 'deny', runInParallel = false }: TextGuardOptions,
): Required<TextGuardOptions> {
  return { name, tools, onTripwire, runInParallel };
}

/**
 * A guardrail of one question about a text.
 *
 * @param judge why the text is refused; undefined if it is not
 */
export function textGuard(
  kind: string,
  options: TextGuardOptions,
  judge: (text: string, context: CallbackContext) => Promise<Deny | undefined>,
): TextGuard {
  return {
    ...guardFields(kind, options),
    check: (text, context) => judge(text, context),
    async checkResult(_tool, result, context) {
      const text = textOf(result);
      return text === '' ? undefined : judge(text, context);
    },
  };
}

/** A result as one text: itself, or its JSON with line breaks. */
export function textOf(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined || result === null ? '' : JSON.stringify(result, null, 1);
}
