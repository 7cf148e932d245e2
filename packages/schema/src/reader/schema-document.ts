import type { JsonType } from '../derived/derived-class.js';
import {
  asSchema,
  branchesOf,
  isObject,
  type JsonSchema,
  literalsOf,
  propertiesOf,
  schemasIn,
  statedTypes,
  subschemasOf,
  typeOf,
} from './schema-parts.js';

const TYPES: readonly JsonType[] = ['array', 'boolean', 'number', 'object', 'string', 'null'];

/** A whole JSON Schema, and what its parts say once references to other parts of it are followed. */
export class SchemaDocument {
  private readonly takenTypes = new Map<JsonSchema, Map<JsonType, boolean>>();

  constructor(
    /** The schema that references such as `#/$defs/Address` are resolved in. */
    readonly root: JsonSchema,
  ) {}

  /** The schema that a reference such as `#/$defs/Order` leads to; undefined outside of the document. */
  find(reference: string): JsonSchema | undefined {
    return asSchema(valueAt(this.root, reference));
  }

  /** The target of a schema's `$ref`; undefined if it has none, or the target is outside of the document. */
  targetOf({ $ref }: JsonSchema): JsonSchema | undefined {
    return typeof $ref === 'string' ? this.find($ref) : undefined;
  }

  /** The last target of a chain of references; the schema itself if it refers to nothing. */
  resolve(schema: JsonSchema): JsonSchema {
    const visited = new Set([schema]);
    let last = schema;
    for (let next = this.targetOf(last); next && !visited.has(next); next = this.targetOf(last)) {
      visited.add(next);
      last = next;
    }
    return last;
  }

  /** The schemas that apply to the same value: these, their targets, and the members of `allOf`, `anyOf` and `oneOf`. */
  inPlace(...schemas: readonly JsonSchema[]): ReadonlySet<JsonSchema> {
    return closure(schemas, (one) => [...this.targets(one), ...schemasIn(one['allOf']), ...branchesOf(one)]);
  }

  /** A schema with all schemas that it contains or refers to, each once. */
  reachable(schema: JsonSchema): ReadonlySet<JsonSchema> {
    return closure([schema], (one) => [...this.targets(one), ...subschemasOf(one)]);
  }

  /** True if a value of the type may fit, judged by types and allowed values. */
  takes(schema: JsonSchema, type: JsonType): boolean {
    const types = this.takenTypes.get(schema) ?? new Map<JsonType, boolean>();
    this.takenTypes.set(schema, types);
    const known = types.get(type);
    if (known !== undefined) return known;
    types.set(type, true); // A schema that refers to itself excludes nothing by that.
    const takes = this.judge(schema, type);
    types.set(type, takes);
    return takes;
  }

  /** The types of which a value may fit. */
  typesOf(schema: JsonSchema): readonly JsonType[] {
    return TYPES.filter((type) => this.takes(schema, type));
  }

  /** True if a value may belong to a branch of a union: no literal contradicts. Null properties may be omitted. */
  mayMean(branch: JsonSchema, value: unknown): boolean {
    if (statedTypes(branch).join() === 'null') return false;
    if (!isObject(value)) return true;
    return [...propertiesOf(this.resolve(branch))].every(([name, property]) => {
      const given = Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
      return given === undefined || (literalsOf(property)?.includes(given) ?? true);
    });
  }

  private judge(schema: JsonSchema, type: JsonType): boolean {
    const takes = (one: JsonSchema): boolean => this.takes(one, type);
    const types = statedTypes(schema);
    const isStated = types.includes(type) || (type === 'number' && types.includes('integer'));
    if (types.length > 0 && !isStated) return false;
    if (literalsOf(schema)?.every((literal) => typeOf(literal) !== type) === true) return false;
    const branches = branchesOf(schema);
    const together = [...this.targets(schema), ...schemasIn(schema['allOf'])];
    return together.every(takes) && (branches.length === 0 || branches.some(takes));
  }

  private targets(schema: JsonSchema): readonly JsonSchema[] {
    const target = this.targetOf(schema);
    return target ? [target] : [];
  }
}

/** All that is reached from the first, themselves included. */
function closure(
  first: readonly JsonSchema[],
  next: (schema: JsonSchema) => readonly JsonSchema[],
): ReadonlySet<JsonSchema> {
  const found = new Set(first);
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

/** The value in a document that a reference such as `#/components/schemas/Pet` leads to; undefined if there is none. */
export function valueAt(document: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found = document;
  for (const step of reference.split('/').slice(1).map(pointerStep)) {
    const isInside = typeof found === 'object' && found !== null && Object.hasOwn(found, step);
    found = isInside ? (found as JsonSchema)[step] : undefined;
  }
  return found;
}

/** A step of a JSON pointer that stands in the fragment of a URL (RFC 6901, section 6). */
export function pointerStep(step: string): string {
  return percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
