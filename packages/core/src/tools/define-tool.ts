import type { DefinedFunction } from '../schema/derived-class.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { FunctionRecord } from '../schema/function-record.js';
import { declarationSite } from '../schema/declaration-site.js';
import type { ExplicitSchema } from '../schema/standard/standard-schema.js';
import type { ConfirmationPredicate } from './confirmation.js';
import { DefinedTool, type DefinedToolOptions } from './defined.tool.js';
import type { ArgumentsOf } from './function.tool.js';
import { NotAFunctionError } from './errors.js';
import { isPlainFunction, toolOfFunction } from './tool-of-function.js';
import type { ToolContext } from './tool-context.js';
import type { AnyMethod, MethodFor, TypedToolOptions } from './tool-options.js';
import type { Tool, ToolTraits } from './tool.js';

/**
 * The fields of a tool whose schema is `parameters`, else the type of the object that `run` takes. One type for both:
 * with an overload for each, TypeScript reports a misspelt option once per overload.
 */
export interface TypedToolFields<
  Args extends object,
  Schema extends ExplicitSchema | undefined = undefined,
> extends ToolTraits {
  readonly name: string;
  /**
   * Said to the model. Default: the doc comment of the function, or of the constant that holds the tool; empty with
   * `parameters`.
   */
  readonly description?: string;
  /** The schema of the arguments, as JSON Schema or with a library such as zod. Default: derived from `run`. */
  readonly parameters?: Schema;
  /** Runs the tool with a copy of the checked arguments as one object. */
  readonly run: (args: FieldArguments<Args, Schema>, context: ToolContext) => unknown;
  /** Whether to ask a person before a call runs; a string is the hint. Default: only if the effect is destructive. */
  readonly confirm?:
    boolean | string | ConfirmationPredicate<[args: FieldArguments<Args, Schema>, context: ToolContext]>;
}

type FieldArguments<Args extends object, Schema> = Schema extends ExplicitSchema ? ArgumentsOf<Schema> : Args;

/** A function without fields. It has their names, so that TypeScript suggests one of them for a misspelt field. */
export interface BareFunction extends Partial<Omit<TypedToolFields<object>, 'run' | 'confirm'>> {
  (...args: never[]): unknown;
  readonly run?: never;
  readonly confirm?: never;
}

/**
 * Makes a tool of a function, as `@tool` does of a method: the schema comes from its signature, the description from
 * its doc comment, and the name from its name in snake_case. For an object with `run`, the schema is the type of the
 * single argument of `run`, or `parameters`.
 *
 * @example
 * /** Current weather for a city. @param city City, such as "Rome". *\/
 * async function getWeather(city: string, units: 'C' | 'F' = 'C') { ... }
 *
 * const weather = defineTool(getWeather, { timeout: 5_000 });
 * const rain = defineTool({ name: 'get_rain', run: ({ city }: { city: string }) => rainIn(city) });
 * const snow = defineTool({
 *   name: 'get_snow',
 *   description: 'Depth of snow.',
 *   parameters: z.object({ city: z.string() }),
 *   run: ({ city }) => snowIn(city),
 * });
 * @throws {NotAFunctionError} for a class, or for a function without a name
 */
export function defineTool<Args extends object, Schema extends ExplicitSchema | undefined = undefined>(
  subject: BareFunction | TypedToolFields<Args, Schema>,
): Tool;
/** Makes a tool of a function, with options that take precedence over its signature and doc comment. */
export function defineTool<Work extends AnyMethod, Schema extends ExplicitSchema = JsonSchema>(
  work: MethodFor<Work, Schema>,
  options: TypedToolOptions<Work, Schema> | undefined,
): Tool;
/** @param derived the record that `adorn build` inserts */
export function defineTool(
  subject: AnyMethod | (DefinedToolOptions & { readonly run: AnyMethod }),
  options?: Partial<DefinedToolOptions>,
  derived?: DefinedFunction,
): Tool {
  if (typeof subject !== 'object') return toolOfFunction(subject, options, derived);
  const { run: work, ...ownOptions } = subject;
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  return new DefinedTool({
    work,
    options: ownOptions,
    record: new FunctionRecord(ownOptions.name, declarationSite(), derived),
  });
}
