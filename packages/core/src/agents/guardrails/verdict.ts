import { kindOf } from '@adorn/schema';
import { Deny } from '../../gates/callbacks/agent-callbacks.js';
import { CallbackFailedError } from '../../gates/callbacks/errors.js';
import type { CallbackContext } from '../../run/callback-context.js';
import type { Tripwire } from '../../run/tripwire.js';
import type { ToolContext } from '../../tools/tool-context.js';
import { type Guardrail, GuardrailTrippedError, type ToolGuardrail } from './guardrail.js';

/** Where a guardrail looks. */
export type Where = Tripwire['where'];

/** The text as the last guardrail leaves it. @throws {GuardrailTrippedError} */
export async function judgeAll(
  guardrails: readonly Guardrail[],
  text: string,
  where: Where,
  context: CallbackContext,
): Promise<string> {
  let safe = text;
  for (const guardrail of guardrails) safe = await judge(guardrail, safe, where, context);
  return safe;
}

export async function judge(
  guardrail: Guardrail,
  text: string,
  where: Where,
  context: CallbackContext,
): Promise<string> {
  const verdict: unknown = await decided(guardrail, () => guardrail.check(text, context));
  if (verdict === undefined || verdict === null) return text;
  if (typeof verdict === 'string') return verdict;
  if (Deny.is(verdict)) throw tripped(guardrail, verdict, where, context);
  throw wrongVerdict(guardrail, verdict, 'another text, ');
}

/** @throws {CallbackFailedError} for a check that throws, whose guardrail then fails closed */
export async function decided(guardrail: { readonly name: string }, check: () => unknown): Promise<unknown> {
  try {
    return await check();
  } catch (error) {
    throw CallbackFailedError.from(labelOf(guardrail), error);
  }
}

/** What a `Deny` of a tool's guardrail leads to. @throws {GuardrailTrippedError} if it ends the run */
export function refusal(
  guardrail: ToolGuardrail,
  verdict: unknown,
  where: Where,
  context: ToolContext,
): Deny | undefined {
  if (verdict === undefined || verdict === null) return undefined;
  if (!Deny.is(verdict)) throw wrongVerdict(guardrail, verdict, '');
  const error = tripped(guardrail, verdict, where, context);
  if (guardrail.onTripwire === 'deny') return verdict;
  throw error;
}

function tripped(
  { name: guardrail, onTripwire }: Pick<Guardrail, 'name' | 'onTripwire'>,
  { reason }: Deny,
  where: Where,
  { logger, agentName: agent, invocationId }: CallbackContext,
): GuardrailTrippedError {
  logger.info('a guardrail was tripped', { guardrail, where, reason, agent, invocationId });
  const mayAnswerAgain = where === 'output' && onTripwire === 'deny';
  return new GuardrailTrippedError({ guardrail, where, reason }, mayAnswerAgain);
}

function wrongVerdict(
  guardrail: { readonly name: string },
  verdict: unknown,
  text: string,
): CallbackFailedError {
  const wanted = `Return new Deny(reason), ${text}or nothing.`;
  return new CallbackFailedError(labelOf(guardrail), `it returned ${kindOf(verdict)}. ${wanted}`);
}

export function replacesTooLate(guardrails: readonly Guardrail[]): CallbackFailedError {
  const [first = { name: '' }] = guardrails;
  const fault = 'it returned another text, but runs beside the model call. Remove runInParallel.';
  return new CallbackFailedError(labelOf(first), fault);
}

function labelOf({ name }: { readonly name: string }): string {
  return `check of the guardrail "${name}"`;
}
