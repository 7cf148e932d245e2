import { type ClassReference, sourceName } from '@adorn/schema';

import { tokensOf } from '../metadata/injection-metadata.js';
import type { ServiceToken } from '../run/invocation-services.js';
import type { ArgumentSource } from './bind-arguments.js';
import { type CallableOptions, type CallableShape, CallableTool } from './callable.tool.js';
import type { Tool } from './tool.js';

/** The constructor's parameters of a `MethodTool`. */
interface MethodToolFields {
  readonly target: object;
  readonly method: string;
  readonly options: CallableOptions;
  readonly shape: CallableShape | (() => Promise<CallableShape>);
}

/** A method of a service as a tool. It is called on its own instance. */
export class MethodTool extends CallableTool {
  /** See {@link Tool.undo}. */
  undoneBy: Tool | undefined;
  private readonly target: object;
  private readonly method: string;

  constructor({ target, method, options, shape }: MethodToolFields) {
    super(options, shape);
    this.target = target;
    this.method = method;
  }

  override get undo(): Tool | undefined {
    return this.undoneBy;
  }

  override get origin(): string {
    return `${sourceName(this.target.constructor as ClassReference)}.${this.method}`;
  }

  protected call(values: unknown[]): unknown {
    const { target, method } = this;
    return (target as Record<string, (...args: unknown[]) => unknown>)[method]?.(...values);
  }
}

/** Inserts the injected parameters of a method with an explicit schema at their indexes. */
export function withServices(
  sources: readonly ArgumentSource[],
  target: ClassReference,
  method: string,
): readonly ArgumentSource[] {
  const laid = [...sources];
  for (const [index, token] of [...tokensOf(target, method)].sort(([a], [b]) => a - b))
    laid.splice(index, 0, toService(token));
  return laid;
}

export function toService(token: unknown): ArgumentSource {
  return { kind: 'service', token: token as ServiceToken<unknown> };
}
