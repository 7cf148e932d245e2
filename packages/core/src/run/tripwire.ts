import { describeThrown } from '@adorn/schema';

/** Which guardrail refused what, and why. */
export interface Tripwire {
  /** The name of the guardrail. */
  readonly guardrail: string;
  /** What was checked: a message of the user, an answer of the agent, a call, or its result. */
  readonly where: 'input' | 'output' | 'tool call' | 'tool result';
  /** In the words of the guardrail. */
  readonly reason: string;
}

/** The key of the custom metadata of the event that ends a run because of a guardrail: its {@link Tripwire}. */
export const TRIPWIRE = 'adorn:tripwire';

/** True for a refusal of one answer of a model, which may answer again. */
export function isDeniedAnswer(error: unknown): boolean {
  const tripwire = tripwireOf(error);
  return tripwire !== undefined && (error as { readonly mayAnswerAgain?: unknown }).mayAnswerAgain === true;
}

/** What a guardrail has refused, if it threw the error. */
export function tripwireOf(error: unknown): Tripwire | undefined {
  if (describeThrown(error).code !== 'GUARDRAIL_TRIPPED') return undefined;
  return (error as { readonly tripwire?: Tripwire }).tripwire;
}
