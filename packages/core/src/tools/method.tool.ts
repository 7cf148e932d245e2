import type { ClassReference } from '../metadata/class-metadata.js';
import { sourceName } from '../schema/source-name.js';
import { type CallableShape, CallableTool } from './callable.tool.js';
import type { ToolOptions } from './tool-options.js';

/** The constructor's parameters of a `MethodTool`. */
export interface MethodToolFields {
  readonly target: object;
  readonly method: string;
  readonly options: ToolOptions & { readonly name: string };
  readonly shape: CallableShape | (() => Promise<CallableShape>);
}

/** A method of a service as a tool. It is called on its own instance. */
export class MethodTool extends CallableTool {
  private readonly target: object;
  private readonly method: string;

  constructor({ target, method, options, shape }: MethodToolFields) {
    super(options, shape);
    this.target = target;
    this.method = method;
  }

  override get origin(): string {
    return `${sourceName(this.target.constructor as ClassReference)}.${this.method}`;
  }

  protected call(values: unknown[]): unknown {
    const { target, method } = this;
    return (target as Record<string, (...args: unknown[]) => unknown>)[method]?.(...values);
  }
}
