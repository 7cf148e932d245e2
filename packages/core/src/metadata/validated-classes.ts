import 'reflect-metadata';
import type { ClassReference } from './class-metadata.js';

/** Where every copy of class-validator in a process keeps what its decorators were told, by class. */
interface Registry {
  readonly validationMetadatas?: ReadonlyMap<unknown, unknown>;
}

/** The classes of this name that class-validator knows. It is not loaded for it: who decorated a class has loaded it. */
export function validatedClasses(name: string): ClassReference[] {
  const { classValidatorMetadataStorage: registry } = globalThis as {
    classValidatorMetadataStorage?: Registry;
  };
  return [...(registry?.validationMetadatas?.keys() ?? [])].filter(
    (target): target is ClassReference => typeof target === 'function' && target.name === name,
  );
}

/** The constructor that a compiler recorded for a decorated property; undefined where it recorded none. */
export function propertyType(prototype: object, property: string): unknown {
  return Reflect.getMetadata('design:type', prototype, property) as unknown;
}
