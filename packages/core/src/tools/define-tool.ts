import type { ApproverFacts, ApproverRule } from '../approvals/approver-rule.js';
import { shareClass } from '../metadata/shared-class.js';
import type { Awaitable } from '../runtime/awaitable.js';
import {
  type DefinedFunction,
  type DerivedFunction,
  FunctionRecord,
  loadFunctionRecord,
  type JsonSchema,
  isObject,
  type ExplicitSchema,
  resolveParameterClasses,
} from '@adorn/schema';
import { declarationSites } from '../metadata/declaration-site.js';
import {
  type CallableOptions,
  type CallableShape,
  CallableTool,
  derivedShape,
  derivedSource,
  explicitShape,
  hydrationParts,
  type PlainParameter,
  type ToolOverrides,
} from './callable.tool.js';
import { checkIsOptions } from './check-tool-options.js';
import type { ConfirmationPredicate } from './tool-requests.js';
import { NotAFunctionError } from './errors.js';
import type { ArgumentsOf } from './function.tool.js';
import type { ToolContext } from './tool-context.js';
import { toolNameOf } from './tool-table.js';
import type { AnyMethod, MethodFor, TypedToolOptions } from './tool.decorator.js';
import type { Tool } from './tool.js';
import type { ToolTraits } from './tool-traits.js';

/**
 * The fields of a tool whose schema is `parameters`, else the type of the object that `run` takes. One type for both:
 * with an overload for each, TypeScript reports a misspelt option once per overload.
 */
export interface TypedToolFields<
  Args extends object,
  Schema extends ExplicitSchema | undefined = undefined,
> extends ToolTraits {
  /** The name that the model calls. */
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
  /** Who may answer the confirmations of its calls; a function gets the arguments, the context and `{ requester }`. Default: the requester. */
  readonly approvers?:
    | ApproverRule
    | ((
        args: FieldArguments<Args, Schema>,
        context: ToolContext,
        facts: ApproverFacts,
      ) => Awaitable<ApproverRule>);
  /**
   * What an approval for the session covers: later calls for which the function returns the same text as for the approved one, or
   * nothing with `false`. Default: all later calls.
   */
  readonly remember?:
    false | ((args: FieldArguments<Args, Schema>, context: ToolContext) => Awaitable<string | undefined>);
}

/** The type of the arguments: that of the schema `parameters`, if there is one. */
export type FieldArguments<Args extends object, Schema> = Schema extends ExplicitSchema
  ? ArgumentsOf<Schema>
  : Args;

/** A function. The type lists the names of the fields, so that TypeScript suggests one for a misspelt field. */
export interface BareFunction extends Partial<
  Omit<TypedToolFields<object>, 'run' | 'confirm' | 'approvers' | 'remember'>
> {
  /** Called with the arguments of the model, in the order of the parameters. */
  (...args: never[]): unknown;
  /** Absent: a function has no fields of a tool. */
  readonly run?: never;
  /** Absent: a function has no fields of a tool. */
  readonly confirm?: never;
  /** Absent: a function has no fields of a tool. */
  readonly approvers?: never;
  /** Absent: a function has no fields of a tool. */
  readonly remember?: never;
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
  if (typeof subject === 'function' || !isObject(subject)) return toolOfFunction(subject, options, derived);
  const { run: work, ...ownOptions } = subject;
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  return new DefinedTool({
    work,
    options: ownOptions,
    record: new FunctionRecord(ownOptions.name, declarationSites(), derived),
  });
}

/** The options of a tool made by `defineTool`. */
interface DefinedToolOptions extends CallableOptions {
  readonly parameters?: ExplicitSchema | undefined;
}

/** The constructor's parameters of a `DefinedTool`. */
interface DefinedToolFields {
  readonly work: ToolFunction;
  readonly options: DefinedToolOptions;
  readonly record: FunctionRecord;
}

/** A function as a tool. Its schema is derived from the source unless `parameters` is set. */
export class DefinedTool extends CallableTool {
  static {
    shareClass(this, 'DefinedTool');
  }

  /** The record to derive before the tool is ready; undefined if `parameters` is set. */
  readonly record: FunctionRecord | undefined;
  private readonly work: ToolFunction;

  constructor({ work, options, record }: DefinedToolFields) {
    const { name, description = '', parameters } = options;
    const isWritten = parameters !== undefined;
    super(
      options,
      isWritten
        ? explicitShape({ name, description, origin: record.name }, parameters)
        : () => functionShape(options, record),
    );
    this.work = work;
    this.record = isWritten ? undefined : record;
  }

  override get origin(): string {
    return this.work.name === '' ? 'defineTool' : this.work.name;
  }

  protected call(values: unknown[]): unknown {
    return this.work(...(values as never[]));
  }
}

async function functionShape(options: ToolOverrides, record: FunctionRecord): Promise<CallableShape> {
  const derived = await loadFunctionRecord(record);
  const parts = hydrationParts(derived, resolveParameterClasses(record.name, derived));
  const sources = derived.parameters.map((one) => derivedSource(one as PlainParameter, parts));
  return derivedShape(options, derived, sources);
}

/**
 * Makes a tool of a function. Its name is the given one, else the function's name; the build records that name, because
 * a minifier may change it. The compiler looks for the function in the file that called this.
 *
 * @throws {NotAFunctionError}
 */
function toolOfFunction(
  work: unknown,
  overrides: Partial<DefinedToolOptions> = {},
  derived?: DefinedFunction,
): DefinedTool {
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  const ownName = derived?.name ?? work.name;
  checkIsOptions(overrides, ownName);
  const { name = toolNameOf(ownName) } = overrides;
  const options = { ...overrides, name };
  if (name === '') throw new NotAFunctionError(work);
  const record = new FunctionRecord(ownName || options.name, declarationSites(), derived);
  return new DefinedTool({ work, options, record });
}

/** The cached tool for a bare function listed in `tools`, shared by all agents. */
export function bareTool(work: ToolFunction): DefinedTool {
  const tool = bareTools.get(work) ?? toolOfFunction(work);
  bareTools.set(work, tool);
  return tool;
}

/**
 * The cached tool for a function with a built record, named as in the source; a minifier may have renamed the
 * function.
 */
export function builtTool(work: ToolFunction, derived: DerivedFunction): DefinedTool {
  const name = toolNameOf(derived.name);
  const known = bareTools.get(work);
  const record = known?.record ?? new FunctionRecord(derived.name, []);
  record.derived ??= derived;
  const tool = known?.name === name ? known : new DefinedTool({ work, options: { name }, record });
  bareTools.set(work, tool);
  return tool;
}

const bareTools = new WeakMap<ToolFunction, DefinedTool>();

/** A function that can be a tool. */
export type ToolFunction = (...args: never[]) => unknown;

/** True for a function that is not a class. */
export function isPlainFunction(value: unknown): value is ToolFunction {
  return typeof value === 'function' && !isClass(value);
}

/** The prototype of a class statement is not writable; a class compiled to ES5 has its methods on the prototype. */
function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
  if (prototype === undefined) return false;
  return prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1;
}
