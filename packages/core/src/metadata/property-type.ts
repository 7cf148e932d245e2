import 'reflect-metadata';

/** The constructor that a compiler recorded for a decorated property; undefined where it recorded none. */
export function propertyType(prototype: object, property: string): unknown {
  return Reflect.getMetadata('design:type', prototype, property) as unknown;
}
