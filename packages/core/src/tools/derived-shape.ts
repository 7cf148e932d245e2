import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ArgumentSource } from './bind-arguments.js';
import type { CallableShape } from './callable.tool.js';
import { type RevivalParts, Reviver } from './revival/reviver.js';

/** What a tool was told of itself; it beats what its source says. */
export interface ToldTool {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The shape of a method or function by what was derived from its source. */
export function derivedShape(
  { name, description }: ToldTool,
  derived: DerivedTool,
  sources: readonly ArgumentSource[],
): CallableShape {
  const { responseJsonSchema, initialized } = derived;
  const declaration = {
    name,
    description: description ?? derived.description ?? '',
    parametersJsonSchema: derived.parametersJsonSchema,
    ...(responseJsonSchema !== undefined && { responseJsonSchema: asResponseSchema(responseJsonSchema) }),
  };
  return { declaration, sources, isDerived: true, ownDefaults: new Set(initialized) };
}

/** What the model is answered: an object as it is, anything else under `result`. */
function asResponseSchema({ $defs, ...schema }: JsonSchema): JsonSchema {
  const isObject = schema['type'] === 'object';
  const wrapped = { type: 'object', properties: { result: schema }, required: ['result'] };
  return { ...(isObject ? schema : wrapped), ...($defs !== undefined && { $defs }) };
}

/** A parameter that something else than a service fills: all of a function's are. */
export type PlainParameter = Exclude<DerivedParameter, { readonly kind: 'service' }>;

/** Where a parameter gets its value, with what is made of it. */
export function derivedSource(parameter: PlainParameter, parts: RevivalParts): ArgumentSource {
  if (parameter.kind !== 'argument' && parameter.kind !== 'arguments') return parameter;
  const { revive, ...source } = parameter;
  return revive === undefined ? source : { ...source, revive: new Reviver(revive, parts) };
}

/** What the plans of one tool share. */
export function revivalParts(
  { revivals, parametersJsonSchema: { $defs } }: DerivedTool,
  classes: ReadonlyMap<string, ClassReference>,
): RevivalParts {
  return { plans: revivals ?? {}, classes, definitions: $defs === undefined ? {} : { $defs } };
}
