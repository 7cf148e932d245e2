import type { StandardSchemaV1 } from '@standard-schema/spec';

import type { ServiceToken } from '../run/invocation-services.js';
import {
  copyJson,
  type Arguments,
  argumentPath,
  type ProblemWords,
  type StandardSchema,
  ToolArgumentsInvalidError,
  HydrationFaults,
  type Hydrator,
} from '@adorn/schema';
import type { ToolContext } from './tool-context.js';

/** The source of one argument of a tool's function or method. */
export type ArgumentSource =
  | { readonly kind: 'context' }
  | { readonly kind: 'signal' }
  | { readonly kind: 'live' }
  | { readonly kind: 'service'; readonly token: ServiceToken<unknown> }
  | { readonly kind: 'arguments'; readonly hydrator?: Hydrator; readonly schema?: StandardSchema }
  | {
      readonly kind: 'argument';
      readonly name: string;
      readonly rest?: boolean;
      readonly hydrator?: Hydrator;
    };

/** The parameters of a tool's function or method. */
export class Signature {
  /** True if binding can find problems in the arguments. */
  readonly isChecked: boolean;
  /** True if the last parameter is a rest parameter. */
  readonly hasRest: boolean;

  constructor(
    readonly toolName: string,
    readonly sources: readonly ArgumentSource[],
  ) {
    const last = sources.at(-1);
    this.isChecked = sources.some((source) => 'schema' in source || 'hydrator' in source);
    this.hasRest = last !== undefined && 'rest' in last && last.rest === true;
  }

  /**
   * Loads the libraries of class types.
   *
   * @throws {AdornError} `LIBRARY_MISSING`
   */
  async ready(): Promise<void> {
    for (const source of this.sources) if ('hydrator' in source) await source.hydrator?.ready();
  }
}

/**
 * Binds checked arguments to the parameters of a function or method.
 *
 * @param forPredicate leaves injected parameters undefined, except for the context
 * @throws {ToolArgumentsInvalidError} if a value cannot be converted to its parameter's type
 */
export async function bindArguments(
  signature: Signature,
  args: Arguments,
  context: ToolContext,
  forPredicate = false,
): Promise<unknown[]> {
  const { toolName, sources } = signature;
  const faults = new HydrationFaults();
  const values = await Promise.all(
    sources.map((source) => valueOf(toolName, source, args, context, forPredicate, faults)),
  );
  faults.throwAny(toolName);
  return spread(signature, values);
}

function valueOf(
  toolName: string,
  source: ArgumentSource,
  args: Arguments,
  context: ToolContext,
  forPredicate: boolean,
  faults: HydrationFaults,
): unknown {
  switch (source.kind) {
    case 'context':
      return context;
    case 'signal':
      return forPredicate ? undefined : context.signal;
    case 'live':
      return forPredicate ? undefined : context.liveInput;
    case 'service':
      return forPredicate ? undefined : context.get(source.token);
    case 'arguments': {
      const { schema, hydrator } = source;
      if (schema) return toOutput(toolName, schema, args);
      return hydrator ? hydrator.hydrate(undefined, args, faults) : copyJson(args);
    }
    case 'argument': {
      const { name, hydrator } = source;
      return hydrator ? hydrator.hydrate(name, args[name], faults) : copyJson(args[name]);
    }
  }
}

/** Spreads the list of a rest parameter, which is always the last one. */
function spread({ hasRest }: Signature, values: unknown[]): unknown[] {
  if (!hasRest) return values;
  const rest = values.pop();
  return values.concat(Array.isArray(rest) ? (rest as unknown[]) : []);
}

/**
 * Validates arguments with the schema of a library. Returns its output, with defaults and transforms applied.
 *
 * @throws {ToolArgumentsInvalidError}
 */
export async function toOutput(toolName: string, schema: StandardSchema, args: Arguments): Promise<unknown> {
  const result = await schema['~standard'].validate(copyJson(args));
  if (result.issues)
    throw new ToolArgumentsInvalidError(
      toolName,
      result.issues.map((issue) => describeIssue(issue)),
    );
  return result.value;
}

const LONGEST_MESSAGE = 200;

/** An issue reported by a schema library, as a sentence for the model. */
export function describeIssue({ path = [], message }: StandardSchemaV1.Issue, words?: ProblemWords): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
  const where = argumentPath(steps, words);
  const said = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return said.startsWith(where) ? said : `${where}: ${said}`;
}
