import { types } from 'node:util';

import { AdornError } from '../errors/adorn.error.js';

/**
 * Maximum nesting depth of objects and lists in a stored value: arguments, parts, state values, results. Stored values
 * are processed recursively, so the depth must be limited.
 */
export const MAX_JSON_DEPTH = 200;

/**
 * What is made of values that JSON lacks: an error, or, in the result of a tool, a form that a parameter of their type
 * accepts: the digits of a bigint, the base64 text of bytes (in a `BytesInJson`).
 */
export type JsonForm = 'refused' | 'result';

/** Bytes in the result of a tool. */
export interface BytesInJson {
  /** The type of the bytes, such as `image/png`. */
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/**
 * Converts a value to plain JSON. Returns the same object if it is plain already, else a copy with `toJSON` applied,
 * `undefined` left out, and the fields of an instance together with its getters.
 *
 * @throws {ValueNotJsonError} for a value that JSON cannot represent (a bigint or bytes, unless `form` is `result`, a
 *   function, a symbol, an Error, a Map, Set or Headers, a RegExp, an instance without fields, a cycle), and for more than `MAX_JSON_DEPTH` levels of nesting
 */
export function toJsonValue(value: unknown, form: JsonForm = 'refused'): unknown {
  return isJsonValue(value) ? value : convert(value, { ancestors: [], steps: [], form });
}

/** True if a value is plain JSON of at most `levels` levels. Neither converts nor allocates. */
export function isJsonValue(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (levels > 0 && holdsJson(value, levels - 1));
    default:
      return false;
  }
}

function holdsJson(value: object, levels: number): boolean {
  if (isBytes(value) || writesItself(value)) return false;
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) if (!isJsonValue(element, levels)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  for (const name in value) {
    if (!isJsonValue((value as Record<string, unknown>)[name], levels)) return false;
  }
  return true;
}

/** True for a buffer or a view of one, and for a `Buffer` as JSON. They may be large, so their elements are never walked. */
export function isBytes(value: object): boolean {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    return true;
  const { type, data } = value as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data);
}

/** The bytes of a value for which `isBytes` is true. */
function bytesOf(value: object): Buffer {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return Buffer.from(value);
  return Buffer.from((value as { readonly data: readonly number[] }).data);
}

/** How many bytes a value has for which `isBytes` is true. */
export function byteLengthOf(value: object): number {
  return 'byteLength' in value
    ? (value as ArrayBufferView).byteLength
    : (value as { readonly data: readonly unknown[] }).data.length;
}

/** Bytes as base64 in an object of JSON. */
export function bytesInJson(bytes: object, mimeType = 'application/octet-stream'): BytesInJson {
  return { mimeType, data: bytesOf(bytes).toString('base64') };
}

/** An object literal of any realm, or an object without a prototype. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** The position of the conversion: the enclosing objects, and the path to the value. */
interface Walk {
  readonly ancestors: object[];
  readonly steps: (string | number)[];
  readonly form: JsonForm;
}

function convert(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : convertObject(value, walk);
    case 'bigint':
      return convertBigint(value, walk);
    default:
      throw new ValueNotJsonError(`a ${typeof value}`, walk.steps);
  }
}

function convertBigint(value: bigint, { form, steps }: Walk): string {
  if (form === 'refused') throw new ValueNotJsonError('a bigint', steps);
  return String(value);
}

function convertObject(value: object, walk: Walk): unknown {
  if (isBytes(value) || !writesItself(value)) return convertPlain(value, walk);
  const written = value.toJSON('');
  return typeof written === 'object' && written !== null
    ? convertPlain(written, walk)
    : convert(written, walk);
}

