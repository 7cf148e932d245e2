import 'reflect-metadata';
import 'reflect-metadata';

/** Any class, abstract ones included. */
export type ClassReference<Instance = object> = abstract new (...args: never[]) => Instance;

/** A typed place on a class where decorators of one kind keep what they were told. */
export interface MetadataSlot<Value> {
  readonly key: symbol;
  readonly empty: () => Value;
  /** How a subclass's own value is laid over the value it inherits. */
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

/** What was said on the class itself, its bases left aside. */
export function readOwnMetadata<Value>(target: ClassReference, slot: MetadataSlot<Value>): Value | undefined {
  return Reflect.getOwnMetadata(slot.key, target) as Value | undefined;
}

/** Reads the slot as the class and all its bases declare it, base first. */
export function readMetadata<Value>(target: ClassReference, slot: MetadataSlot<Value>): Value {
  const base = baseOf(target);
  const inherited = base === undefined ? slot.empty() : readMetadata(base, slot);
  const own = readOwnMetadata(target, slot);
  return own === undefined ? inherited : slot.overlay(inherited, own);
}

/** The class that this one extends, if it extends any. */
export function baseOf(target: ClassReference): ClassReference | undefined {
  const base = Object.getPrototypeOf(target) as ClassReference | null;
  return base === null || base === Function.prototype ? undefined : base;
}

/** What decorators say of parameters: by method, then by the parameter's place. */
export type ParameterTable<Value> = ReadonlyMap<string, ReadonlyMap<number, Value>>;

/** A slot for one kind of decorator on parameters. An override that says anything says all of its method anew. */
export function defineParameterSlot<Value>(name: string): MetadataSlot<ParameterTable<Value>> {
  return defineSlot<ParameterTable<Value>>({
    name,
    empty: () => new Map(),
    overlay: (inherited, own) => new Map([...inherited, ...own]),
  });
}

/** Notes what a decorator says of one parameter of a method. */
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
