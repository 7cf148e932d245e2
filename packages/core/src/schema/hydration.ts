import type { JsonSchema } from './json-schema.js';

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

export interface ListHydration {
  readonly kind: 'list';
  /** The plans of the first elements of a tuple, by index. */
  readonly first?: readonly (Hydration | null)[];
  /** The plan of all other elements. */
  readonly rest?: Hydration;
}

/** The plans of an object's properties: by name, by a pattern of the name, and of all others. */
export interface ObjectHydration {
  readonly kind: 'object';
  readonly properties?: Readonly<Record<string, Hydration>>;
  readonly patterns?: Readonly<Record<string, Hydration>>;
  readonly others?: Hydration;
}

/** A class instance, constructed by class-transformer and checked by class-validator; then its properties. */
export interface ClassHydration extends Omit<ObjectHydration, 'kind'> {
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
  readonly kind: 'choice';
  readonly branches: readonly HydrationBranch[];
}

export interface HydrationBranch {
  readonly types: readonly JsonType[];
  /** Absent if the type alone selects the branch. */
  readonly schema?: JsonSchema;
  readonly revive?: Hydration;
}

/** The types of JSON Schema, with `integer` as `number`. */
export type JsonType = 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string';
