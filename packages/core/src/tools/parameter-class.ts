import type { ClassReference } from '../metadata/class-metadata.js';
import { parameterTypes } from '../metadata/parameter-types.js';
import { sourceName } from '../schema/source-name.js';
import { ParameterClassUnknownError } from './parameter-class-unknown.error.js';
import { registeredClass } from './registered-class.js';

/**
 * The class of a method's parameter where no reference to it was built: as the compiler emitted it, if it bears the
 * name, else the one class of that name that class-validator knows.
 *
 * @throws {ParameterClassUnknownError}
 */
export function parameterClass(
  target: ClassReference,
  method: string,
  index: number,
  name: string,
): ClassReference {
  const emitted = parameterTypes(target.prototype as object, method)[index];
  if (typeof emitted === 'function' && emitted.name === name) return emitted as unknown as ClassReference;
  const registered = registeredClass(name);
  if (registered !== undefined) return registered;
  throw new ParameterClassUnknownError(sourceName(target), method, name);
}
