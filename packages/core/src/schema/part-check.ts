import type { SchemaCompiler } from './ajv.js';
import type { JsonSchema } from './json-schema.js';

/** True if a value fits a part of a schema. */
export type PartCheck = (part: JsonSchema, value: unknown) => boolean;

type Check = (value: unknown) => unknown;

/** Checks against parts of a schema, each of which is compiled when it is first asked for. */
export function partCheck(compile: SchemaCompiler, { $schema, $defs, definitions }: JsonSchema): PartCheck {
  const shared = { $schema, $defs, definitions };
  const checks = new Map<JsonSchema, Check>();
  return (part, value) => {
    const check = checks.get(part) ?? compiled(compile, { ...shared, ...part });
    checks.set(part, check);
    return check(value) === true;
  };
}

/** A part that refers to what is not with it fits nothing: then nothing is decided by it. */
function compiled(compile: SchemaCompiler, schema: JsonSchema): Check {
  try {
    return compile(schema);
  } catch {
    return () => false;
  }
}
