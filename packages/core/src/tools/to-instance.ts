import type { ValidationError } from 'class-validator';

import type { ClassReference } from '../metadata/class-metadata.js';
import { ToolArgumentsInvalidError } from './tool-arguments-invalid.error.js';

/** How strictly an instance is held to its class: what the class does not name is refused. */
const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/**
 * Makes a model's object an instance of the class that a method asks for, and has class-validator check it. Both
 * libraries load with the first call that needs them.
 *
 * @throws {ToolArgumentsInvalidError}
 */
export async function toInstance(
  toolName: string,
  type: ClassReference,
  name: string,
  value: object,
): Promise<object> {
  const [{ plainToInstance }, { validate }] = await Promise.all([
    import('class-transformer').then(exportsOf),
    import('class-validator').then(exportsOf),
  ]);
  const instance = plainToInstance(type as new () => object, value);
  const faults = await validate(instance, STRICT);
  if (faults.length > 0) {
    throw new ToolArgumentsInvalidError(
      toolName,
      faults.flatMap((fault) => problemsOf(fault, name)),
    );
  }
  return instance;
}

/** A bundler may put all that a CommonJS module exports under `default`, and there alone. */
function exportsOf<Module extends object>(module: Module): Module {
  return (module as { readonly default?: Module }).default ?? module;
}

function problemsOf(fault: ValidationError, parent: string): string[] {
  const path = `${parent}.${fault.property}`;
  const own = Object.values(fault.constraints ?? {}).map((text) => text.replace(fault.property, path));
  return own.concat((fault.children ?? []).flatMap((child) => problemsOf(child, path)));
}
