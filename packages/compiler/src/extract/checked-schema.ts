import type { JsonSchema } from '@adorn/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Holds schemas to the schema of schemas. It compiles none: that would take most of a derivation's time. */
const ajv = new Ajv2020({ strict: false, formats: { regex: isPattern }, logger: false });
for (const format of ['uri', 'uri-reference', 'anchor']) ajv.addFormat(format, true);

/**
 * The schema itself, where a validator can be made of it: every keyword has a value of its kind, every pattern is
 * one. Its references are the compiler's own, and lead somewhere.
 *
 * @throws SyntaxError saying what is wrong with it.
 */
export function checkedSchema(schema: JsonSchema): JsonSchema {
  if (ajv.validateSchema(schema) === true) return schema;
  throw new SyntaxError(ajv.errorsText(ajv.errors, { dataVar: 'schema' }));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
