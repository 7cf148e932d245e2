import { copyJson } from '../json/json-value.js';
import { guardedPattern, type PartCheck, type Pattern } from './ajv.js';
import {
  asSchema,
  branchesOf,
  elementSchema,
  isObject,
  isOfType,
  type JsonSchema,
  literalsOf,
  patternsOf,
  propertiesOf,
  schemasIn,
  statedTypes,
} from '../reader/schema-parts.js';
import { SchemaDocument } from '../reader/schema-document.js';

export interface CoercionOptions {
  /** Top-level properties whose defaults the called code fills in itself. */
  readonly ownDefaults: ReadonlySet<string>;
  /** Drops properties that the schema does not allow. */
  readonly dropUnknown: boolean;
  /** Renames a property that the schema does not allow, if it is another spelling of one that is missing. */
  readonly respell: boolean;
  /** Fills in only defaults that match their own schema; otherwise all defaults, which are validated afterwards. */
  readonly checkDefaults: boolean;
}

/** Deeper than any value that a model sends; bounds the walk of a schema that only refers to itself. */
const DEEPEST = 64;

/** More steps than any call needs; bounds the walk of recursive unions. */
const MOST_STEPS = 50_000;

/**
 * Coerces arguments to the types of a schema where the intent is unambiguous: a number or boolean given as a string or
 * the reverse, a single value for an array, JSON in a string, and null for an optional property; fills in defaults.
 * Takes the first branch of a union that matches. Returns the same value if nothing changes; never mutates its input.
 */
export class ArgumentCoercer {
  private readonly document: SchemaDocument;
  private steps = 0;
  private readonly shapes = new Map<JsonSchema, ObjectShape>();

  constructor(
    private readonly root: JsonSchema,
    private readonly fits: PartCheck,
    private readonly options: CoercionOptions,
  ) {
    this.document = new SchemaDocument(root);
  }

  /** Coerces the arguments to the root schema. */
  coerceArguments(args: unknown): unknown {
    this.steps = 0;
    return this.coerce(this.root, args, 0);
  }

  private coerce(schema: JsonSchema, value: unknown, depth: number): unknown {
    if (depth > DEEPEST || this.steps++ > MOST_STEPS) return value;
    const inner = (one: JsonSchema, part: unknown): unknown => this.coerce(one, part, depth + 1);
    let coerced = this.inType(schema, value, depth);
    const target = this.document.targetOf(schema);
    if (target) coerced = inner(target, coerced);
    for (const part of schemasIn(schema['allOf'])) coerced = inner(part, coerced);
    coerced = this.inBranch(branchesOf(schema), coerced, depth);
    if (Array.isArray(coerced))
      return mapped(coerced, (element, index) => inner(elementSchema(schema, index), element));
    return isObject(coerced) ? this.inProperties(schema, coerced, depth) : coerced;
  }

  private inType(schema: JsonSchema, value: unknown, depth: number): unknown {
    const types = statedTypes(schema);
    if (value === null || value === undefined) return value;
    if (types.length === 0 || types.some((type) => isOfType(value, type)))
      return coerceLiteral(value, literalsOf(schema) ?? []);
    const coerced = coerceScalar(value, types);
    if (coerced) return coerced.value;
    const parsed = parseStructure(value, types);
    if (parsed && !(Array.isArray(parsed.value) && this.isText(schema, parsed.value, depth)))
      return parsed.value;
    return types.includes('array') && !Array.isArray(value) ? [value] : value;
  }

  /** Whether a text that could be a list is rather meant as the only element: as a list it would need more coercion. */
  private isText(schema: JsonSchema, list: readonly unknown[], depth: number): boolean {
    const takesText = this.document.takes(asSchema(schema['items']) ?? {}, 'string');
    return takesText && this.coerce(schema, list, depth + 1) !== list;
  }

  private inBranch(branches: readonly JsonSchema[], value: unknown, depth: number): unknown {
    const fitting = branches.find((branch) => this.fits(branch, value));
    if (fitting) return this.coerce(fitting, value, depth + 1);
    const meant = branches.filter((branch) => this.document.mayMean(branch, value));
    const coerced = meant.map((branch) => this.coerce(branch, value, depth + 1));
    const index = meant.findIndex((branch, at) => this.fits(branch, coerced[at]));
    if (index !== -1) return coerced[index];
    return coerced.length === 1 ? coerced[0] : value;
  }

  private inProperties(
    schema: JsonSchema,
    object: Readonly<Record<string, unknown>>,
    depth: number,
  ): Readonly<Record<string, unknown>> {
    const shape = this.shapes.get(schema) ?? new ObjectShape(schema);
    this.shapes.set(schema, shape);
    const spelled = this.options.respell ? shape.respelled(object) : object;
    const kept = Object.entries(spelled).flatMap(([name, value]): [string, unknown][] => {
      if (this.options.dropUnknown && !shape.hasRoomFor(name)) return [];
      const own = shape.schemasOf(name);
      if (value === null && own.some((one) => !this.document.takes(one, 'null'))) return [];
      return [[name, own.reduce((part, one) => this.coerce(one, part, depth + 1), value)]];
    });
    const given = new Set(kept.map(([name]) => name));
    const filled = this.defaults(schema, shape.properties, given, depth);
    const isSame = kept.every(([name, value]) => value === object[name]) && spelled === object;
    if (isSame && filled.length === 0 && kept.length === Object.keys(object).length) return object;
    return Object.fromEntries([...kept, ...filled]);
  }

