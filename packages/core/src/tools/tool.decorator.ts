import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ExplicitSchema } from '../schema/standard/standard-schema.js';
import { ToolMisplacedError } from './errors.js';
import type { AnyMethod, MethodFor, ToolOptions, TypedToolOptions } from './tool-options.js';
import { refuseStandardCall } from './refuse-standard-call.js';
import { TOOLS } from './tool.metadata.js';

/** The property descriptor of a method. Looser than `TypedPropertyDescriptor`, whose `set` has to match exactly. */
export interface MethodDescriptor<Method extends AnyMethod> {
  readonly value?: Method;
}

/** Decorates methods of one type. */
export type ToolDecorator<Method extends AnyMethod> = (
  prototype: object,
  method: string | symbol,
  descriptor: MethodDescriptor<Method>,
) => void;

/**
 * Offers a method to the model as a tool: its signature is the schema, its doc comment the description.
 *
 * - `@tool forecast(city: string) { … }`
 * - `@tool({ confirm: (city) => city === 'Atlantis' }) evacuate(city: string) { … }`
 * - `@tool({ parameters: z.object({ day: z.iso.date() }) }) rain({ day }: { day: string }) { … }`
 *
 * @throws {ExperimentalDecoratorsMissingError} in a file that was compiled without the option
 * @throws {ToolMisplacedError} on anything but a public method of an instance
 */
export function tool<Method extends AnyMethod, Schema extends ExplicitSchema = JsonSchema>(
  options?: TypedToolOptions<Method, Schema>,
): ToolDecorator<MethodFor<Method, Schema>>;
export function tool<Method extends AnyMethod>(
  prototype: object,
  method: string | symbol,
  descriptor: MethodDescriptor<Method>,
): void;
export function tool(
  optionsOrPrototype: ToolOptions | object = {},
  method?: string | symbol,
  descriptor?: PropertyDescriptor,
): ((prototype: object, method: string | symbol, descriptor: PropertyDescriptor) => void) | undefined {
  if (method !== undefined) {
    mark(optionsOrPrototype, method, descriptor, {});
    return undefined;
  }
  return (prototype, name, itsDescriptor) => {
    mark(prototype, name, itsDescriptor, optionsOrPrototype);
  };
}

function mark(
  prototype: object,
  method: string | symbol,
  descriptor: PropertyDescriptor | undefined,
  options: ToolOptions,
): void {
  refuseStandardCall('tool', method);
  const owner = prototype.constructor as ClassReference;
  if (typeof prototype === 'function') throw new ToolMisplacedError(prototype.name, method, 'is static');
  if (typeof method === 'symbol')
    throw new ToolMisplacedError(owner.name, method, 'has a symbol as its name');
  if (typeof descriptor?.value !== 'function')
    throw new ToolMisplacedError(owner.name, method, 'is not a method');
  updateOwnMetadata(owner, TOOLS, (marked) => new Map([...marked, [method, { method, options }]]));
  noteDeclarationSite(owner);
}
