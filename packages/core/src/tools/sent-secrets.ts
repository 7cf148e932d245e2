import type { ToolContext } from './tool-context.js';

/** Adds secrets that a tool sends by itself, such as headers of its options: the model does not get them. */
export function concealSecrets(context: ToolContext, secrets: readonly string[]): void {
  context.conceal(secrets);
}

/**
 * What a service answered to a tool, without the secrets that the tool sent: the credentials of its call, and those of
 * `concealSecrets`. Some services repeat them in a body.
 *
 * @param answer a JSON value; the same value is returned if it has no secret
 */
export function withoutSentSecrets<Value>(context: ToolContext, answer: Value): Value {
  return context.withoutSentSecrets(answer);
}
