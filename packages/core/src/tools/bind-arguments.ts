import type { ClassReference } from '../metadata/class-metadata.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Arguments } from '../schema/argument-check.js';
import { copyJson } from '../json/copy-json.js';
import type { Revival } from '../schema/derived-class.js';
import type { StandardSchema } from '../schema/standard/standard-schema.js';
import type { ServiceToken } from '../invocation/invocation-services.js';
import { LiveSessionRequiredError } from './live-session-required.error.js';
import { toInstance } from './to-instance.js';
import { toOutput } from './to-output.js';
import type { ToolContext } from './tool-context.js';

/** Where each argument of a tool's function or method comes from. */
export type ArgumentSource =
  | { readonly kind: 'context' }
  | { readonly kind: 'signal' }
  | { readonly kind: 'live' }
  | { readonly kind: 'service'; readonly token: ServiceToken<unknown> }
  | { readonly kind: 'arguments'; readonly schema?: StandardSchema }
  | { readonly kind: 'argument'; readonly name: string; readonly rest?: boolean; readonly revive?: Revival }
  | {
      readonly kind: 'class';
      readonly name: string;
      readonly type: ClassReference;
      readonly array?: boolean;
      readonly rest?: boolean;
    };

const CHECKED: ReadonlySet<string> = new Set(['class', 'live']);

/** The parameters of a tool's function or method. */
export class Signature {
  /** Whether laying them out checks something more: by a class, by a library's schema, or that a session is live. */
  readonly isChecked: boolean;
  /** Whether the last parameter takes the elements of its list. */
  readonly hasRest: boolean;

  constructor(
    readonly toolName: string,
    readonly sources: readonly ArgumentSource[],
  ) {
    const last = sources.at(-1);
    this.isChecked = sources.some((source) => CHECKED.has(source.kind) || 'schema' in source);
    this.hasRest = last !== undefined && 'rest' in last && last.rest === true;
  }
}

/**
 * Lays checked JSON out as the arguments of a function or method. Only classes and libraries' schemas make it wait.
 *
 * @param forPredicate leaves undefined what only a run has: all that is injected, but for the context
 * @throws {LiveSessionRequiredError}
 */
export function bindArguments(
  signature: Signature,
  args: Arguments,
  context: ToolContext,
  forPredicate = false,
): Awaitable<unknown[]> {
  const { toolName, sources, isChecked } = signature;
  const bound = sources.map((source) => valueOf(toolName, source, args, context, forPredicate));
  return isChecked
    ? Promise.all(bound).then((values) => spread(signature, values))
    : spread(signature, bound);
}

function valueOf(
  toolName: string,
  source: ArgumentSource,
  args: Arguments,
  context: ToolContext,
  forPredicate: boolean,
): unknown {
  switch (source.kind) {
    case 'context':
      return context;
    case 'signal':
      return forPredicate ? undefined : context.signal;
    case 'live':
      throw new LiveSessionRequiredError(toolName);
    case 'service':
      return forPredicate ? undefined : context.get(source.token);
    case 'arguments':
      return source.schema === undefined ? copyJson(args) : toOutput(toolName, source.schema, args);
    case 'argument':
      return source.revive === undefined
        ? copyJson(args[source.name])
        : revive(source.revive, args[source.name]);
    case 'class':
      return instancesOf(toolName, source, args[source.name]);
  }
}

function instancesOf(toolName: string, source: ArgumentSource & { kind: 'class' }, value: unknown): unknown {
  const { type, name } = source;
  if (!Array.isArray(value)) return isObject(value) ? toInstance(toolName, type, name, value) : value;
  return Promise.all(
    value.map((element: object, index) => toInstance(toolName, type, `${name}[${String(index)}]`, element)),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function revive(revival: Revival, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => revive(revival, element));
  if (value === undefined || value === null) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (revival) {
    case 'date':
      return new Date(text);
    case 'url':
      return new URL(text);
    case 'bigint':
      return BigInt(text);
    case 'bytes':
      return Buffer.from(text, 'base64');
  }
}

/** A rest parameter takes the elements of its list. It is always the last one. */
function spread({ hasRest }: Signature, values: unknown[]): unknown[] {
  if (!hasRest) return values;
  const rest = values.pop();
  return values.concat(Array.isArray(rest) ? (rest as unknown[]) : []);
}
