import type { ExplicitSchema, OutputOf, StandardSchema } from '../schema/standard/standard-schema.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { ConfirmationPredicate } from './confirmation.js';
import type { ToolContext } from './tool-context.js';
import type { ToolTraits } from './tool.js';

/** Any method, whatever its parameters. */
export type AnyMethod = (...args: never[]) => unknown;

/**
 * The arguments of a method as a predicate gets them: bound and validated. Parameters that Adorn fills are `undefined`,
 * except for the `ToolContext`, which has no credential yet. Types cannot tell whether a parameter has `@inject`; such
 * a parameter is `undefined` too.
 */
export type PredicateArguments<Arguments extends readonly unknown[]> = {
  [Index in keyof Arguments]: Arguments[Index] extends AbortSignal ? undefined : Arguments[Index];
};

/** The options of `@tool`. All are optional. */
export interface ToolOptions<Method extends AnyMethod = AnyMethod> extends ToolTraits {
  /** The name the model calls. Default: the method's name in snake_case. */
  readonly name?: string;
  /** Said to the model. Default: the method's doc comment. */
  readonly description?: string;
  /**
   * The schema of the arguments, instead of the one derived from the signature: JSON Schema, or a schema of a library
   * such as zod. The method is then called with the arguments as one object (the library's output) and the
   * `ToolContext`.
   */
  readonly parameters?: ExplicitSchema;
  /** Whether to ask a person before a call runs; a string is the hint, a function decides per call. Default: only if destructive. */
  readonly confirm?: boolean | string | ConfirmationPredicate<PredicateArguments<Parameters<Method>>>;
  /**
   * Whether a call may run again that failed or whose process ended: always, or as a function of the method's arguments
   * decides, whose `ToolContext` has no credential. Only `true` lets it run again; a throw counts as false, and is logged.
   * Default: false.
   */
  readonly idempotent?: boolean | ((...args: PredicateArguments<Parameters<Method>>) => Awaitable<boolean>);
  /**
   * Called with the arguments of the method before a call runs again whose process ended while it ran: returns the result
   * if the call took effect, and undefined if it did not. Look it up by `context.idempotencyKey`. Default: only an
   * `idempotent` tool or one with the effect `read` runs again; other calls are answered as of unknown outcome.
   */
  readonly reconcile?: (...args: Parameters<Method>) => unknown;
}

/** A method that takes the output of a library's schema. */
export type SchemaMethod<Schema extends StandardSchema> = (
  args: OutputOf<Schema>,
  context: ToolContext,
) => unknown;

/** The method that a tool needs: one typed by the schema of a library, or any method. */
export type MethodFor<Method extends AnyMethod, Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? SchemaMethod<Schema>
  : Method;

/**
 * The options of `@tool` and `defineTool`, typed by the method and by the schema. One type for both: with an overload
 * for each, TypeScript reports a misspelt option once per overload.
 */
export interface TypedToolOptions<
  Method extends AnyMethod,
  Schema extends ExplicitSchema,
> extends ToolOptions<MethodFor<Method, Schema>> {
  readonly parameters?: Schema;
}
