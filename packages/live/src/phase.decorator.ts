import type { CallbackContext } from '@adorn/core';
import type { Awaitable, LiveSignals } from '@adorn/core/backend';

import { isPredicate } from './declaration-options.js';
import type { DeclaredExtract, ExtractOptions } from './extractor.js';
import type { StateView } from './state-view.js';
import { changed, type WatchPredicate } from './watch-predicates.js';

/** Whether a phase is entered. */
export type PhaseGuard<State extends object = Record<string, unknown>> = (state: Partial<State>) => boolean;

/** The phases from which another one is entered. */
export type PhaseSources<State extends object = Record<string, unknown>> =
  string | readonly string[] | Readonly<Record<string, PhaseGuard<State>>>;

/** The options of a phase. `State`: the state of the conversation. */
export interface PhaseOptions<State extends object = Record<string, unknown>> {
  /** True for the phase with which a conversation begins. Exactly one phase has it. */
  readonly first?: boolean;
  /** True if the conversation never leaves the phase. */
  readonly last?: boolean;
  /**
   * The phases from which this one is entered: a name, a list, or a guard for each, `{ opening: (state) => state.done === true }`,
   * which has to hold beside `when`. Default: all.
   */
  readonly from?: PhaseSources<State>;
  /** Whether the phase is entered. Without it, and without guards in `from`, only `goTo` enters the phase. */
  readonly when?: PhaseGuard<State>;
  /** The names of the tools that may be called in the phase. Default: all. */
  readonly tools?: readonly string[];
  /** The state keys that the phase is to find out. The model is told which of them are missing. */
  readonly needs?: readonly (keyof State & string)[];
  /** The state keys whose values the model reads with the instruction, after those of `context` of the agent. */
  readonly context?: readonly (keyof State & string)[];
  /** Called when the phase has begun. The first phase begins without it. */
  readonly enter?: (live: LiveContext<State>) => Awaitable<void>;
  /** Called before another phase begins. */
  readonly exit?: (live: LiveContext<State>) => Awaitable<void>;
}

/** The options of a watcher. */
export interface WatchOptions {
  /** Milliseconds, or a text such as `1m`, in which the watcher is not called again. Default: none. */
  readonly cooldown?: number | string;
}

/** A phase of an agent. */
export interface DeclaredPhase {
  readonly name: string;
  readonly options: PhaseOptions;
}

/** A watcher of an agent. */
export interface DeclaredWatch {
  readonly method: string;
  /** The watched key; absent for a condition over the state. */
  readonly key?: string | undefined;
  readonly predicate: WatchPredicate;
  readonly options: WatchOptions;
}

/** A computed value of an agent. */
export interface DeclaredValue {
  readonly method: string;
  readonly key: string;
}

/** What the decorators of a class were told, base first. */
export interface LiveDeclarations {
  readonly phases: DeclaredPhase[];
  readonly watches: DeclaredWatch[];
  readonly values: DeclaredValue[];
  readonly extracts: DeclaredExtract[];
}

const declarations = new WeakMap<object, LiveDeclarations>();

/**
 * Declares a method as a phase of the conversation; its name is that of the method. The method returns the instruction of
 * the phase, and is called for each request or connection.
 */
export function phase<State extends object = Record<string, unknown>>(options: PhaseOptions<State> = {}) {
  return (prototype: object, name: string): void => {
    ownOf(prototype).phases.push({ name, options: options as PhaseOptions });
  };
}

/**
 * Has a model read values from the last turns of the conversation and write them to the state, at the end of a turn, before
 * computed values and phases. Speech goes on meanwhile. The method returns what the model is asked, or undefined to read
 * nothing this time. Values that were not said overwrite nothing.
 *
 * ```ts
 * @extract({ model: 'gemini-2.5-flash', schema: { type: 'object', properties: { mood: { type: 'number' } } } })
 * mood() {
 *   return 'How does the caller feel, from 0 (calm) to 1 (angry)?';
 * }
 * ```
 */
export function extract(options: ExtractOptions) {
  return (prototype: object, method: string): void => {
    ownOf(prototype).extracts.push({ method, options });
  };
}

/**
 * Calls a method at the end of a turn in which a state key has changed in a way, such as `crossedAbove(0.8)`, or in which a
 * condition over the state holds, such as `sustained(…)`. Default: `changed()`.
 */
export function watch(key: string, predicate: WatchPredicate, options?: WatchOptions): Decorate;
export function watch(key: string | WatchPredicate, options?: WatchOptions): Decorate;
export function watch(
  key: string | WatchPredicate,
  predicate?: WatchPredicate | WatchOptions,
  options?: WatchOptions,
): Decorate {
  const hasPattern = isPredicate(predicate) || typeof predicate === 'function';
  const stated = options ?? (hasPattern ? undefined : predicate) ?? {};
  return (prototype: object, method: string): void => {
    const { watches } = ownOf(prototype);
    if (typeof key === 'object' || typeof key === 'function')
      watches.push({ method, predicate: key, options: stated });
    else
      watches.push({
        method,
        key,
        predicate: hasPattern ? predicate : changed(),
        options: stated,
      });
  };
}

/** A decorator of a method. */
export type Decorate = (prototype: object, method: string) => void;

/** Writes what a method makes of the state to a key, at the end of each turn, before phases and watchers. */
export function computed(key: string) {
  return (prototype: object, method: string): void => {
    ownOf(prototype).values.push({ method, key });
  };
}

/** The declarations of a class and its bases. An override keeps the declaration of its base, unless it has its own. */
export function declarationsOf(prototype: object): LiveDeclarations {
  const base = Object.getPrototypeOf(prototype) as object | null;
  const inherited = base === null ? NONE : declarationsOf(base);
  const own = declarations.get(prototype) ?? NONE;
  return {
    phases: overlaid(inherited.phases, own.phases, ({ name }) => name),
    watches: overlaid(inherited.watches, own.watches, ({ method }) => method),
    values: overlaid(inherited.values, own.values, ({ key }) => key),
    extracts: overlaid(inherited.extracts, own.extracts, ({ method }) => method),
  };
}

function overlaid<Item>(
  inherited: readonly Item[],
  own: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const names = new Set(own.map(nameOf));
  return [...inherited.filter((item) => !names.has(nameOf(item))), ...own];
}

const NONE: LiveDeclarations = Object.freeze({ phases: [], watches: [], values: [], extracts: [] });

function ownOf(prototype: object): LiveDeclarations {
  let own = declarations.get(prototype);
  if (!own) declarations.set(prototype, (own = { phases: [], watches: [], values: [], extracts: [] }));
  return own;
}

/** The context of phases and watchers. */
export interface LiveContext<State extends object = Record<string, unknown>> {
  /** The state of the conversation. Writes are stored at the end of the turn. */
  readonly state: StateView<State>;
  /** The name of the current phase. */
  readonly phase: string;
  /** What goes on in the live session: who speaks, for how long. Absent in a text run. */
  readonly signals?: LiveSignals;
  /** The model reads the text with whatever follows. In a text run, with the next message. */
  steer(text: string): void;
  /** The model answers the text, which is no message of the user. In a text run, with the next message. */
  prompt(text: string): void;
  /**
   * Enters a phase at the end of the turn, whatever its `from` and `when`. Has no effect in the method of a phase, which
   * only gives the instruction.
   *
   * @throws {PhasesInvalidError} for a phase that does not exist
   */
  goTo(phase: string): void;
  readonly callback: CallbackContext;
}
