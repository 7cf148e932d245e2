import type { Awaitable } from '@adorn/core/backend';

import type { EvalConversation } from '../conversation.js';

/** What a gate has found in a conversation. */
export interface Measured {
  readonly value: number;
  /** What was found, in words, such as which calls. */
  readonly detail?: string;
}

/**
 * Measures a whole conversation by its log. A value above the limit fails the case, whatever its scores are: `passRate` does
 * not count it away.
 *
 * @example
 * const asksOnce: EvalGate = {
 *   name: 'questions',
 *   description: 'At most one question to a person.',
 *   limit: 1,
 *   measure: ({ facts }) => ({ value: facts.filter(({ row }) => row.kind === 'request').length }),
 * };
 */
export interface EvalGate {
  /** Such as `no_double_effect`. */
  readonly name: string;
  readonly description: string;
  /** The highest value that passes. Default: 0. */
  readonly limit?: number;
  /** @returns undefined if the conversation has nothing that the gate measures */
  measure(conversation: EvalConversation): Awaitable<Measured | undefined>;
}

/** The value of a gate that counts faults: how many there are, and what they are. */
export function counted(faults: readonly string[]): Measured {
  return faults.length === 0 ? { value: 0 } : { value: faults.length, detail: faults.join('; ') };
}
