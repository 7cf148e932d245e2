import type { JsonSchema } from '../schema/json-schema.js';
import type { ExplicitSchema, OutputOf, StandardSchema } from '../schema/standard/standard-schema.js';
import type { ConfirmationPredicate } from './confirmation.js';
import type { ToolContext } from './tool-context.js';
import type { ToolTraits } from './tool.js';

/** Any method, whatever its parameters. */
export type AnyMethod = (...args: never[]) => unknown;

/**
 * The arguments of a method as a predicate gets them: bound and validated, and `undefined` for what Adorn fills in,
 * but for the `ToolContext`, which has no credential yet. The type of a parameter does not tell whether `@inject`
 * stands before it: it is `undefined` here all the same.
 */
export type PredicateArguments<Arguments extends readonly unknown[]> = {
  [Index in keyof Arguments]: Arguments[Index] extends AbortSignal ? undefined : Arguments[Index];
};

/** What `@tool` can be told. Everything may be left out. */
export interface ToolOptions<Method extends AnyMethod = AnyMethod> extends ToolTraits {
  /** The name the model calls. Default: the method's name in snake_case. */
  readonly name?: string;
  /** Said to the model. Default: the method's doc comment. */
  readonly description?: string;
  /**
   * The schema of the arguments where the signature is not to be it: JSON Schema, or a schema of a library such as
   * zod. The method is then called with all the arguments as one object, as the library gives it, and the
   * `ToolContext`.
   */
  readonly parameters?: ExplicitSchema;
  /** Whether a person is asked before a call runs; a string is the hint, a function is asked for each call. Default: only where it is destructive. */
  readonly confirm?: boolean | string | ConfirmationPredicate<PredicateArguments<Parameters<Method>>>;
}

/** What `@tool` can be told along with a schema that types nothing, or none. */
export interface PlainToolOptions<Method extends AnyMethod> extends ToolOptions<Method> {
  readonly parameters?: JsonSchema & { readonly '~standard'?: never };
}

/** A method that takes what a library's schema gives. */
export type SchemaMethod<Schema extends StandardSchema> = (
  args: OutputOf<Schema>,
  context: ToolContext,
) => unknown;

/** What `@tool` can be told along with a library's schema, which then types the method. */
export interface SchemaToolOptions<Schema extends StandardSchema> extends ToolOptions<SchemaMethod<Schema>> {
  readonly parameters: Schema;
}
