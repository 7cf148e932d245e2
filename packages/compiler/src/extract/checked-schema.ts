import type { JsonSchema } from '@adorn/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Holds schemas to the schema of schemas. It compiles none: that would take most of a derivation's time. */
const ajv = new Ajv2020({ strict: false, logger: false });

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
  if (ajv.validateSchema(schema) !== true) {
    throw new SyntaxError(ajv.errorsText(ajv.errors, { dataVar: 'schema' }));
  }
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
