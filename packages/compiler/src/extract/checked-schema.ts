import type { JsonSchema } from '@adorn/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The vocabularies of draft 2020-12, each a schema of some keywords. */
const VOCABULARIES = [
  'core',
  'applicator',
  'unevaluated',
  'validation',
  'meta-data',
  'format-annotation',
  'content',
].map((name) => `https://json-schema.org/draft/2020-12/meta/${name}`);

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });

let compiled: ValidateFunction | undefined;

/** Holds a schema to the schema of schemas. It compiles none: that would take most of a derivation's time. */
function validator(): ValidateFunction {
  compiled ??= ajv.compile(schemaOfSchemas());
  return compiled;
}

/** That of the draft in one piece, which takes a third of the time: its parts refer to it dynamically. */
function schemaOfSchemas(): JsonSchema {
  const parts = VOCABULARIES.map((name) => ajv.schemas[name]?.schema as JsonSchema);
  const whole = {
    type: ['object', 'boolean'],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as object,
    $defs: Object.assign({}, ...parts.map(({ $defs }) => $defs)) as object,
  };
  return JSON.parse(JSON.stringify(whole).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#"')) as JsonSchema;
}

/** Their values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Their values are schemas under names that are no keywords. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

/**
 * The schema itself, where a validator can be made of it: every keyword has a value of its kind, every pattern is
 * one. Its references are the compiler's own, and lead somewhere.
 *
 * @throws SyntaxError saying what is wrong with it.
 */
export function checkedSchema(schema: JsonSchema): JsonSchema {
  const isSchema = validator();
  if (!isSchema(schema)) throw new SyntaxError(ajv.errorsText(isSchema.errors, { dataVar: 'schema' }));
  for (const pattern of patternsIn(schema)) new RegExp(pattern, 'u');
  return schema;
}

/** Every regular expression of a schema, as text. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'pattern') yield String(value);
    if (keyword === 'patternProperties') yield* Object.keys(value as object);
    if (NAMED.has(keyword)) for (const named of Object.values(value as object)) yield* patternsIn(named);
    else if (!DATA.has(keyword)) yield* patternsIn(value);
  }
}
