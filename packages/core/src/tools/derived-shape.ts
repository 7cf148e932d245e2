import type { DerivedTool } from '../schema/derived-class.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ArgumentSource } from './bind-arguments.js';
import type { CallableShape } from './callable.tool.js';

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
