import { stepsOf } from '../argument-path.js';
import type { JsonSchema } from '../json-schema.js';
import { isObject } from './coerce-value.js';

/** A schema read part by part, with its local references followed. */
export class SchemaView {
  constructor(private readonly root: JsonSchema) {}

  /** The target of a reference; undefined if it is outside the schema. */
  resolve({ $ref }: JsonSchema): JsonSchema | undefined {
    if (typeof $ref !== 'string' || !/^#(\/|$)/.test($ref)) return undefined;
    const found = stepsOf(decodeURIComponent($ref)).reduce<unknown>(
      (part, step) =>
        typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[step] : undefined,
      this.root,
    );
    return asSchema(found);
  }

  /** True if values of a type may fit, judged by types alone. */
  takes(schema: JsonSchema, type: string, depth = 0): boolean {
    if (depth > DEEPEST) return true;
    const takes = (one: JsonSchema): boolean => this.takes(one, type, depth + 1);
    const target = this.resolve(schema);
    if (target !== undefined && !takes(target)) return false;
    const types = typesOf(schema);
    if (types.length > 0 && !types.includes(type)) return false;
    const literals = literalsOf(schema);
    if (type === 'null' && literals !== undefined && !literals.includes(null)) return false;
    const branches = branchesOf(schema);
    return schemasIn(schema['allOf']).every(takes) && (branches.length === 0 || branches.some(takes));
  }

  /**
   * True if a value may belong to a branch of a union: no literal contradicts. Null properties may be
   * omitted.
   */
  mayMean(branch: JsonSchema, value: unknown): boolean {
    if (typesOf(branch).join() === 'null') return false;
    if (!isObject(value)) return true;
    const target = this.resolve(branch) ?? branch;
    return [...namedSchemasIn(target['properties'])].every(([name, property]) => {
      const given = Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
      return given === undefined || (literalsOf(property)?.includes(given) ?? true);
    });
  }
}

const DEEPEST = 32;

/** The types of a schema; empty if it allows all. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** The allowed values of a schema; undefined if it lists none. */
export function literalsOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

/** The schemas of which a value has to fit one. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])];
}

/** What is said of an element of a list, as any draft writes it; one that says nothing where nothing is. */
export function elementSchema(
  { items, prefixItems, additionalItems }: JsonSchema,
  index: number,
): JsonSchema {
  const isOldTuple = Array.isArray(items);
  const first: unknown = isOldTuple ? items : prefixItems;
  const isFirst = Array.isArray(first) && index < first.length;
  return asSchema(isFirst ? first[index] : isOldTuple ? additionalItems : items) ?? {};
}

export function schemasIn(value: unknown): readonly JsonSchema[] {
  if (!Array.isArray(value)) return [];
  return value.map(asSchema).filter((one) => one !== undefined);
}

export function namedSchemasIn(value: unknown): ReadonlyMap<string, JsonSchema> {
  const entries = Object.entries(asSchema(value) ?? {});
  return new Map(
    entries.flatMap(([name, one]) => {
      const schema = asSchema(one);
      return schema === undefined ? [] : [[name, schema] as const];
    }),
  );
}

export function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : undefined;
}
