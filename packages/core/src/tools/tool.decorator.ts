import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.metadata.js';
import type { StandardSchema } from '../schema/standard/standard-schema.js';
import { ToolMisplacedError } from './errors.js';
import type {
  AnyMethod,
  PlainToolOptions,
  SchemaMethod,
  SchemaToolOptions,
  ToolOptions,
} from './tool-options.js';
import { TOOLS } from './tool.metadata.js';

/** Stands before a method of the type it was made for, and before no other. */
export type ToolDecorator<Method> = (
  prototype: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Stands before a method that takes what the schema gives, and before no other. */
export type SchemaToolDecorator<Schema extends StandardSchema> = <Method extends SchemaMethod<Schema>>(
  prototype: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Offers a method to the model as a tool: its signature is the schema, its doc comment the description.
 *
 * @example
 * class Weather {
 *   /** Current weather for a city. *\/
 *   @tool
 *   forecast(city: string) { ... }
 *
 *   @tool({ confirm: (city) => city === 'Atlantis' })
 *   evacuate(city: string) { ... }
 *
 *   @tool({ description: 'Rain of a day.', parameters: z.object({ day: z.iso.date() }) })
 *   rain({ day }: { day: string }) { ... }
 * }
 * @throws {ToolMisplacedError} before anything but a public method of an instance
 */
export function tool<Schema extends StandardSchema>(
  options: SchemaToolOptions<Schema>,
): SchemaToolDecorator<Schema>;
export function tool<Method extends AnyMethod>(options?: PlainToolOptions<Method>): ToolDecorator<Method>;
export function tool<Method extends AnyMethod>(
  prototype: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
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
  const owner = prototype.constructor as ClassReference;
  if (typeof prototype === 'function') throw new ToolMisplacedError(prototype.name, method, 'is static');
  if (typeof method === 'symbol')
    throw new ToolMisplacedError(owner.name, method, 'has a symbol as its name');
  if (typeof descriptor?.value !== 'function')
    throw new ToolMisplacedError(owner.name, method, 'is not a method');
  updateOwnMetadata(owner, TOOLS, (marked) => new Map([...marked, [method, { method, options }]]));
  noteDeclarationSite(owner);
}
