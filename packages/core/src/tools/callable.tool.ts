import type { FunctionDeclaration } from '../content/genai-types.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import type { Arguments } from '../schema/argument-check.js';
import { type ArgumentSource, bindArguments, Signature } from './bind-arguments.js';
import { checkOptionNames } from './check-tool-options.js';
import { type Confirmation, toConfirmation } from './confirmation.js';
import type { ToolContext } from './tool-context.js';
import { ToolNotReadyError } from './errors.js';
import type { AnyMethod } from './tool.decorator.js';
import { Tool, type ToolTraits } from './tool.js';

/** The declaration of a callable tool and the sources of its arguments. */
export interface CallableShape {
  readonly declaration: FunctionDeclaration;
  readonly sources: readonly ArgumentSource[];
  /** True if the compiler derived the whole schema. Default: false. */
  readonly isDerived?: boolean;
  /** Arguments whose defaults the called code sets itself. Default: none. */
  readonly ownDefaults?: ReadonlySet<string>;
}

/** The options of a callable tool. */
export interface CallableOptions extends ToolTraits {
  readonly name: string;
  readonly description?: string | undefined;
  /** Whether, or with which hint, to ask for confirmation. A function gets the same arguments as the tool. */
  readonly confirm?: boolean | string | AnyMethod | undefined;
  /** Checks whether an interrupted run took effect. It gets the same arguments as the tool. */
  readonly reconcile?: AnyMethod | undefined;
}

/**
 * A tool that calls a user's function or method with the model's arguments bound to its parameters. `confirm` and
 * `idempotent` get the same arguments.
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
    checkOptionNames(options);
    this.name = options.name;
    this.ownDescription = options.description ?? '';
    this.confirm = options.confirm ?? options.effect === 'destructive';
    const { reconcile } = options;
    if (reconcile !== undefined) {
      this.reconcile = async (args, context) =>
        Reflect.apply(reconcile, undefined, await bindArguments(this.parameters, args, context));
    }
    this.shape = shape;
  }

  /** Calls the function or method with positional arguments. */
  protected abstract call(values: unknown[]): unknown;

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

  override async ready(): Promise<void> {
    if (typeof this.shape === 'function') this.shape = await this.shape();
  }

  /** Includes the fixed hint, which is part of what a person approved. */
  override get definition(): unknown {
    return [super.definition, typeof this.confirm === 'string' ? this.confirm : null];
  }

  /** @throws {ToolNotReadyError} */
  declaration(): FunctionDeclaration {
    return this.known.declaration;
  }

  run(args: Arguments, context: ToolContext): unknown {
    const bound = bindArguments(this.parameters, args, context);
    return isPromiseLike(bound) ? bound.then((values) => this.call(values)) : this.call(bound);
  }

  override validate(args: Arguments, context: ToolContext): Awaitable<void> {
    return this.parameters.isChecked ? this.tryToBind(args, context) : undefined;
  }

  override confirmation(args: Arguments, context: ToolContext): Awaitable<Confirmation | undefined> {
    const { confirm } = this;
    if (confirm === false) return undefined;
    return typeof confirm === 'function'
      ? this.ask(confirm, args, context)
      : toConfirmation(confirm, this.name);
  }

  override isIdempotent(args: Arguments, context: ToolContext): Awaitable<unknown> {
    const { idempotent } = this.traits;
    return typeof idempotent === 'function' ? this.decide(idempotent, args, context) : idempotent;
  }

  private get known(): CallableShape {
    if (typeof this.shape === 'function') throw new ToolNotReadyError(this.name);
    return this.shape;
  }

  private get parameters(): Signature {
    return (this.signature ??= new Signature(this.name, this.known.sources));
  }

  private async tryToBind(args: Arguments, context: ToolContext): Promise<void> {
    await bindArguments(this.parameters, args, context, true);
  }

  private async ask(
    confirm: AnyMethod,
    args: Arguments,
    context: ToolContext,
  ): Promise<Confirmation | undefined> {
    return toConfirmation(await this.decide(confirm, args, context), this.name);
  }

  private async decide(predicate: AnyMethod, args: Arguments, context: ToolContext): Promise<unknown> {
    return Reflect.apply(predicate, undefined, await bindArguments(this.parameters, args, context, true));
  }
}
