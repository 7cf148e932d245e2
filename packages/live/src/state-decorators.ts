import {
  computed,
  type Decorate,
  phase,
  type PhaseOptions,
  watch,
  type WatchOptions,
} from './phase.decorator.js';
import { rate, sustained, turns, type WatchPredicate } from './watch-predicates.js';

/** The decorators and patterns of one conversation's state: its keys are completed, and misspelt ones do not compile. */
export interface StateDecorators<State extends object> {
  readonly phase: (options?: PhaseOptions<State>) => Decorate;
  readonly watch: {
    (key: keyof State & string, predicate: WatchPredicate, options?: WatchOptions): Decorate;
    (key: (keyof State & string) | WatchPredicate, options?: WatchOptions): Decorate;
  };
  readonly computed: (key: keyof State & string) => Decorate;
  readonly sustained: (
    condition: (state: Partial<State>) => boolean,
    duration: number | string,
  ) => WatchPredicate;
  readonly turns: (condition: (state: Partial<State>) => boolean, count: number) => WatchPredicate;
  readonly rate: typeof rate;
}

/**
 * The decorators for a state whose type is written once.
 *
 * ```ts
 * const { phase, watch } = state<Caller>();
 *
 * class Collections extends LiveAgent<Caller> {
 *   @phase({ first: true, needs: ['accountId'] })
 *   verifying() {
 *     return 'Ask for the account number.';
 *   }
 *
 *   @watch('mood', crossedAbove(0.8))
 *   heated({ steer }: LiveContext<Caller>) {
 *     steer('Slow down.');
 *   }
 * }
 * ```
 */
export function state<State extends object>(): StateDecorators<State> {
  return { phase, watch, computed, sustained, turns, rate };
}
