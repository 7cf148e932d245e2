import { declarationSite } from '../schema/declaration-site.js';
import { ExperimentalDecoratorsMissingError } from './errors.js';

/**
 * Refuses the call that a compiler makes without `experimentalDecorators`: the value, and a context with the `kind`
 * and the `name` of what is decorated. With the option, the second argument is the member's name, or absent.
 *
 * @throws {ExperimentalDecoratorsMissingError}
 */
export function refuseStandardCall(decorator: string, second: unknown): void {
  if (!isDecoratorContext(second)) return;
  const { kind, name } = second;
  const target = name === undefined ? `a ${kind} without a name` : `the ${kind} "${String(name)}"`;
  throw new ExperimentalDecoratorsMissingError(decorator, target, declarationSite());
}

function isDecoratorContext(value: unknown): value is DecoratorContext {
  return typeof value === 'object' && value !== null && 'kind' in value && 'addInitializer' in value;
}
