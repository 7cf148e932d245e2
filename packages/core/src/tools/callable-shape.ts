import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { responseSchemaOf } from '../schema/response-schema.js';
import {
  type ExplicitSchema,
  isStandardSchema,
  type StandardSchema,
  toJsonSchema,
} from '../schema/standard-schema.js';
import type { ArgumentSource } from './bind-arguments.js';
import type { CallableShape } from './callable.tool.js';
import { ToolSchemaInvalidError } from './errors.js';
import { type HydrationParts, Hydrator } from './hydration/hydrator.js';

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
    sources: insertServices([
      { kind: 'arguments', ...(schema !== undefined && { schema }) },
      { kind: 'context' },
    ]),
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
  const declaration = {
    name,
    description: description ?? derived.description ?? '',
    parametersJsonSchema: derived.parametersJsonSchema,
    ...(response !== undefined && { responseJsonSchema: response }),
  };
  return { declaration, sources, isDerived: true, ownDefaults: new Set(initialized) };
}

/** A parameter that is not an injected service, as all parameters of a function are. */
export type PlainParameter = Exclude<DerivedParameter, { readonly kind: 'service' }>;

/** The source of a parameter's value, with its hydrator. */
export function derivedSource(parameter: PlainParameter, parts: HydrationParts): ArgumentSource {
  if (parameter.kind !== 'argument' && parameter.kind !== 'arguments') return parameter;
  const { revive, ...source } = parameter;
  return revive === undefined ? source : { ...source, hydrator: new Hydrator(revive, parts) };
}

/** The parts shared by the hydration plans of one tool. */
export function hydrationParts(
  { revivals, parametersJsonSchema: { $defs } }: DerivedTool,
  classes: ReadonlyMap<string, ClassReference>,
): HydrationParts {
  return { plans: revivals ?? {}, classes, definitions: $defs === undefined ? {} : { $defs } };
}
