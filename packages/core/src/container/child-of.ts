import type { Container } from 'inversify';

import { NotAContainerError } from './errors.js';

/**
 * A child made by the parent's own copy of inversify: containers of two copies read each other's private fields and
 * throw. A subclass of Container may have another constructor, so its base is looked for.
 *
 * @throws {NotAContainerError} for what is no container, or one of another major version
 */
export function childOf(parent: unknown): Container {
  let prototype: unknown = parent;
  do prototype = Object.getPrototypeOf(prototype ?? Object.create(null));
  while (prototype !== null && !Object.hasOwn(prototype as object, 'isCurrentBound'));
  const Base = (prototype as Container | null)?.constructor as typeof Container | undefined;
  if (Base === undefined || !('unloadAsync' in Base.prototype) || 'createChild' in Base.prototype) {
    throw new NotAContainerError();
  }
  return Reflect.construct(Base, [{ parent }]) as Container;
}
