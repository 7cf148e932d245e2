import 'reflect-metadata';
import 'reflect-metadata';

/** Any class, abstract ones included. */
export type ClassReference<Instance = object> = abstract new (...args: never[]) => Instance;

/** A typed slot of class metadata, in which one kind of decorator stores its options. */
export interface MetadataSlot<Value> {
  /** Under which classes have it; the same in every copy of this package. */
  readonly key: symbol;
  /** The value of a class that has none. */
  readonly empty: () => Value;
  /** Merges a subclass's own value with the inherited one. */
  readonly overlay: (inherited: Value, own: Value) => Value;
}

/** Declares a slot. `Symbol.for` lets two copies of this package read each other's classes. */
export function defineSlot<Value>(slot: {
  name: string;
  empty: () => Value;
  overlay: (inherited: Value, own: Value) => Value;
}): MetadataSlot<Value> {
  return { key: Symbol.for(`adorn:${slot.name}`), empty: slot.empty, overlay: slot.overlay };
}

/** Writes to the class itself and never to its base: siblings must not see each other's tools. */
export function updateOwnMetadata<Value>(
  target: ClassReference,
  slot: MetadataSlot<Value>,
  change: (own: Value) => Value,
): void {
  Reflect.defineMetadata(slot.key, change(readOwnMetadata(target, slot) ?? slot.empty()), target);
}

/** Reads the class's own value, without its base classes. */
export function readOwnMetadata<Value>(target: ClassReference, slot: MetadataSlot<Value>): Value | undefined {
  return Reflect.getOwnMetadata(slot.key, target) as Value | undefined;
}

/** Reads the slot as the class and all its bases declare it, base first. */
export function readMetadata<Value>(target: ClassReference, slot: MetadataSlot<Value>): Value {
  const base = baseOf(target);
  const inherited = base ? readMetadata(base, slot) : slot.empty();
  const own = readOwnMetadata(target, slot);
  return own === undefined ? inherited : slot.overlay(inherited, own);
}

/** The class that this one extends, if it extends any. */
export function baseOf(target: ClassReference): ClassReference | undefined {
  const base = Object.getPrototypeOf(target) as ClassReference | null;
  return base === null || base === Function.prototype ? undefined : base;
}

/** The values that decorators set on parameters: by method, then by parameter index. */
export type ParameterTable<Value> = ReadonlyMap<string, ReadonlyMap<number, Value>>;

/**
 * Declares a slot for one kind of parameter decorator. An overriding method with any such decorator replaces all of
 * the base's.
 */
export function defineParameterSlot<Value>(name: string): MetadataSlot<ParameterTable<Value>> {
  return defineSlot<ParameterTable<Value>>({
    name,
    empty: () => new Map(),
    overlay: (inherited, own) => new Map([...inherited, ...own]),
  });
}

/** Records the value that a decorator sets on one parameter of a method. */
export function noteParameter<Value>(
  slot: MetadataSlot<ParameterTable<Value>>,
  prototype: object,
  method: string | symbol | undefined,
  index: number,
  value: Value,
): void {
  const name = String(method);
  updateOwnMetadata(
    prototype.constructor as ClassReference,
    slot,
    (table) => new Map([...table, [name, new Map([...(table.get(name) ?? []), [index, value]])]]),
  );
}

/** The constructors that a compiler recorded for a method's parameters; empty where it recorded none. */
export function parameterTypes(prototype: object, method: string): readonly unknown[] {
  return (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as readonly unknown[];
}

/** The constructor that a compiler recorded for a decorated property; undefined where it recorded none. */
export function propertyType(prototype: object, property: string): unknown {
  return Reflect.getMetadata('design:type', prototype, property) as unknown;
}
