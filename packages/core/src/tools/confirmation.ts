import type { Awaitable } from '../runtime/awaitable.js';

/** A question to ask before a call runs. */
export interface Confirmation {
  readonly hint: string;
  /** Shown with the hint; the person may send one back with the approval. */
  readonly payload?: unknown;
}

/** What `confirm` may return: whether to ask, the hint, or a full confirmation. */
export type Asked = boolean | string | Confirmation;

/** Decides for each call, from its arguments, whether to ask. */
export type ConfirmationPredicate<Parameters extends readonly unknown[]> = (
  ...args: Parameters
) => Awaitable<Asked>;

/** Only `false` lets a call run unasked. Any other value, also undefined or one of a wrong type, asks. */
export function toConfirmation(asked: unknown, toolName: string): Confirmation | undefined {
  if (asked === false) return undefined;
  if (typeof asked === 'string' && asked !== '') return { hint: asked };
  return confirmationOf(asked, toolName);
}

/** The confirmation to ask for, with a default hint if there is none. */
export function confirmationOf(asked: unknown, toolName: string): Confirmation {
  return isConfirmation(asked) ? asked : { hint: `Approve execution of tool \`${toolName}\`?` };
}

function isConfirmation(asked: unknown): asked is Confirmation {
  return typeof asked === 'object' && asked !== null && 'hint' in asked && typeof asked.hint === 'string';
}