  private defaults(
    owner: JsonSchema,
    properties: ReadonlyMap<string, JsonSchema>,
    given: ReadonlySet<string>,
    depth: number,
  ): [string, unknown][] {
    return [...properties].flatMap(([name, schema]) => {
      if (given.has(name) || !Object.hasOwn(schema, 'default')) return [];
      if (owner === this.root && this.options.ownDefaults.has(name)) return [];
      if (this.options.checkDefaults && !this.fits(schema, schema['default'])) return [];
      return [[name, this.coerce(schema, copyJson(schema['default']), depth + 1)] as [string, unknown]];
    });
  }
}

/** Maps an array; returns the same array if no element changes. */
function mapped(
  list: readonly unknown[],
  change: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((element, index) => element !== list[index]) ? changed : list;
}

/** The schemas of an object's properties, read once. */
class ObjectShape {
  /** By name, those of which a schema says more than true or false. */
  readonly properties: ReadonlyMap<string, JsonSchema>;
  private readonly names: ReadonlySet<string>;
  private readonly patterns: readonly (readonly [Pattern, JsonSchema])[];
  private readonly others: JsonSchema | undefined;
  private readonly isClosed: boolean;

  constructor(schema: JsonSchema) {
    const { properties, additionalProperties } = schema;
    this.properties = propertiesOf(schema);
    this.names = new Set(Object.keys(asSchema(properties) ?? {}));
    this.patterns = [...patternsOf(schema)].map(
      ([pattern, one]) => [guardedPattern(pattern, 'u'), one] as const,
    );
    this.others = asSchema(additionalProperties);
    this.isClosed = additionalProperties === false;
  }

  /** All that is said of a property. */
  schemasOf(name: string): readonly JsonSchema[] {
    const named = this.properties.get(name);
    const matching = this.patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
    const known = named ? [named, ...matching] : matching;
    return known.length > 0 || !this.others ? known : [this.others];
  }

  hasRoomFor(name: string): boolean {
    return !this.isClosed || this.names.has(name) || this.schemasOf(name).length > 0;
  }

  /**
   * The object with properties renamed that differ from a missing one only in case, `_` and `-`: `orderId` for
   * `order_id`. Two that would get one name stay. Returns the same object if nothing is renamed.
   */
  respelled(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const unknown = byLetters(Object.keys(object).filter((name) => !this.hasRoomFor(name)));
    if (unknown.size === 0) return object;
    const missing = byLetters([...this.names].filter((name) => !Object.hasOwn(object, name)));
    const renamed = new Map(
      [...unknown].flatMap(([letters, [name, ...rivals]]) => {
        const [meant, ...others] = missing.get(letters) ?? [];
        return meant === undefined || rivals.length + others.length > 0 ? [] : [[name, meant] as const];
      }),
    );
    if (renamed.size === 0) return object;
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => [renamed.get(name) ?? name, value]),
    );
  }
}

/** Names that differ only in case, `_` and `-`, together. */
function byLetters(names: readonly string[]): ReadonlyMap<string, readonly [string, ...string[]]> {
  const groups = new Map<string, [string, ...string[]]>();
  for (const name of names) {
    const letters = name.replace(/[_-]/g, '').toLowerCase();
    const group = groups.get(letters);
    if (!group) groups.set(letters, [name]);
    else group.push(name);
  }
  return groups;
}

/** A value converted without a change of meaning. */
interface Coerced {
  readonly value: unknown;
}

/** A number, a true or false in the type asked for, where the text is exactly that, and the other way round. */
function coerceScalar(value: unknown, types: readonly string[]): Coerced | undefined {
  if (typeof value === 'string') {
    const number = types.includes('number') || types.includes('integer') ? toNumber(value) : undefined;
    if (number !== undefined) return { value: number };
    return types.includes('boolean') ? toBoolean(value) : undefined;
  }
  if (!types.includes('string')) return undefined;
  if (typeof value === 'number') return isExact(value) ? { value: String(value) } : undefined;
  return typeof value === 'boolean' ? { value: String(value) } : undefined;
}

/** The allowed value that differs only in type; otherwise the value itself. */
function coerceLiteral(value: unknown, allowed: readonly unknown[]): unknown {
  if (!isScalar(value) || allowed.includes(value)) return value;
  return allowed.filter(isScalar).find((one) => String(one) === String(value)) ?? value;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** An object or a list that was written as text. */
function parseStructure(value: unknown, types: readonly string[]): Coerced | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = parse(value);
  const isWanted = Array.isArray(parsed) ? types.includes('array') : types.includes('object');
  return isWanted && (Array.isArray(parsed) || isObject(parsed)) ? { value: parsed } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toBoolean(text: string): Coerced | undefined {
  return text === 'true' || text === 'false' ? { value: text === 'true' } : undefined;
}

/** JSON numbers without an exponent that a double holds exactly. */
function toNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  const isKept = Number.isInteger(number) ? Number.isSafeInteger(number) : digitsOf(text) <= 15;
  return isKept ? number : undefined;
}

/** The original digits of a number that a double does not hold exactly are unknown. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : digitsOf(String(value)) <= 15;
}

function digitsOf(text: string): number {
  return text.replace(/[-.]/g, '').length;
}
