import type { Awaitable } from '../runtime/awaitable.js';

/** A question to ask before a call runs. */
export interface Confirmation {
  readonly hint: string;
  /** What is shown beside it, and what a person may send back along with a yes. */
  readonly payload?: unknown;
}

/** The short forms of a question: none, one in general words, or its hint. */
export type Asked = boolean | string | Confirmation;

/** A question asked of each call, with its real arguments. */
export type ConfirmationPredicate<Parameters extends readonly unknown[]> = (
  ...args: Parameters
) => Awaitable<Asked>;

/** Only a plain `false` lets a call through unasked: whatever else a predicate gives, nothing or nonsense, asks. */
export function toConfirmation(asked: unknown, toolName: string): Confirmation | undefined {
  if (asked === false) return undefined;
  if (typeof asked === 'string' && asked !== '') return { hint: asked };
  return confirmationOf(asked, toolName);
}

/** The question that is asked, in general words if there is no hint. */
export function confirmationOf(asked: unknown, toolName: string): Confirmation {
  return isConfirmation(asked) ? asked : { hint: `Approve execution of tool \`${toolName}\`?` };
}

function isConfirmation(asked: unknown): asked is Confirmation {
  return typeof asked === 'object' && asked !== null && 'hint' in asked && typeof asked.hint === 'string';
}
