import { type FunctionDeclaration, valueAt } from '@adorn/core/backend';
/** Words that cannot name a function, and names that code needs for itself. */
const TAKEN = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield async arguments eval undefined NaN Infinity ' +
    'console print readFile writeFile listFiles globalThis isFinite isNaN parseFloat parseInt escape unescape'
  ).split(' '),
);

/** The deepest part of a schema that is written out. */
const MAX_DEPTH = 8;

/**
 * The names of the functions of tools, each with the name of its tool. Signs that a name in JavaScript cannot have become
 * `_`; a name that the language needs, or that another tool has, gets a `_` at its end.
 */
export function functionNames(tools: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const tool of tools) {
    let name = tool.replace(/[^A-Za-z0-9_$]/g, '_').replace(/^(?=\d)|^(?=__)/, 'tool');
    while (TAKEN.has(name) || names.has(name) || (/^[A-Z]/.test(name) && name in globalThis)) name += '_';
    names.set(name, tool);
  }
  return names;
}

/** The declaration of a tool's function in TypeScript, after its description as a comment. */
export function functionDeclaration(name: string, declared: FunctionDeclaration): string {
  const { description = '', parametersJsonSchema, responseJsonSchema } = declared;
  const parameters = parametersJsonSchema as SchemaWords | undefined;
  const args = parameters ? typeOf(parameters, { root: parameters, depth: 0 }) : '{}';
  const response = responseJsonSchema as SchemaWords | undefined;
  const result = response ? typeOf(response, { root: response, depth: 0 }) : 'any';
  const isOptional = (parameters?.required ?? []).length === 0;
  const comment = description === '' ? '' : `${commentOf(description)}\n`;
  return `${comment}declare function ${name}(args${isOptional ? '?' : ''}: ${args}): Promise<${result}>;`;
}

function commentOf(text: string): string {
  return `/** ${text.replace(/\*\//g, '* /').replace(/\s*\n\s*/g, ' ')} */`;
}

/** The place of a part of a schema. */
interface SchemaPlace {
  readonly root: SchemaWords;
  readonly depth: number;
}

function typeOf(schema: unknown, place: SchemaPlace): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  const { root, depth } = place;
  if (depth > MAX_DEPTH) return 'any';
  const below = { root, depth: depth + 1 };
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema as SchemaWords;
  if ($ref !== undefined) return typeOf(valueAt(root, $ref), below);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return union(choices.map((one) => typeOf(one, below)));
  if (allOf) return allOf.map((one) => `(${typeOf(one, below)})`).join(' & ');
  const types: readonly unknown[] = Array.isArray(type) ? type : [];
  if (types.length > 0) return union(types.map((one) => typeOf({ ...schema, type: one }, below)));
  return typeNamed(type, schema, below);
}

/** The words of JSON Schema that say a type. */
interface SchemaWords {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly type?: unknown;
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

function typeNamed(type: unknown, schema: SchemaWords, place: SchemaPlace): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema.items, place)}>`;
    case 'object':
      return objectType(schema, place);
    default:
      return schema.properties ? objectType(schema, place) : 'any';
  }
}

function objectType(schema: SchemaWords, place: SchemaPlace): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, one]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const { description } = Object(one) as { readonly description?: unknown };
    const comment = typeof description === 'string' && description !== '' ? `${commentOf(description)} ` : '';
    return `${comment}${key}${required.includes(name) ? '' : '?'}: ${typeOf(one, place)}`;
  });
  if (fields.length === 0 && additionalProperties !== false)
    return `Record<string, ${typeOf(additionalProperties, place)}>`;
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
