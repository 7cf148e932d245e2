import { composedKey } from '@adorn/core/backend';

import { composedSchemas, readOnlyProperties } from '../document/composed-schema.js';
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import { describedSchema, shownText } from './described.js';
import { type BuiltSchema, plainKeywords } from './plain-keywords.js';

/** How much of a document's schemas the declaration contains. */
export interface Detail {
  /**
   * The number of levels of properties, items and references in the declaration; deeper schemas are summarised in
   * words.
   */
  readonly levels: number;
  /** The longest description of a schema, in characters. */
  readonly description: number;
}

/** How many schemas one declaration may have: aliases of YAML and references may multiply a small document. */
const MOST_SCHEMAS = 5_000;

/** The maximum nesting of schemas without a level between them. */
const DEEPEST = 200;

// Converted keyword by keyword, not read by `subschemasOf` of core: read-only properties and levels differ by keyword.
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const LISTS = ['prefixItems'] as const;
const SINGLE = ['items', 'contains', 'propertyNames', 'additionalProperties'] as const;
const CHOICES = ['allOf', 'anyOf', 'oneOf'] as const;
const IN_PLACE = ['not', 'if', 'then', 'else'] as const;

/** The position of a schema. */
interface Position {
  readonly level: number;
  readonly depth: number;
  /** True for a member of `allOf`: what the schema itself is one of does not count there. */
  readonly isBase?: boolean;
  /** The read-only properties of the schema that this one is a part of: they are properties of the same value. */
  readonly hidden?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The maximum length, in characters, of a list of names or values in a summary. */
const LONGEST_LIST = 300;

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

  private schemaAt(given: unknown, position: Position): BuiltSchema {
    if (given === false) return { not: {} };
    if (!isObject(given) || ++this.count > MOST_SCHEMAS || position.depth > DEEPEST) return {};
    const schema = this.document.complete(given);
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
    const { $ref: _reference, nullable, ...siblings } = schema;
    const hasSiblings = Object.keys(siblings).length > 0;
    const inner = hasSiblings ? { ...position, hidden: this.hiddenIn(schema, position) } : position;
    const name = this.definitionOf(reference, target, inner);
    const own = hasSiblings ? this.schemaAt(siblings, inner) : {};
    const built = { $ref: `#/$defs/${name}`, ...own };
    return nullable === true ? { anyOf: [built, { type: 'null' }] } : built;
  }

  private definitionOf(reference: string, target: unknown, { level, isBase, hidden }: Position): string {
    const isBaseOfChoice = isBase === true && isObject(target) && Object.hasOwn(target, 'discriminator');
    const removed = this.removedFrom(target, hidden ?? NONE);
    const key = composedKey(reference, isBaseOfChoice, ...removed);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = this.freeName(reference);
    this.names.set(key, name);
    this.waiting.push(() => {
      const schema = isBaseOfChoice ? withoutChoice(target) : target;
      const position = { level: level + 1, depth: 0, hidden: new Set(removed) };
      this.defs.set(name, this.schemaAt(schema, position));
    });
    return name;
  }

  /** The hidden properties that a schema names and would not hide of itself. */
  private removedFrom(schema: unknown, hidden: ReadonlySet<string>): readonly string[] {
    if (hidden.size === 0) return [];
    const own = readOnlyProperties(this.document, schema);
    const named = new Set(composedSchemas(this.document, schema).flatMap(namedProperties));
    return [...hidden].filter((name) => named.has(name) && !own.has(name)).sort();
  }

  private hiddenIn(schema: JsonObject, { hidden = NONE }: Position): ReadonlySet<string> {
    const own = readOnlyProperties(this.document, schema);
    return hidden.size === 0 ? own : new Set([...hidden, ...own]);
  }

  private freeName(reference: string): string {
    const own =
      (reference.split('/').at(-1) ?? '')
        .replace('#', '')
        .replace(/[^\w.-]/g, '_')
        .slice(0, 60) || 'Schema';
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
  private inPlace(schema: JsonObject, position: Position): BuiltSchema {
    const inner = { level: position.level, depth: position.depth + 1 };
    const composed = { ...inner, hidden: this.hiddenIn(schema, position) };
    const built: BuiltSchema = {};
    for (const keyword of CHOICES) {
      const branches = listOf(schema[keyword]);
      if (branches.length === 0) continue;
      const isBase = keyword === 'allOf';
      const converted = branches.map((branch) => this.schemaAt(branch, { ...composed, isBase }));
      built[keyword] = isBase ? converted : withDiscriminator(schema, branches, converted);
    }
    for (const keyword of IN_PLACE) {
      if (isSchema(schema[keyword])) built[keyword] = this.schemaAt(schema[keyword], inner);
    }
    return built;
  }

  /** Keywords whose schemas are about parts of the value. */
  private nested(schema: JsonObject, position: Position): BuiltSchema {
    const inner = { level: position.level + 1, depth: position.depth + 1 };
    const built: BuiltSchema = {};
    const hidden = this.hiddenIn(schema, position);
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

  /** A schema in words: its type, the names of its properties, and its values where they are few. */
  private outline(schema: JsonObject): BuiltSchema {
    const target = objectOf(this.document.resolve(schema));
    const parts = composedSchemas(this.document, target);
    const hidden = readOnlyProperties(this.document, target);
    const names = new Set(parts.flatMap((part) => Object.keys(objectOf(part['properties']))));
    const fields = [...names].filter((name) => !hidden.has(name)).join(', ');
    const { type, ...keywords } = plainKeywords(target);
    const literals = fewLiterals(keywords, this.detail);
    const description = [
      describedSchema(target, Math.min(this.detail.description, 100)),
      fields === '' ? undefined : `Properties: ${shownText(fields, LONGEST_LIST)}.`,
      literals === undefined ? valuesInWords(parts, this.detail) : undefined,
    ].filter((part) => part !== undefined);
    return {
      ...(type === undefined ? {} : { type }),
      ...literals,
      ...(description.length === 0 ? {} : { description: description.join(' ') }),
    };
  }
}

/** The values that a schema in words keeps; undefined if they are many. */
function fewLiterals(
  { enum: values, const: value }: BuiltSchema,
  { description }: Detail,
): BuiltSchema | undefined {
  const literals = values === undefined ? { const: value } : { enum: values };
  const length = JSON.stringify(literals).length;
  return length > '{}'.length && description > 0 && length <= LONGEST_LIST ? literals : undefined;
}

function valuesInWords(parts: readonly JsonObject[], { description }: Detail): string | undefined {
  const values = parts.flatMap((part) =>
    Object.hasOwn(part, 'const') ? [part['const']] : listOf(part['enum']),
  );
  if (values.length === 0) return undefined;
  const count = `One of ${String(values.length)} values`;
  if (description === 0) return `${count}.`;
  const shown = values.slice(0, LONGEST_LIST).map((value) => JSON.stringify(value));
  return `${count}: ${shownText(shown.join(', '), LONGEST_LIST)}.`;
}

/** The properties that a schema itself names. */
function namedProperties({ properties, required }: JsonObject): readonly unknown[] {
  return [...Object.keys(objectOf(properties)), ...listOf(required)];
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

/** A mapping leads to a reference, which the bundler wrote as one, or to the bare name of a schema. */
function valuesFor(reference: string, mapping: JsonObject): string[] {
  const name = reference.split('/').at(-1) ?? reference;
  const mapped = Object.entries(mapping)
    .map(([value, target]) => [value, isObject(target) ? target['$ref'] : target] as const)
    .filter(([, target]) => target === reference || target === name)
    .map(([value]) => value);
  return mapped.length > 0 ? mapped : [name];
}