function writesItself(value: object): value is { toJSON: (key: string) => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Converts an object without calling `toJSON`, which may have been called already. */
function convertPlain(value: object, walk: Walk): unknown {
  if (walk.ancestors.length === MAX_JSON_DEPTH) {
    const found = `more than ${String(MAX_JSON_DEPTH)} levels of nesting`;
    throw new ValueNotJsonError(walk.ancestors.includes(value) ? 'a cycle' : found, walk.steps.slice(0, 3));
  }
  if (isBytes(value)) return convertBytes(value, walk);
  if (value instanceof Blob) throw new ValueNotJsonError('a Blob', walk.steps);
  if (typeof (value as { next?: unknown }).next === 'function')
    throw new ValueNotJsonError('an iterator', walk.steps);
  if (typeof (value as { then?: unknown }).then === 'function')
    throw new ValueNotJsonError('a promise', walk.steps);
  if (value instanceof BigInt) throw new ValueNotJsonError('a bigint', walk.steps);
  const hidden = hiddenData(value);
  if (hidden !== undefined) throw new ValueNotJsonError(hidden, walk.steps);
  if (isBoxed(value)) return convert(value.valueOf(), walk);
  if (walk.ancestors.includes(value)) throw new ValueNotJsonError('a cycle', walk.steps);
  walk.ancestors.push(value);
  const converted = Array.isArray(value)
    ? convertArray(value, walk)
    : convertFields(isPlain(value) ? (value as Record<string, unknown>) : fieldsOf(value, walk), walk);
  walk.ancestors.pop();
  return converted;
}

/** The kind of an object whose data are not in its fields: as JSON it would be an empty object, which says nothing. */
function hiddenData(value: object): string | undefined {
  if (types.isNativeError(value) || value instanceof Error) return nameOf(value, 'Error');
  if (types.isRegExp(value)) return 'a RegExp';
  if (Array.isArray(value) || isPlain(value) || isBoxed(value)) return undefined;
  return Symbol.iterator in value || Symbol.asyncIterator in value ? nameOf(value, 'an iterable') : undefined;
}

/** The class of an object with its article. */
function nameOf(value: object, fallback: string): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  const name = typeof constructor?.name === 'string' && constructor.name !== '' ? constructor.name : fallback;
  if (name.includes(' ')) return name;
  return `${/^[AEIOU]/i.test(name) && !/^U[A-Z]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** A `new String(…)`, or another object around a primitive value. */
function isBoxed(value: object): value is { valueOf(): string | number | boolean } {
  return types.isStringObject(value) || types.isNumberObject(value) || types.isBooleanObject(value);
}

/**
 * The fields of an instance, with the values of its getters, which JSON leaves out.
 *
 * @throws {ValueNotJsonError} if it has neither: its data cannot be seen
 */
function fieldsOf(value: object, { steps }: Walk): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...value };
  for (
    let owner = prototypeOf(value);
    owner !== null && prototypeOf(owner) !== null;
    owner = prototypeOf(owner)
  )
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (descriptor.get !== undefined && !Object.hasOwn(fields, name) && name !== '__proto__')
        fields[name] = readGetter(value, { owner, name }, [...steps, name]);
  if (Object.keys(fields).length > 0) return fields;
  throw new ValueNotJsonError(`${nameOf(value, 'an object')} without fields`, steps);
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

function readGetter(
  value: object,
  { owner, name }: { readonly owner: object; readonly name: string },
  steps: readonly (string | number)[],
): unknown {
  try {
    return Reflect.get(owner, name, value) as unknown;
  } catch {
    throw new ValueNotJsonError('a getter that throws', steps);
  }
}

function convertBytes(value: object, { form, steps }: Walk): BytesInJson {
  if (form === 'refused') throw new ValueNotJsonError('bytes', steps);
  return bytesInJson(value);
}

function convertArray(values: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, value] of values.entries()) {
    const converted = convertAt(index, value, walk);
    if (converted !== value) (copy ??= [...values])[index] = converted;
  }
  return copy ?? values;
}

function convertFields(fields: Record<string, unknown>, walk: Walk): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const converted = convertAt(name, value, walk);
    if (converted === value) continue;
    copy ??= { ...fields };
    if (value === undefined) Reflect.deleteProperty(copy, name);
    else copy[name] = converted;
  }
  return copy ?? fields;
}

function convertAt(step: string | number, value: unknown, walk: Walk): unknown {
  walk.steps.push(step);
  const converted = convert(value, walk);
  walk.steps.pop();
  return converted;
}

/** A tool's result or a state value cannot be represented in JSON, or is nested too deeply. The message goes to the model. */
export class ValueNotJsonError extends AdornError {
  readonly code = 'RESULT_NOT_JSON';

  /** The kind of the value and its path, such as `a bigint at rows.1.id`. */
  readonly found: string;

  /** @param steps the path: names and indexes */
  constructor(kind: string, steps: readonly (string | number)[]) {
    const found = steps.length === 0 ? kind : `${kind} at ${steps.join('.').slice(0, 200)}`;
    super(`The value contains ${found}, which JSON cannot represent. ` + cureOf(kind));
    this.found = found;
  }
}

function cureOf(kind: string): string {
  if (kind === 'bytes' || kind === 'a Blob')
    return "Save them with context.saveArtifact and pass the artifact's name.";
  if (/Error$/.test(kind)) return 'Throw it, or pass its message as a text.';
  return 'Pass plain values: a bigint as a string, a Map as an object, and no functions or circular references.';
}

/**
 * A deeply frozen copy of a JSON value; the value itself if it is deeply frozen already. Objects that are not plain, such
 * as a `Date` or bytes, stay as they are.
 *
 * @throws {ValueNotJsonError} for a cycle, and for more than a thousand levels of nesting
 */
export function frozenJson<Value>(value: Value): Value {
  return frozenAt(value, 0, value) as Value;
}

/** The depth at which the copy stops. More than `MAX_JSON_DEPTH`, which holds for the parts of an event. */
const DEEPEST_FROZEN = 1_000;

/** @param whole the value that is frozen, of which this one is a part */
function frozenAt(value: unknown, depth: number, whole: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST_FROZEN) throw tooDeep(whole);
  if (Array.isArray(value)) return frozenList(value, depth + 1, whole);
  return isPlain(value) && !isBytes(value)
    ? frozenFields(value as Record<string, unknown>, depth + 1, whole)
    : value;
}

/** Tells a cycle from a value of many levels, which `toJsonValue` refuses as well. */
function tooDeep(whole: unknown): unknown {
  try {
    toJsonValue(whole);
  } catch (error) {
    return error;
  }
  return new ValueNotJsonError(`more than ${String(DEEPEST_FROZEN)} levels of nesting`, []);
}

function frozenList(values: readonly unknown[], depth: number, whole: unknown): readonly unknown[] {
  let copy = Object.isFrozen(values) ? undefined : [...values];
  for (let index = 0; index < values.length; index++) {
    const element = values[index];
    const frozen = frozenAt(element, depth, whole);
    if (frozen !== element) (copy ??= [...values])[index] = frozen;
  }
  return copy ? Object.freeze(copy) : values;
}

function frozenFields(
  fields: Record<string, unknown>,
  depth: number,
  whole: unknown,
): Record<string, unknown> {
  let copy = Object.isFrozen(fields) ? undefined : copyOfFields(fields);
  for (const name of Object.keys(copy ?? fields)) {
    const field = fields[name];
    if (typeof field !== 'object' || field === null) continue;
    const frozen = frozenAt(field, depth, whole);
    if (frozen !== field) (copy ??= copyOfFields(fields))[name] = frozen;
  }
  return copy ? Object.freeze(copy) : fields;
}

/** A shallow copy, without a prototype if the original has none. A field `__proto__` is a field of the copy as well. */
function copyOfFields(fields: Record<string, unknown>): Record<string, unknown> {
  if (Object.getPrototypeOf(fields) !== null) return { ...fields };
  return Object.assign(Object.create(null) as Record<string, unknown>, fields);
}

/** A deep copy of a JSON value, so that a method may change its arguments without changing the log. */
export function copyJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => copyJson(element)) as Value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field: unknown = value[name];
    if (name !== '__proto__') copy[name] = typeof field === 'object' ? copyJson(field) : field;
  }
  return copy as Value;
}

/** True if two JSON values are equal, regardless of the order of keys and of the realm of the objects. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) => Object.hasOwn(other, name) && isSameJson(fieldOf(one, name), fieldOf(other, name)),
  );
}

function fieldOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

/** JSON text of a JSON value in which the order of keys is fixed: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field) ? sorted(field) : field,
  );
}

/** Without a prototype, so that `__proto__` is a key like any other. */
function sorted(fields: object): Record<string, unknown> {
  const copy = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(fields).sort()) copy[name] = (fields as Record<string, unknown>)[name];
  return copy;
}
