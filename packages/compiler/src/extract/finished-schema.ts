import type { JsonSchema } from '@adorn/core';
import { asSchema, definitionsOf, SchemaDocument, schemasWithin } from '@adorn/core/backend';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { definitionName, type Definitions } from '../schema/definitions.js';
import { withoutMarks } from '../schema/hydration-mark.js';

/** A schema in JSON, with exactly the definitions that it refers to, directly or indirectly. */
export function withDefinitions(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const all = definitions.all();
  const reachable = [...new SchemaDocument({ $defs: all }).reachable(schema)];
  const used = new Set(
    reachable.flatMap(({ $ref }) => (typeof $ref === 'string' ? definitionName($ref) : [])),
  );
  const $defs = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return withoutMarks(used.size === 0 ? schema : { ...schema, $defs });
}

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

/** Validates schemas against the meta-schema. Schemas are not compiled, which would dominate the derivation. */
function validator(): ValidateFunction {
  compiled ??= ajv.compile(schemaOfSchemas());
  return compiled;
}

/** The meta-schema in one piece, which compiles in a third of the time of its parts with dynamic references. */
function schemaOfSchemas(): JsonSchema {
  const parts = VOCABULARIES.map((name) => ajv.schemas[name]?.schema as JsonSchema);
  const whole = {
    type: ['object', 'boolean'],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as object,
    $defs: Object.assign({}, ...parts.map(({ $defs }) => $defs)) as object,
  };
  return JSON.parse(JSON.stringify(whole).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#"')) as JsonSchema;
}

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

/** Every regular expression of a schema and its definitions, as text. */
function patternsIn(schema: JsonSchema): readonly string[] {
  const schemas = [schema, ...definitionsOf(schema).values()].flatMap((one) => [...schemasWithin(one)]);
  return schemas.flatMap((one) => [
    ...('pattern' in one ? [String(one['pattern'])] : []),
    ...Object.keys(asSchema(one['patternProperties']) ?? {}),
  ]);
}
