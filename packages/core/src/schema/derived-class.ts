import type { ClassReference } from '../metadata/class-metadata.js';
import type { JsonSchema } from './json-schema.js';
import type { Hydration } from './hydration.js';

/**
 * What the compiler found in the source of one class: its words and, for each method marked `@tool`, the
 * signature as a schema. `adorn build` writes it into the emitted code, as the class's own property
 * {@link DERIVED}; in development it is derived on demand.
 */
export interface DerivedClass {
  /** The class's name in the source, which a minifier may change; absent where it has none. */
  readonly name?: string;
  /** The class's doc comment without its tags; absent where there is none. */
  readonly description?: string;
  /**
   * The classes that it and its bases ask for, by where they do: `constructor(0)`, `refund(1)`, or a property's name.
   * Absent where it asks for none.
   */
  readonly services?: Readonly<Record<string, 'abstract' | 'concrete'>>;
  /** By the name of the method. */
  readonly tools: Readonly<Record<string, DerivedTool>>;
  /** The functions that stand as they are among an agent's tools; only in what `adorn build` wrote. */
  readonly functions?: readonly DerivedFunction[];
}

/** What the compiler found at the function that a call of `defineTool` makes a tool. */
export interface DefinedFunction extends DerivedTool {
  /** The function's name in the source, which a minifier may change; absent where only its type was found. */
  readonly name?: string;
}

/** What the compiler found at a function among an agent's tools. */
export interface DerivedFunction extends DerivedTool {
  /** The function's name in the source, which a minifier may change. */
  readonly name: string;
  /** The function itself, where the agent's file has a name for it. */
  readonly function?: (...args: never[]) => unknown;
}

/** What the compiler found at one method or function. */
export interface DerivedTool {
  /** Its doc comment without its tags; absent where there is none. */
  readonly description?: string;
  /** Where each parameter gets its value, in the order of the signature. */
  readonly parameters: readonly DerivedParameter[];
  /** The object schema of the arguments, complete: dialects are made from it later. */
  readonly parametersJsonSchema: JsonSchema;
  /** What it returns (for `async *`: what it returns at its end); absent where JSON cannot hold it. */
  readonly responseJsonSchema?: JsonSchema;
  /** What an `async *` method yields on its way. */
  readonly yieldJsonSchema?: JsonSchema;
  /** The arguments for which the method itself has a default. */
  readonly initialized?: readonly string[];
  /** The plans that others refer to by name. */
  readonly revivals?: Readonly<Record<string, Hydration>>;
  /** The classes of which Adorn itself has to make instances: the others are made by class-transformer's `@Type`. */
  readonly instances?: readonly string[];
  /** The classes that plans name, where the compiler could reach them. */
  readonly classes?: Readonly<Record<string, ClassReference>>;
}

/** Where one parameter of a method or function gets its value. */
export type DerivedParameter =
  /** From the model: the argument of that name. `rest` spreads an array. */
  | { readonly kind: 'argument'; readonly name: string; readonly rest?: true; readonly revive?: Hydration }
  /** From the model: all the arguments as one object, where one parameter is all of them. */
  | { readonly kind: 'arguments'; readonly revive?: Hydration }
  /** Filled in by Adorn and never shown to the model: the `ToolContext`, the call's `AbortSignal`, a `LiveInput`. */
  | { readonly kind: 'context' | 'signal' | 'live' }
  /** Filled in by Adorn and never shown to the model: what `@inject` names before this very parameter. */
  | { readonly kind: 'service' };

/** Where `adorn build` leaves a class's record: an own property of the class. */
export const DERIVED = Symbol.for('adorn:derived');
