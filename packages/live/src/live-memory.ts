import type { CallbackContext } from '@adorn/core';

/** The state key with what a conversation remembers between turns: another process can go on with it. */
export const MEMORY = 'live_memory';

/** What phases, watchers and repair remember between turns. */
export interface Memory {
  readonly turn: number;
  /** The values of the watched keys at the end of the turn before. */
  readonly seen: Readonly<Record<string, unknown>>;
  /** What watchers have counted, by method. */
  readonly counted?: Readonly<Record<string, readonly number[]>>;
  /** When the conditions of watchers, and what they count, began to hold, in seconds since 1970, by method. */
  readonly since: Readonly<Record<string, number>>;
  /** The id of the newest event at the end of the turn before. */
  readonly last?: string | undefined;
  /** When watchers were called last, by method. */
  readonly fired: Readonly<Record<string, number>>;
  /** The phases so far, with the turn in which each began. At most 100. */
  readonly history: readonly { readonly phase: string; readonly turn: number }[];
  readonly stalled?: Stalled;
  /** The line of context that the model was told last. */
  readonly context?: string;
  /** The id of the live session that goes on; its end is no turn. */
  readonly session?: string;
  /** Texts for the next message of a text run. */
  readonly told: readonly string[];
}

/** For how many turns in a row a phase has found out nothing of what it needs, and how many keys were missing. */
export interface Stalled {
  readonly phase: string;
  readonly missing: number;
  readonly turns: number;
}

const NOTHING: Memory = Object.freeze({
  turn: 0,
  seen: {},
  since: {},
  fired: {},
  history: [],
  told: [],
});

export function memoryOf({ state }: Pick<CallbackContext, 'state'>): Memory {
  return state.get<Memory>(MEMORY, NOTHING);
}

export function remember({ state }: Pick<CallbackContext, 'state'>, memory: Memory): void {
  state.set(MEMORY, memory);
}
