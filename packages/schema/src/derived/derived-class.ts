import type { ClassReference } from '../metadata/class-metadata.js';
import type { JsonSchema } from '../reader/schema-parts.js';

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
  /** The fields of a `@remembered` class, as all arguments of a tool. Absent for any other class. */
  readonly fields?: DerivedTool;
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

/**
 * A plan for converting JSON to the value of a TypeScript type, such as a Date or an instance. It mirrors the schema;
 * parts that need no conversion have no plan.
 */
export type Hydration =
  | LeafHydration
  | ListHydration
  | ObjectHydration
  | ClassHydration
  | ChoiceHydration
  /** A reference to a named plan, for recursive types. */
  | { readonly kind: 'reference'; readonly name: string };

/** The plan of a value that is converted as a whole. */
export type LeafHydration =
  | { readonly kind: 'date' | 'url' | 'bigint' }
  /** Decoded from base64; multi-byte numbers are little-endian. */
  | { readonly kind: 'bytes'; readonly as: BytesName };

/** The class that bytes are converted to. */
export type BytesName =
  | 'ArrayBuffer'
  | 'BigInt64Array'
  | 'BigUint64Array'
  | 'Buffer'
  | 'Float32Array'
  | 'Float64Array'
  | 'Int16Array'
  | 'Int32Array'
  | 'Int8Array'
  | 'Uint16Array'
  | 'Uint32Array'
  | 'Uint8Array'
  | 'Uint8ClampedArray';

/** The plans of the elements of an array or tuple. */
export interface ListHydration {
  /** Distinguishes the plans. */
  readonly kind: 'list';
  /** The plans of the first elements of a tuple, by index. */
  readonly first?: readonly (Hydration | null)[];
  /** The plan of all other elements. */
  readonly rest?: Hydration;
}

/** The plans of an object's properties: by name, by a pattern of the name, and of all others. */
export interface ObjectHydration {
  /** Distinguishes the plans. */
  readonly kind: 'object';
  /** The plans by the names of properties. */
  readonly properties?: Readonly<Record<string, Hydration>>;
  /** The plans by regular expressions of names, as in `patternProperties`. */
  readonly patterns?: Readonly<Record<string, Hydration>>;
  /** The plan of all other properties. */
  readonly others?: Hydration;
}

/** A class instance, constructed by class-transformer and checked by class-validator; then its properties. */
export interface ClassHydration extends Omit<ObjectHydration, 'kind'> {
  /** Distinguishes the plans. */
  readonly kind: 'class';
  /** The key of the class in the record: its name, made unique if two classes of a tool have the same name. */
  readonly class: string;
  /** The class's own name, if it differs from the key. */
  readonly name?: string;
  /** The names that the model uses for properties renamed by `@Expose`, by property name. */
  readonly sentAs?: Readonly<Record<string, string>>;
  /** Properties of the class without a class-validator decorator. */
  readonly unchecked?: readonly string[];
}

/**
 * A union. Selects the first branch that accepts the value's type and whose schema, if any, it matches. Branches without
 * a plan come first.
 */
export interface ChoiceHydration {
  /** Distinguishes the plans. */
  readonly kind: 'choice';
  /** In the order in which they are tried. */
  readonly branches: readonly HydrationBranch[];
}

/** A branch of a union, and the plan of its values. */
export interface HydrationBranch {
  /** The JSON types of the values of the branch. */
  readonly types: readonly JsonType[];
  /** Absent if the type alone selects the branch. */
  readonly schema?: JsonSchema;
  /** The plan of the values. Absent if they stay as they are. */
  readonly revive?: Hydration;
}

/** The types of JSON Schema, with `integer` as `number`. */
export type JsonType = 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string';
