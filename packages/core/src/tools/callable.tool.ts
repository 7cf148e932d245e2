import { type ApproverRules, checkedRule } from '../approvals/approver-rule.js';
import type { FunctionDeclaration } from '../events/genai-types.js';
import {
  present,
  type ClassReference,
  type Arguments,
  type DerivedParameter,
  type DerivedTool,
  type JsonSchema,
  responseSchemaOf,
  type ExplicitSchema,
  isStandardSchema,
  type StandardSchema,
  toJsonSchema,
  type HydrationParts,
  Hydrator,
} from '@adorn/schema';
import { type ArgumentSource, bindArguments, Signature } from './bind-arguments.js';
import { ToolNotReadyError, ToolSchemaInvalidError } from './errors.js';
import type { ToolContext } from './tool-context.js';
import { type Confirmation, toConfirmation } from './tool-requests.js';
import type { AnyMethod } from './tool.decorator.js';
import { keyIn, Tool } from './tool.js';
import { namesOthers, onceOf, type ToolTraits } from './tool-traits.js';

/** The declaration of a callable tool and the sources of its arguments. */
export interface CallableShape {
  /** Name, description and schema, as the model gets them. */
  readonly declaration: FunctionDeclaration;
  /** Where each argument of the function comes from, in their order. */
  readonly sources: readonly ArgumentSource[];
  /** True if the compiler derived the whole schema. Default: false. */
  readonly isDerived?: boolean;
  /** Arguments whose defaults the called code sets itself. Default: none. */
  readonly ownDefaults?: ReadonlySet<string>;
}

/** The options of a callable tool. */
export interface CallableOptions extends ToolTraits {
  /** The name that the model calls. */
  readonly name: string;
  /** Shown to the model. Default: the description of the declaration. */
  readonly description?: string | undefined;
  /** Whether, or with which hint, to ask for confirmation. A function gets the same arguments as the tool. */
  readonly confirm?: boolean | string | AnyMethod | undefined;
  /** Checks whether an interrupted run took effect. It gets the same arguments as the tool. */
  readonly reconcile?: AnyMethod | undefined;
}

/**
 * A tool that calls a user's function or method with the model's arguments bound to its parameters. `confirm`,
 * `approvers`, `remember` and `idempotent` get the same arguments.
 */
export abstract class CallableTool extends Tool {
  readonly name: string;
  private readonly ownDescription: string;
  private readonly confirm: boolean | string | AnyMethod;
  private shape: CallableShape | (() => Promise<CallableShape>);
  private signature: Signature | undefined;

  /**
   * @param shape the shape, or a function that loads it when the tool is made ready
   * @throws {ToolConfigInvalidError} if an option does not exist or has an invalid value
   */
  constructor(options: CallableOptions, shape: CallableShape | (() => Promise<CallableShape>)) {
    super(options);
    this.name = options.name;
    this.ownDescription = options.description ?? '';
    this.confirm = options.confirm ?? (options.effect === 'destructive' || namesOthers(options));
    const { reconcile } = options;
    if (reconcile) {
      this.reconcile = async (args, context) =>
        Reflect.apply(reconcile, undefined, await bindArguments(this.parameters, args, context));
    }
    this.shape = shape;
  }

  /** Calls the function or method with positional arguments. */
  protected abstract call(values: unknown[]): unknown;

  /** Shown to the model; the shape's description, unless the options have one. */
  get description(): string {
    return typeof this.shape === 'function'
      ? this.ownDescription
      : (this.shape.declaration.description ?? '');
  }

  override get isDerived(): boolean {
    return typeof this.shape !== 'function' && this.shape.isDerived === true;
  }

  override get ownDefaults(): ReadonlySet<string> {
    return (typeof this.shape === 'function' ? undefined : this.shape.ownDefaults) ?? super.ownDefaults;
  }

  override get takesLiveInput(): boolean {
    return typeof this.shape !== 'function' && this.shape.sources.some(({ kind }) => kind === 'live');
  }

  override async ready(): Promise<void> {
    if (typeof this.shape === 'function') this.shape = await this.shape();
    await this.parameters.ready();
  }

  /** Includes the fixed hint, which is part of what a person approved. */
  override get definition(): unknown {
    return [super.definition, typeof this.confirm === 'string' ? this.confirm : null];
  }

  /** @throws {ToolNotReadyError} */
  declaration(): FunctionDeclaration {
    return this.known.declaration;
  }

  async run(args: Arguments, context: ToolContext): Promise<unknown> {
    return this.call(await bindArguments(this.parameters, args, context));
  }

  override async validate(args: Arguments, context: ToolContext): Promise<void> {
    if (this.parameters.isChecked) await bindArguments(this.parameters, args, context, true);
  }

  override get mayAskFirst(): boolean {
    return this.confirm !== false;
  }

  override get asksByArguments(): boolean {
    return typeof this.confirm === 'function';
  }

