import type { ClassReference } from '../metadata/class-metadata.js';
import type { JsonSchema } from './json-schema.js';
import type { Hydration } from './hydration.js';

/**
 * What the compiler found in the source of one class: its words and, for each method marked `@tool`, the
 * signature as a schema. `adorn build` writes it into the emitted code, as the class's own property
 * {@link DERIVED}; in development it is derived on demand.
 */
export interface DerivedClass {
  /** The class's name in the source, which a minifier may change; absent if it has none. */
  readonly name?: string;
  /** The class's doc comment without its tags; absent if there is none. */
  readonly description?: string;
  /**
   * The classes that it and its bases ask for, by where they do: `constructor(0)`, `refund(1)`, or a property's name.
   * Absent where it asks for none.
   */
  readonly services?: Readonly<Record<string, 'abstract' | 'concrete'>>;
  /** By the name of the method. */
  readonly tools: Readonly<Record<string, DerivedTool>>;
  /** The bare functions in an agent's `tools`; only in built records. */
  readonly functions?: readonly DerivedFunction[];
}

/** The record of a function that `defineTool` makes a tool. */
export interface DefinedFunction extends DerivedTool {
  /** The function's name in the source, which a minifier may change; absent if only its type is known. */
  readonly name?: string;
}

/** The record of a function in an agent's `tools`. */
export interface DerivedFunction extends DerivedTool {
  /** The function's name in the source, which a minifier may change. */
  readonly name: string;
  /** The function itself, if the agent's file has a name for it. */
  readonly function?: (...args: never[]) => unknown;
}

/** The record of one method or function. */
export interface DerivedTool {
  /** Its doc comment without its tags; absent if there is none. */
  readonly description?: string;
  /** Where each parameter gets its value, in the order of the signature. */
  readonly parameters: readonly DerivedParameter[];
  /** The complete object schema of the arguments, which is later converted to dialects. */
  readonly parametersJsonSchema: JsonSchema;
  /** The schema of the result (for `async *`, of the returned value); absent if JSON cannot hold it. */
  readonly responseJsonSchema?: JsonSchema;
  /** The schema of the values that an `async *` method yields. */
  readonly yieldJsonSchema?: JsonSchema;
  /** The arguments for which the method itself has a default. */
  readonly initialized?: readonly string[];
  /** The plans that others refer to by name. */
  readonly revivals?: Readonly<Record<string, Hydration>>;
  /** The classes that Adorn instantiates; class-transformer's `@Type` instantiates the others. */
  readonly instances?: readonly string[];
  /** The classes of plans, if the compiler could reach them. */
  readonly classes?: Readonly<Record<string, ClassReference>>;
}

/** Where one parameter of a method or function gets its value. */
export type DerivedParameter =
  /** From the model: the argument of that name. `rest` spreads an array. */
  | { readonly kind: 'argument'; readonly name: string; readonly rest?: true; readonly revive?: Hydration }
  /** From the model: all arguments as one object, for a single destructured parameter. */
  | { readonly kind: 'arguments'; readonly revive?: Hydration }
  /** Filled in by Adorn and never shown to the model: the `ToolContext`, the call's `AbortSignal`, a `LiveInput`. */
  | { readonly kind: 'context' | 'signal' | 'live' }
  /** Injected and never shown to the model: the service of `@inject` before this parameter. */
  | { readonly kind: 'service' };

/** Where `adorn build` leaves a class's record: an own property of the class. */
export const DERIVED = Symbol.for('adorn:derived');
