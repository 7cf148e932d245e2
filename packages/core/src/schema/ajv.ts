import type { Ajv, Options, ValidateFunction } from 'ajv';

import { guardedPattern } from './guarded-pattern.js';
import type { JsonSchema } from './json-schema.js';

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  strictNumbers: true,
  verbose: true,
  addUsedSchema: false,
  logger: false,
  ownProperties: true,
  code: { regExp: guardedPattern },
};

type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** One validator for each dialect, loaded when the first schema of it is compiled: a new one costs 24 ms. */
const shared = new Map<Dialect, Promise<Ajv>>();

/** Compiles the schema it was made for, or another one of its dialect. */
export type SchemaCompiler = (other?: JsonSchema) => ValidateFunction;

/**
 * Compiles a schema when it is asked to; the validator that it needs is loaded already. What Ajv says of a bad
 * schema is thrown as it is; the caller knows whose schema it is.
 */
export async function schemaCompiler(schema: JsonSchema): Promise<SchemaCompiler> {
  const ajv = await sharedAjv(dialectOf(schema));
  const whole = withId(schema);
  return (other = whole) => {
    try {
      return ajv.compile(other);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Error('references in it only lead back to themselves', { cause: error });
    }
  };
}

/** Ajv resolves `#` by the id, because it does not keep compiled schemas. */
function withId(schema: JsonSchema): JsonSchema {
  const refersToItself = JSON.stringify(schema).includes('"$ref":"#"');
  return refersToItself ? { $id: 'adorn:whole', ...schema } : schema;
}

/** A schema has the dialect that it names, by default the newest. */
function dialectOf({ $schema }: JsonSchema): Dialect {
  if (typeof $schema !== 'string') return '2020-12';
  if (/\/draft-0[67]\//.test($schema)) return 'draft-07';
  return $schema.includes('/2019-09/') ? '2019-09' : '2020-12';
}

function sharedAjv(dialect: Dialect): Promise<Ajv> {
  const known = shared.get(dialect) ?? load(dialect);
  shared.set(dialect, known);
  return known;
}

async function load(dialect: Dialect): Promise<Ajv> {
  const [ajv, formats] = await Promise.all([create(dialect), import('ajv-formats')]);
  (formats.default as unknown as { default: (ajv: Ajv) => void }).default(ajv);
  return ajv;
}

async function create(dialect: Dialect): Promise<Ajv> {
  if (dialect === '2020-12') return new (await import('ajv/dist/2020.js')).Ajv2020(OPTIONS);
  if (dialect === '2019-09') return new (await import('ajv/dist/2019.js')).Ajv2019(OPTIONS);
  const ajv = new (await import('ajv')).Ajv(OPTIONS);
  const draft06 = {
    $id: 'http://json-schema.org/draft-06/schema',
    $ref: 'http://json-schema.org/draft-07/schema',
  };
  return ajv.addMetaSchema(draft06);
}

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
