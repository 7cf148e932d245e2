import type { ApproverFacts, ApproverRule } from '../approvals/approver-rule.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { JsonSchema, ExplicitSchema, OutputOf, StandardSchema } from '@adorn/schema';
import { CallableTool, explicitShape } from './callable.tool.js';
import { checkIsOptions } from './check-tool-options.js';
import type { ConfirmationPredicate } from './tool-requests.js';
import type { ToolContext } from './tool-context.js';
import type { OnceKey, TypedOnceOptions } from './tool.decorator.js';
import type { ToolTraits } from './tool-traits.js';

/** The type of validated arguments: the output of a library's schema. */
export type ArgumentsOf<Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Record<string, unknown>;

/** The fields of a function tool. */
export interface FunctionToolFields<Schema extends ExplicitSchema = JsonSchema> extends ToolTraits {
  /** The name that the model calls. */
  readonly name: string;
  /** Shown to the model: when to call the tool. */
  readonly description: string;
  /** The schema of the arguments, as JSON Schema or with a library such as zod. Default: an object without any. */
  readonly parameters?: Schema;
  /** Runs the tool with a copy of the checked arguments as one object. */
  readonly run: (args: ArgumentsOf<Schema>, context: ToolContext) => unknown;
  /** Whether to ask a person before a call runs; a string is the hint. Default: only if the effect is destructive. */
  readonly confirm?:
    boolean | string | ConfirmationPredicate<[args: ArgumentsOf<Schema>, context: ToolContext]>;
  /** Who may answer the confirmations of its calls; a function gets the arguments, the context and `{ requester }`. Default: the requester. */
  readonly approvers?:
    | ApproverRule
    | ((args: ArgumentsOf<Schema>, context: ToolContext, facts: ApproverFacts) => Awaitable<ApproverRule>);
  /**
   * What an approval for the session covers: later calls for which the function returns the same text as for the approved one, or
   * nothing with `false`. Default: all later calls.
   */
  readonly remember?:
    false | ((args: ArgumentsOf<Schema>, context: ToolContext) => Awaitable<string | undefined>);
  /**
   * Whether a call may run again after it failed or its process ended: always, or as a function decides. The context
   * of that function has no credential. Default: false.
   */
  readonly idempotent?: boolean | ((args: ArgumentsOf<Schema>, context: ToolContext) => Awaitable<boolean>);
  /** The effect of a call, by a key of the domain, which happens once: a function of the arguments, or `{ key, scope, ttlMs }`. */
  readonly once?:
    | OnceKey<[args: ArgumentsOf<Schema>, context: ToolContext]>
    | TypedOnceOptions<[args: ArgumentsOf<Schema>, context: ToolContext]>;
  /**
   * Called before a call runs again because its process ended: returns the result if the call took effect, and
   * undefined if it did not. Default: only an `idempotent` tool or one with the effect `read` runs again.
   */
  readonly reconcile?: (args: ArgumentsOf<Schema>, context: ToolContext) => unknown;
}

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/**
 * A function with a schema written by hand, as a tool.
 *
 * @example
 * new FunctionTool({
 *   name: 'get_weather',
 *   description: 'Current weather for a city.',
 *   parameters: z.object({ city: z.string() }),
 *   run: ({ city }) => weatherIn(city),
 * })
 */
export class FunctionTool<Schema extends ExplicitSchema = JsonSchema> extends CallableTool {
  private readonly work: FunctionToolFields<Schema>['run'];

  constructor(fields: FunctionToolFields<Schema>) {
    checkIsOptions(fields);
    const { name, description, parameters = NO_PARAMETERS } = fields;
    super(fields, explicitShape({ name, description, origin: 'FunctionTool' }, parameters));
    this.work = fields.run;
  }

  protected call(values: unknown[]): unknown {
    return this.work(...(values as Parameters<FunctionToolFields<Schema>['run']>));
  }
}