  override async confirmation(args: Arguments, context: ToolContext): Promise<Confirmation | undefined> {
    const { confirm } = this;
    if (confirm === false) return undefined;
    const asked = typeof confirm === 'function' ? await this.decide(confirm, args, context) : confirm;
    return toConfirmation(asked, this.name);
  }

  override async approversOf(args: Arguments, context: ToolContext): Promise<ApproverRules> {
    const { approvers } = this.traits;
    if (typeof approvers !== 'function') return super.approversOf(args, context);
    const values = await bindArguments(this.parameters, args, context, true);
    const facts = { requester: context.requester };
    return [checkedRule(await Reflect.apply(approvers, undefined, [...values, facts]), this.name)];
  }

  override async rememberKeyOf(args: Arguments, context: ToolContext): Promise<string | undefined> {
    const { remember } = this.traits;
    if (typeof remember !== 'function') return super.rememberKeyOf(args, context);
    return keyIn(await this.decide(remember, args, context));
  }

  override async isIdempotent(args: Arguments, context: ToolContext): Promise<unknown> {
    const { idempotent } = this.traits;
    return typeof idempotent === 'function' ? this.decide(idempotent, args, context) : idempotent;
  }

  override async onceKeyOf(args: Arguments, context: ToolContext): Promise<unknown> {
    const { key } = onceOf(this.traits) ?? {};
    return key && this.decide(key, args, context);
  }

  private get known(): CallableShape {
    if (typeof this.shape === 'function') throw new ToolNotReadyError(this.name);
    return this.shape;
  }

  private get parameters(): Signature {
    return (this.signature ??= new Signature(this.name, this.known.sources));
  }

  private async decide(predicate: AnyMethod, args: Arguments, context: ToolContext): Promise<unknown> {
    return Reflect.apply(predicate, undefined, await bindArguments(this.parameters, args, context, true));
  }
}

/** A tool whose schema is stated in its options. */
export interface ExplicitTool {
  readonly name: string;
  readonly description: string;
  /** The function or method, for error messages. */
  readonly origin: string;
  /** Inserts the sources of injected parameters. Default: none. */
  readonly insertServices?: (sources: readonly ArgumentSource[]) => readonly ArgumentSource[];
}

/**
 * The shape of a tool with an explicit schema: it is called with all arguments as one object, and the context. The
 * schema of a library is converted when the tool is made ready, or rejected with a ToolSchemaInvalidError.
 */
export function explicitShape(
  tool: ExplicitTool,
  schema: ExplicitSchema,
): CallableShape | (() => Promise<CallableShape>) {
  if (!isStandardSchema(schema)) return wholeShape(tool, schema);
  return async () => wholeShape(tool, await converted(tool, schema), schema);
}

/** The shape of a tool that is called with all arguments as one object, and the context. */
export function wholeShape(
  { name, description, insertServices = (sources) => sources }: ExplicitTool,
  parametersJsonSchema: JsonSchema,
  schema?: StandardSchema,
): CallableShape {
  return {
    declaration: { name, description, parametersJsonSchema },
    sources: insertServices([present({ kind: 'arguments', schema }), { kind: 'context' }]),
  };
}

/** @throws {ToolSchemaInvalidError} if a part of it cannot be expressed in JSON Schema */
export async function converted({ name, origin }: ExplicitTool, schema: StandardSchema): Promise<JsonSchema> {
  try {
    return await toJsonSchema(schema);
  } catch (cause) {
    throw new ToolSchemaInvalidError(name, origin, cause);
  }
}

/** The name and description from a tool's options, which take precedence over the source. */
export interface ToolOverrides {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The shape of a method or function, from its derived record. */
export function derivedShape(
  { name, description }: ToolOverrides,
  derived: DerivedTool,
  sources: readonly ArgumentSource[],
): CallableShape {
  const { responseJsonSchema, initialized } = derived;
  const response = responseJsonSchema && responseSchemaOf(responseJsonSchema);
  const declaration = present({
    name,
    description: description ?? derived.description ?? '',
    parametersJsonSchema: derived.parametersJsonSchema,
    responseJsonSchema: response,
  });
  return { declaration, sources, isDerived: true, ownDefaults: new Set(initialized) };
}

/** A parameter that is not an injected service, as all parameters of a function are. */
export type PlainParameter = Exclude<DerivedParameter, { readonly kind: 'service' }>;

/** The source of a parameter's value, with its hydrator. */
export function derivedSource(parameter: PlainParameter, parts: HydrationParts): ArgumentSource {
  if (parameter.kind !== 'argument' && parameter.kind !== 'arguments') return parameter;
  const { revive, ...source } = parameter;
  return revive ? { ...source, hydrator: new Hydrator(revive, parts) } : source;
}

/** The parts shared by the hydration plans of one tool. */
export function hydrationParts(
  { revivals, parametersJsonSchema: { $defs } }: DerivedTool,
  classes: ReadonlyMap<string, ClassReference>,
): HydrationParts {
  return { plans: revivals ?? {}, classes, definitions: $defs === undefined ? {} : { $defs } };
}
