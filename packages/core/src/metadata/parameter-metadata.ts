import 'reflect-metadata';
import { type ClassReference, defineSlot, type MetadataSlot, updateOwnMetadata } from './class-metadata.js';

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
