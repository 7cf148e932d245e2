import { isObject, type JsonObject, listOf, objectOf, textOf } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import { describedSchema } from './described.js';
import { type BuiltSchema, plainKeywords } from './plain-keywords.js';

/** How much of a document's schemas is told. */
export interface Detail {
  /** How many levels of properties, items and references are told; below them, schemas are outlined in words. */
  readonly levels: number;
  /** The longest description of a schema, in characters. */
  readonly description: number;
}

/** How many schemas one declaration may have: aliases of YAML and references may multiply a small document. */
const MOST_SCHEMAS = 5_000;

/** How many schemas one schema may be all of, directly or not. */
const MOST_BASES = 100;

/** How deep schemas may stand in each other without a level between them. */
const DEEPEST = 200;

// Converted keyword by keyword, not read by `subschemasOf` of core: read-only properties and levels differ by keyword.
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const LISTS = ['prefixItems'] as const;
const SINGLE = ['items', 'contains', 'propertyNames', 'additionalProperties'] as const;
const CHOICES = ['allOf', 'anyOf', 'oneOf'] as const;
const IN_PLACE = ['not', 'if', 'then', 'else'] as const;

/** Where a schema stands. */
interface Position {
  readonly level: number;
  readonly depth: number;
  /** True for a member of `allOf`: what the schema itself is one of does not count there. */
  readonly isBase?: boolean;
}

/**
 * Converts schemas of a document to JSON Schema 2020-12, as a request has them: without read-only properties. A `$ref`
 * becomes an entry of `$defs`, once, so circular schemas stay small.
 */
export class SchemaConverter {
  private readonly names = new Map<string, string>();
  private readonly waiting: (() => void)[] = [];
  private readonly defs = new Map<string, BuiltSchema>();
  private count = 0;

  constructor(
    private readonly document: OpenApiDocument,
    private readonly detail: Detail,
  ) {}

  /**
   * A schema of an argument.
   *
   * @throws {OperationFault} for a reference that leads nowhere
   */
  convert(schema: unknown): BuiltSchema {
    return this.schemaAt(schema, { level: 0, depth: 0 });
  }

  /** True if there were more schemas than one declaration may have: some were left out. */
  get isExceeded(): boolean {
    return this.count > MOST_SCHEMAS;
  }

  /** The schemas that the converted ones refer to, by name. */
  definitions(): Map<string, BuiltSchema> {
    for (let convert = this.waiting.shift(); convert !== undefined; convert = this.waiting.shift()) convert();
    return this.defs;
  }

  private schemaAt(schema: unknown, position: Position): BuiltSchema {
    if (schema === false) return { not: {} };
    if (!isObject(schema) || ++this.count > MOST_SCHEMAS || position.depth > DEEPEST) return {};
    if (position.level > this.detail.levels) return this.outline(schema);
    if (typeof schema['$ref'] === 'string') return this.referenceAt(schema, schema['$ref'], position);
    const built = this.withoutNullability(schema, position);
    const accepted = this.acceptsNull(schema, built) ? { anyOf: [built, { type: 'null' }] } : built;
    const description = describedSchema(schema, this.detail.description);
    return description === undefined ? accepted : { ...accepted, description };
  }

  /** In OpenAPI 3.0 `nullable` stands beside a type, which has taken it, or beside references. */
  private acceptsNull(schema: JsonObject, built: BuiltSchema): boolean {
    return schema['nullable'] === true && built['type'] === undefined && Object.keys(built).length > 0;
  }

  private referenceAt(schema: JsonObject, reference: string, position: Position): BuiltSchema {
    const target = this.document.resolve(this.document.find(reference));
    if (position.level + 1 > this.detail.levels) return this.outline(objectOf(target));
    const name = this.definitionOf(reference, target, position);
    const { $ref: _reference, nullable, ...siblings } = schema;
    const own = Object.keys(siblings).length === 0 ? {} : this.schemaAt(siblings, position);
    const built = { $ref: `#/$defs/${name}`, ...own };
    return nullable === true ? { anyOf: [built, { type: 'null' }] } : built;
  }

  private definitionOf(reference: string, target: unknown, { level, isBase = false }: Position): string {
    const isBaseOfChoice = isBase && isObject(target) && Object.hasOwn(target, 'discriminator');
    const key = isBaseOfChoice ? `${reference} base` : reference;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = this.freeName(reference);
    this.names.set(key, name);
    this.waiting.push(() => {
      const schema = isBaseOfChoice ? withoutChoice(target) : target;
      this.defs.set(name, this.schemaAt(schema, { level: level + 1, depth: 0 }));
    });
    return name;
  }

