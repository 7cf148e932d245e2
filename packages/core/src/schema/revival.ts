import type { JsonSchema } from './json-schema.js';

/**
 * What has to be made of JSON so that it is what a type promises, and where in it; it has the shape of the schema.
 * Where nothing has to be made there is no plan.
 */
export type Revival =
  | LeafRevival
  | ListRevival
  | ObjectRevival
  | ClassRevival
  | ChoiceRevival
  /** The plan of that name, beside this one: types that contain themselves. */
  | { readonly kind: 'reference'; readonly name: string };

export type LeafRevival =
  | { readonly kind: 'date' | 'url' | 'bigint' }
  /** From base64; numbers of more than one byte are little-endian. */
  | { readonly kind: 'bytes'; readonly as: BytesName };

/** What bytes are given as. */
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

export interface ListRevival {
  readonly kind: 'list';
  /** Of the first elements of a tuple, by their places. */
  readonly first?: readonly (Revival | null)[];
  /** Of all other elements. */
  readonly rest?: Revival;
}

/** Of an object's properties by name, of others by the pattern of their name, and of all that are left. */
export interface ObjectRevival {
  readonly kind: 'object';
  readonly properties?: Readonly<Record<string, Revival>>;
  readonly patterns?: Readonly<Record<string, Revival>>;
  readonly others?: Revival;
}

/** An instance, made by class-transformer and checked by class-validator; then its properties as of an object. */
export interface ClassRevival extends Omit<ObjectRevival, 'kind'> {
  readonly kind: 'class';
  /** What the record calls the class: its name, or where two of one tool share a name, one made of it. */
  readonly class: string;
  /** The class's own name, where the record calls it otherwise. */
  readonly name?: string;
  /** The names under which the model sends properties that `@Expose` renames, by the class's own. */
  readonly sentAs?: Readonly<Record<string, string>>;
  /** Properties that the class declares and class-validator does not know. */
  readonly unchecked?: readonly string[];
}

/**
 * A union. The value is of the first branch that takes its type and whose schema, if it has one, it fits; those
 * without a plan come first.
 */
export interface ChoiceRevival {
  readonly kind: 'choice';
  readonly branches: readonly RevivalBranch[];
}

export interface RevivalBranch {
  readonly types: readonly JsonType[];
  /** Absent where the type of the value tells enough. */
  readonly schema?: JsonSchema;
  readonly revive?: Revival;
}

export type JsonType = 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string';
