import type { Script } from 'node:vm';

import type { Ajv, Options } from 'ajv';

import { type JsonSchema, schemasWithin } from '../reader/schema-parts.js';
import type { SchemaFault } from './schema-fault.js';

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  strictNumbers: true,
  verbose: true,
  validateSchema: false, // `schemaCompiler` does that where it is needed
  addUsedSchema: false,
  logger: false,
  ownProperties: true,
  code: { regExp: guardedPattern },
};

type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** One validator for each dialect, loaded when the first schema of it is compiled: a new one costs 24 ms. */
const shared = new Map<Dialect, Promise<Ajv>>();

/** True if a value fits the schema that it was compiled for. */
export interface Validate {
  /** True if the value fits. */
  (value: unknown): boolean;
  /** The errors of the last value, if it did not fit. */
  errors?: readonly SchemaFault[] | null;
}

/** Compiles the schema it was made for, or a part of it. */
export type SchemaCompiler = (part?: JsonSchema) => Validate;

/**
 * Validates a schema, and compiles it when it is asked to; the validator that it needs is loaded already. What Ajv says of
 * a bad schema is thrown as it is; the caller knows whose schema it is. Where code may not be generated, schemas are
 * interpreted, and not checked themselves.
 *
 * @param options.isKnownGood true if the schema was validated before, as derived schemas are: the validator need not
 * compile its meta-schema, which takes some 60 ms. Default: false
 */
export async function schemaCompiler(
  schema: JsonSchema,
  { isKnownGood = false }: { readonly isKnownGood?: boolean } = {},
): Promise<SchemaCompiler> {
  if (!mayGenerateCode()) return interpretingCompiler(schema);
  const ajv = await sharedAjv(dialectOf(schema));
  const whole = withId(schema);
  try {
    if (!isKnownGood) void ajv.validateSchema(whole, true);
  } catch (error) {
    throw explained(error);
  }
  return (part = whole) => {
    try {
      return part === whole ? compiledOnce(ajv, whole) : (ajv.compile(part) as Validate);
    } catch (error) {
      throw explained(error);
    }
  };
}

/** How many compiled schemas are kept, and the longest text of one. */
const MOST_KEPT = 200;
const LONGEST_KEPT = 2_000;

/** By validator and text, the one that was asked for last at the end. */
const kept = new WeakMap<Ajv, Map<string, Validate>>();

/**
 * Tools are declared anew with each runner, and with each listing of a toolset: small schemas that were compiled not long
 * ago are not compiled again. A validator keeps nothing of a value but its errors, which are read before the next value.
 */
function compiledOnce(ajv: Ajv, schema: JsonSchema): Validate {
  const text = JSON.stringify(schema);
  if (text.length > LONGEST_KEPT) return ajv.compile(schema) as Validate;
  const known = kept.get(ajv) ?? new Map<string, Validate>();
  kept.set(ajv, known);
  const validate = known.get(text) ?? (ajv.compile(schema) as Validate);
  known.delete(text);
  known.set(text, validate);
  const [oldest] = known.keys();
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
  return validate;
}

/** The error of a bad schema: references without an end overflow the stack. */
function explained(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new Error('references in it only lead back to themselves', { cause: error });
}

/** Keywords that cannot keep a valid schema from being compiled. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'const', 'format', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'anyOf', 'oneOf', 'allOf', 'not'],
]);

/**
 * True if a valid schema can surely be compiled, so that it need not be before its first use: it has no references, no
 * patterns, and no keyword that Ajv may refuse.
 */
export function isPlain(schema: JsonSchema): boolean {
  return [...schemasWithin(schema)].every((part) =>
    Object.entries(part).every(([keyword, value]) =>
      keyword === 'enum' ? Array.isArray(value) && value.length > 0 : PLAIN_KEYWORDS.has(keyword),
    ),
  );
}

/** False in Cloudflare Workers, and with the option `--disallow-code-generation-from-strings` of Node.js. */
function mayGenerateCode(): boolean {
  try {
    Reflect.construct(Function, ['return true']); // workerd permits an empty function
    return true;
  } catch {
    return false;
  }
}

async function interpretingCompiler(schema: JsonSchema): Promise<SchemaCompiler> {
  const { schemaInterpreter } = await import('./interpreted-schema.js');
  const dialect = dialectOf(schema);
  const interpret = await schemaInterpreter(dialect === 'draft-07' ? '7' : dialect);
  return (part = schema) => interpret(part);
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

/** How long a text may be matched against a pattern, in milliseconds. */
const TIME_LIMIT = 100;

/** How long all texts of one validation may be matched in sum. */
const SUM_LIMIT = 500;

/** A simple pattern takes no more than the square of this in steps. */
const LONGEST_UNGUARDED = 1_000;

/** Repeats without a bound: one is harmless, several may try their texts in every combination. */
const REPEATS = /[*+]|\{\d+,\}/g;

/** The remaining time of the current validation; undefined outside of one. */
let timeLeft: number | undefined;

/** Matching the texts of a value against the patterns of its schema takes too long. */
export class PatternTimeout extends Error {}

/**
 * Runs one validation, which is synchronous, with a limit of the time for all its patterns together. A text that
 * could not be matched to its end fits nothing and breaks nothing: the validation ends.
 *
 * @throws {PatternTimeout}
 */
export function withPatternTime<Result>(validate: () => Result): Result {
  if (timeLeft !== undefined) return validate();
  timeLeft = SUM_LIMIT;
  try {
    return validate();
  } finally {
    timeLeft = undefined;
  }
}

/** The context for matches that may have to be stopped, created at first use. */
let guard: { readonly place: Record<string, unknown>; readonly matching: Script } | undefined;

/** The interface of a pattern for Ajv, which caches patterns by text. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern of a schema, which somebody else may have written. Where matching could take for ever it is stopped
 * after 100 milliseconds: the text is taken not to match, and a validation that is going on ends.
 */
export function guardedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const isSimple = !source.includes('(') && (source.match(REPEATS) ?? []).length <= 1;
  const isHarmless = (text: string) => isSimple && text.length <= LONGEST_UNGUARDED;
  return {
    test: (text) => (isHarmless(text) ? pattern.test(text) : matchInTime(pattern, text)),
    toString: () => String(pattern),
  };
}

/** How Ajv would write it into code of its own, which is never done here. */
guardedPattern.code = 'new RegExp';

/** A built-in module is loaded at the first match, as a match cannot wait for an import. */
function newGuard(): { readonly place: Record<string, unknown>; readonly matching: Script } {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  return { place: createContext({}), matching: new Script('pattern.test(text)') };
}

function matchInTime(pattern: RegExp, text: string): boolean {
  guard ??= newGuard();
  const { place, matching } = guard;
  if (timeLeft !== undefined && timeLeft <= 0) throw new PatternTimeout();
  const timeout = Math.max(1, Math.ceil(Math.min(TIME_LIMIT, timeLeft ?? TIME_LIMIT)));
  const begin = performance.now();
  Object.assign(place, { pattern, text });
  try {
    return matching.runInContext(place, { timeout }) === true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    if (timeLeft !== undefined) throw new PatternTimeout();
    return false;
  } finally {
    Object.assign(place, { pattern: undefined, text: undefined });
    if (timeLeft !== undefined) timeLeft -= performance.now() - begin;
  }
}
