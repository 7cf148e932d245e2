import { inject as injectByContainer } from 'inversify';

import { type ClassReference, defineParameterSlot, noteParameter } from '../metadata/class-metadata.js';
import { METHOD_INJECTIONS } from '../metadata/injection-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { refuseStandardCall } from './tool.decorator.js';

/** The options of `@param`. */
export interface ParamOptions {
  /** The description shown to the model. Default: the `@param` tag of the doc comment. */
  readonly description?: string;
  /** The name shown to the model. Default: the parameter's name. */
  readonly name?: string;
  /** Replaces the schema that is derived from the type. */
  readonly schema?: JsonSchema;
}

export const PARAMS = defineParameterSlot<ParamOptions>('params');

/** Describes a tool's parameter beyond its type and doc comment. */
export function param(described: string | ParamOptions) {
  const options = typeof described === 'string' ? { description: described } : described;
  return (prototype: object, method: string | symbol | undefined, index: number): void => {
    refuseStandardCall('param', method);
    noteParameter(PARAMS, prototype, method, index, options);
  };
}

/** A service identifier: a class, abstract or not, a name, or a `LazyServiceIdentifier`. */
export type InjectionToken = Parameters<typeof injectByContainer>[0];

/**
 * Injects a service: into a constructor parameter or a property when the instance is constructed, and into a parameter
 * of a `@tool` method at each call. The model does not see the parameter; a predicate such as `confirm` gets
 * `undefined` for it. Missing bindings are reported when the runner is created.
 *
 * @example
 * class Refunds {
 *   constructor(@inject(Ledger) private readonly ledger: Ledger) {}
 * }
 */
export function inject(token: InjectionToken): MethodDecorator & ParameterDecorator & PropertyDecorator {
  const injectIntoInstance = injectByContainer(token);
  return (target: object, member: string | symbol | undefined, place?: number | PropertyDescriptor) => {
    refuseStandardCall('inject', member);
    noteDeclarationSite((typeof target === 'function' ? target : target.constructor) as ClassReference);
    const isOfMethod = typeof place === 'number' && member !== undefined && typeof target !== 'function';
    if (isOfMethod) noteParameter(METHOD_INJECTIONS, target, member, place, token);
    else (injectIntoInstance as Undecided)(target, member, place);
  };
}

/** A decorator of a class member or a parameter. */
type Undecided = (
  target: object,
  member: string | symbol | undefined,
  place?: number | PropertyDescriptor,
) => void;
