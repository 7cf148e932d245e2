import type { FunctionDeclaration } from '../content/genai-types.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import type { Arguments } from '../schema/argument-check.js';
import { type ArgumentSource, bindArguments, Signature } from './bind-arguments.js';
import { type Asked, type Confirmation, toConfirmation } from './confirmation.js';
import type { ToolContext } from './tool-context.js';
import type { AnyMethod, ToolOptions } from './tool-options.js';
import { Tool } from './tool.js';

/** What a method tool is made of: the method in its place, what it was told, what was derived from its source. */
export interface MethodToolFields {
  readonly target: object;
  readonly method: string;
  readonly options: ToolOptions;
  readonly declaration: FunctionDeclaration & { readonly name: string };
  readonly sources: readonly ArgumentSource[];
  /** Whether the whole schema is the compiler's. */
  readonly isDerived: boolean;
}

/** A method of a service as a tool. The method stays a method: it is called on its own instance. */
export class MethodTool extends Tool {
  readonly name: string;
  readonly description: string;
  override readonly validate?: Tool['validate'];
  private readonly signature: Signature;
  private readonly confirm: ToolOptions['confirm'];

  constructor(private readonly fields: MethodToolFields) {
    super(fields.options);
    const { options, declaration, sources } = fields;
    this.name = declaration.name;
    this.description = declaration.description ?? '';
    this.confirm = options.confirm ?? options.effect === 'destructive';
    this.signature = new Signature(this.name, sources);
    if (this.signature.hasClasses) this.validate = (args, context) => this.validateClasses(args, context);
  }

  override get isDerived(): boolean {
    return this.fields.isDerived;
  }

  override get origin(): string {
    return `${this.fields.target.constructor.name}.${this.fields.method}`;
  }

  declaration(): FunctionDeclaration {
    return this.fields.declaration;
  }

  run(args: Arguments, context: ToolContext): unknown {
    const bound = bindArguments(this.signature, args, context);
    return isPromiseLike(bound) ? bound.then((values) => this.call(values)) : this.call(bound);
  }

  override confirmation(args: Arguments, context: ToolContext): Awaitable<Confirmation | undefined> {
    const { confirm = false } = this;
    if (confirm === false) return undefined;
    return typeof confirm === 'function'
      ? this.ask(confirm, args, context)
      : toConfirmation(confirm, this.name);
  }

  private async validateClasses(args: Arguments, context: ToolContext): Promise<void> {
    await bindArguments(this.signature, args, context, true);
  }

  private async ask(
    confirm: AnyMethod,
    args: Arguments,
    context: ToolContext,
  ): Promise<Confirmation | undefined> {
    const bound = await bindArguments(this.signature, args, context, true);
    return toConfirmation(await (Reflect.apply(confirm, undefined, bound) as Awaitable<Asked>), this.name);
  }

  private call(values: unknown[]): unknown {
    const { target, method } = this.fields;
    return (target as Record<string, (...args: unknown[]) => unknown>)[method]?.(...values);
  }
}