  private freeName(reference: string): string {
    const own = (reference.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_').slice(0, 60) || 'Schema';
    const taken = new Set(this.names.values());
    if (!taken.has(own)) return own;
    let number = 2;
    while (taken.has(`${own}_${String(number)}`)) number++;
    return `${own}_${String(number)}`;
  }

  private withoutNullability(schema: JsonObject, position: Position): BuiltSchema {
    return { ...plainKeywords(schema), ...this.inPlace(schema, position), ...this.nested(schema, position) };
  }

  /** Keywords whose schemas are about the value itself. */
  private inPlace(schema: JsonObject, { level, depth }: Position): BuiltSchema {
    const inner = { level, depth: depth + 1 };
    const built: BuiltSchema = {};
    for (const keyword of CHOICES) {
      const branches = listOf(schema[keyword]);
      if (branches.length === 0) continue;
      const isBase = keyword === 'allOf';
      const converted = branches.map((branch) => this.schemaAt(branch, { ...inner, isBase }));
      built[keyword] = isBase ? converted : withDiscriminator(schema, branches, converted);
    }
    for (const keyword of IN_PLACE) {
      if (isSchema(schema[keyword])) built[keyword] = this.schemaAt(schema[keyword], inner);
    }
    return built;
  }

  /** Keywords whose schemas are about parts of the value. */
  private nested(schema: JsonObject, { level, depth }: Position): BuiltSchema {
    const inner = { level: level + 1, depth: depth + 1 };
    const built: BuiltSchema = {};
    const hidden = this.readOnlyNames(schema);
    for (const keyword of MAPS) {
      if (!isObject(schema[keyword])) continue;
      const kept = Object.entries(schema[keyword]).filter(
        ([name]) => keyword !== 'properties' || !hidden.has(name),
      );
      built[keyword] = Object.fromEntries(kept.map(([name, part]) => [name, this.schemaAt(part, inner)]));
    }
    for (const keyword of LISTS) {
      const parts = listOf(schema[keyword]);
      if (parts.length > 0) built[keyword] = parts.map((part) => this.schemaAt(part, inner));
    }
    for (const keyword of SINGLE) {
      if (isSchema(schema[keyword])) built[keyword] = this.partAt(schema[keyword], inner);
    }
    const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
    const asked = [...required].filter((name) => !hidden.has(name));
    if (asked.length > 0) built['required'] = asked;
    return isObject(built['properties']) ? withRequired(built, built['properties'], asked) : built;
  }

  private partAt(part: unknown, position: Position): BuiltSchema | boolean {
    return typeof part === 'boolean' ? part : this.schemaAt(part, position);
  }

  /** The properties that only responses have, those of the schemas it is all of included. */
  private readOnlyNames(schema: JsonObject): ReadonlySet<string> {
    const names = new Set<string>();
    const seen = new Set([schema]);
    for (const part of seen) {
      for (const [name, property] of Object.entries(objectOf(part['properties'])))
        if (isObject(property) && this.isReadOnly(property)) names.add(name);
      // What is added here is visited by the loop as well.
      for (const base of listOf(part['allOf'])) seen.add(objectOf(this.document.resolve(base)));
      if (seen.size > MOST_BASES) break;
    }
    return names;
  }

  private isReadOnly(part: JsonObject): boolean {
    return part['readOnly'] === true || objectOf(this.document.resolve(part))['readOnly'] === true;
  }

  /** A schema in words: its type, and the names of its properties. */
  private outline(schema: JsonObject): BuiltSchema {
    const target = objectOf(this.document.resolve(schema));
    const { type } = plainKeywords(target);
    const names = Object.keys(objectOf(target['properties'])).join(', ');
    const fields = names === '' ? undefined : `Properties: ${names.slice(0, 300)}.`;
    const own = describedSchema(target, Math.min(this.detail.description, 100));
    const description = [own, fields].filter((part) => part !== undefined).join(' ');
    return { ...(type !== undefined && { type }), ...(description !== '' && { description }) };
  }
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean';
}

/** Providers refuse a required property that is not listed, and a model could not know of it. */
function withRequired(built: BuiltSchema, properties: JsonObject, required: readonly string[]): BuiltSchema {
  const missing = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => [name, {}] as const);
  return missing.length === 0
    ? built
    : { ...built, properties: { ...properties, ...Object.fromEntries(missing) } };
}

/** A base as its children extend it: a child that is all of it is not one of the children again. */
function withoutChoice(schema: unknown): JsonObject {
  const { oneOf: _oneOf, anyOf: _anyOf, discriminator: _discriminator, ...rest } = objectOf(schema);
  return rest;
}

/**
 * The branches of a choice, each with the value of the discriminator that selects it: the names of the mapping, else the
 * name of the schema.
 *
 * @param branches as the document has them
 * @param converted the same, converted
 */
function withDiscriminator(
  schema: JsonObject,
  branches: readonly unknown[],
  converted: readonly BuiltSchema[],
): BuiltSchema[] {
  const { propertyName, mapping } = objectOf(schema['discriminator']);
  const property = textOf(propertyName);
  if (property === undefined) return [...converted];
  return converted.map((branch, index) => {
    const reference = referenceOf(branches[index]);
    if (reference === undefined || branch['$ref'] === undefined) return branch;
    const values = valuesFor(reference, objectOf(mapping));
    const selects = { properties: { [property]: { enum: values } }, required: [property] };
    return { allOf: [branch, selects] };
  });
}

function referenceOf(branch: unknown): string | undefined {
  return isObject(branch) ? textOf(branch['$ref']) : undefined;
}

/** A mapping leads to a reference, or to the bare name of a schema. */
function valuesFor(reference: string, mapping: JsonObject): string[] {
  const name = reference.split('/').at(-1) ?? reference;
  const mapped = Object.entries(mapping)
    .filter(([, target]) => target === reference || target === name)
    .map(([value]) => value);
  return mapped.length > 0 ? mapped : [name];
}
