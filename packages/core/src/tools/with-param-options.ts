import type { DerivedTool } from '../schema/derived-class.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ParamOptions } from './param.decorator.js';

/** A derived tool with what `@param` says of its parameters, by their places, laid over it. */
export function withParamOptions(
  derived: DerivedTool,
  params: ReadonlyMap<number, ParamOptions> = new Map(),
): DerivedTool {
  if (params.size === 0) return derived;
  const names = new Map<string, ParamOptions>();
  const parameters = derived.parameters.map((parameter, index) => {
    const options = params.get(index);
    if (options === undefined || !('name' in parameter)) return parameter;
    names.set(parameter.name, options);
    return { ...parameter, name: options.name ?? parameter.name };
  });
  const parametersJsonSchema = renameProperties(derived.parametersJsonSchema, names);
  const initialized = derived.initialized?.map((name) => names.get(name)?.name ?? name);
  return { ...derived, parameters, parametersJsonSchema, ...(initialized !== undefined && { initialized }) };
}

function renameProperties(schema: JsonSchema, options: ReadonlyMap<string, ParamOptions>): JsonSchema {
  const newName = (name: string): string => options.get(name)?.name ?? name;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) => [newName(name), describeProperty(property, options.get(name))] as const,
  );
  const required = schema['required'] as readonly string[] | undefined;
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(required !== undefined && { required: required.map(newName) }),
  };
}

function describeProperty(property: JsonSchema, options: ParamOptions | undefined): JsonSchema {
  const schema = options?.schema ?? property;
  return options?.description === undefined ? schema : { ...schema, description: options.description };
}
