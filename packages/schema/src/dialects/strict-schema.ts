import { present } from '../json/present.js';
import {
  branchesOf,
  elementSchema,
  isObject,
  type JsonSchema,
  propertiesOf,
  requiredOf,
  schemasIn,
} from '../reader/schema-parts.js';
import { SchemaDocument } from '../reader/schema-document.js';
import {
  atElement,
  atProperty,
  describeHints,
  hintsOf,
  inside,
  isConstraint,
  type Position,
  type ReportLoss,
  TOP,
} from './conversion/keywords.js';
import { typeOfSchema } from './conversion/plain-keywords.js';
import { type Reference, SchemaConverter } from './conversion/schema-converter.js';

const converted = new WeakMap<object, JsonSchema | null>();

/**
 * A JSON Schema of arguments as OpenAI takes it with `strict: true`: every property is required, one that may be left
 * out may be null instead, no object has other properties, and what strict mode has no keyword for is said in the
 * description. Undefined where it cannot be expressed, as records, tuples and unknown values cannot: such a tool is
 * declared without `strict`. Arguments are still to be validated against the schema itself, which also takes the nulls
 * away again. Converted once per object.
 *
 * @param report is told of everything that strict mode cannot express, and makes the conversion happen again
 */
export function toStrictSchema(schema: unknown, report?: ReportLoss): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const known = report ? undefined : converted.get(schema);
  if (known !== undefined) return known ?? undefined;
  const fresh = new StrictConverter(schema, report).convertDocument();
  converted.set(schema, fresh ?? null);
  return fresh;
}

/** Strict mode has a keyword for these; for the others OpenAI's models differ in what they take, or take none. */
const SAID: ReadonlySet<string> = new Set(['enum']);

/** Converts one document for OpenAI's `strict: true`. */
class StrictConverter extends SchemaConverter {
  private isDeclarable = true;

  /** Undefined if strict mode cannot express the document. */
  convertDocument(): JsonSchema | undefined {
    const schema = this.convertRoot();
    if (this.isDeclarable && schema['type'] !== 'object') {
      const keyword = 'anyOf' in schema ? 'anyOf' : 'type';
      this.refuse(TOP, keyword, schema[keyword]);
    }
    return this.isDeclarable ? schema : undefined;
  }

  /** Strict mode supports references, recursive ones too, without sibling keywords. */
  protected convertReference({ ref, target, beside }: Reference, position: Position): JsonSchema {
    if (!isOnlyWords(beside) && !position.within.includes(ref))
      return this.convert(this.merge(target, beside, position), inside(position, ref));
    const kept = this.keepReference(ref, position);
    const hints = hintsOf(beside, SAID);
    const description = describeHints(beside, hints);
    this.loseRest(beside, {}, hints, position);
    return description === undefined ? kept : { description, anyOf: [kept] };
  }

  protected convertPlain(schema: JsonSchema, position: Position): JsonSchema {
    return Array.isArray(schema['anyOf'])
      ? this.convertUnion(schema, schema['anyOf'], position)
      : this.convertOne(schema, position);
  }

  /** Keywords beside alternatives are repeated in each alternative. */
  private convertUnion(schema: JsonSchema, anyOf: readonly unknown[], position: Position): JsonSchema {
    const { anyOf: _anyOf, ...beside } = schema;
    const [words, rules] = splitWords(beside);
    const hints = hintsOf(words, SAID);
    this.loseRest(words, {}, hints, position);
    if (anyOf.length === 0) this.refuse(position, 'anyOf', anyOf);
    const alternatives = anyOf.map((one) =>
      this.convert(Object.keys(rules).length === 0 ? one : { allOf: [rules, one] }, position),
    );
    return oneOfThese(alternatives, describeHints(words, hints));
  }

  private convertOne(schema: JsonSchema, position: Position): JsonSchema {
    const type = typeOfSchema(schema);
    const hints = hintsOf(schema, SAID);
    const description = describeHints(schema, hints);
    const converted = present({
      type,
      description,
      enum: Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined,
      ...this.partsOf(type, schema, position),
    });
    this.loseRest(schema, converted, hints, position);
    return converted;
  }

  private partsOf(type: string | undefined, schema: JsonSchema, position: Position): JsonSchema {
    if (type === 'object') return this.objectOf(schema, position);
    if (type === 'array') return this.arrayOf(schema, position);
    if (type === undefined) this.refuse(position, 'type', undefined);
    return {};
  }

  /** A list of elements of one kind; a tuple, or a list of anything, cannot be said. */
  private arrayOf({ items, prefixItems }: JsonSchema, position: Position): JsonSchema {
    if (Array.isArray(prefixItems)) this.refuse(position, 'prefixItems', prefixItems);
    else return { items: this.convert(items, atElement(position)) };
    return { prefixItems };
  }

  /** All properties are required, those that may be left out may be null, and there are no others. */
  private objectOf(
    { properties, required, additionalProperties }: JsonSchema,
    position: Position,
  ): JsonSchema {
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    if (isOpen || (properties === undefined && additionalProperties === undefined))
      this.refuse(position, 'additionalProperties', additionalProperties ?? true);
    const named = new Set(Array.isArray(required) ? (required as string[]) : []);
    const stated = isObject(properties) ? this.possible(properties, position) : [];
    const unstated = [...named].filter((name) => !isObject(properties) || !(name in properties));
    const entries = [...stated, ...unstated.map((name) => [name, true] as const)].map(([name, property]) => {
      const converted = this.convert(property, atProperty(position, name));
      return [name, named.has(name) ? converted : orNull(converted)] as const;
    });
    return {
      properties: Object.fromEntries(entries),
      required: entries.map(([name]) => name),
      additionalProperties: false,
    };
  }

  private refuse(position: Position, keyword: string, value: unknown): void {
    this.isDeclarable = false;
    this.lose(position, keyword, value, 'undeclarable');
  }
}

/** What a schema says in words, and what it demands. */
export function splitWords(schema: JsonSchema): [words: JsonSchema, rules: JsonSchema] {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([keyword]) => !isConstraint(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => isConstraint(keyword))),
  ];
}

export function isOnlyWords(schema: JsonSchema): boolean {
  return !Object.keys(schema).some(isConstraint);
}

/** The union of converted schemas; with null, of two, it is one schema of two types. */
function oneOfThese(alternatives: readonly JsonSchema[], description?: string): JsonSchema {
  const values = alternatives.filter((one) => one['type'] !== 'null');
  const [only] = values;
  const union =
    only && values.length === 1 && canBeTold(only, description)
      ? values.length === alternatives.length
        ? only
        : orNull(only)
      : { anyOf: alternatives };
  return description === undefined ? union : { ...union, description };
}

/** Nothing may stand beside a reference, and of two descriptions one would be lost. */
function canBeTold(schema: JsonSchema, description: string | undefined): boolean {
  return description === undefined || !('$ref' in schema || 'description' in schema);
}

/** The schema of a value that may be null as well. */
function orNull(schema: JsonSchema): JsonSchema {
  if (permitsNull(schema)) return schema;
  const { type, enum: values, anyOf, ...rest } = schema;
  if (anyOf !== undefined) return { ...rest, anyOf: [...schemasIn(anyOf), { type: 'null' }] };
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return present({
    type: [type, 'null'],
    enum: Array.isArray(values) ? [...(values as unknown[]), null] : undefined,
    ...rest,
  });
}

function permitsNull({ type, anyOf }: JsonSchema): boolean {
  return [type].flat().includes('null') || schemasIn(anyOf).some(permitsNull);
}

/** Deeper than any answer; bounds the walk of a schema that only refers to itself. */
const DEEPEST = 64;

/**
 * Removes the nulls that strict mode puts in place of absent properties: those of properties that the schema does not
 * require, and that may not be null. Returns the same value if there are none; never changes it.
 *
 * @param schema the schema before `toStrictSchema`
 */
export function withoutStrictNulls(schema: JsonSchema, value: unknown): unknown {
  return new NullRemover(new SchemaDocument(schema)).clean(schema, value, 0);
}

class NullRemover {
  constructor(private readonly document: SchemaDocument) {}

  clean(schema: JsonSchema, value: unknown, depth: number): unknown {
    if (depth > DEEPEST || typeof value !== 'object' || value === null) return value;
    const target = this.document.targetOf(schema);
    const parts = [...(target ? [target] : []), ...schemasIn(schema['allOf'])];
    const branch = branchesOf(schema).find((one) => this.document.mayMean(one, value));
    if (branch) parts.push(branch);
    const own = this.cleanParts(schema, value, depth);
    return parts.reduce((cleaned, part) => this.clean(part, cleaned, depth + 1), own);
  }

  private cleanParts(schema: JsonSchema, value: unknown, depth: number): unknown {
    if (Array.isArray(value)) {
      const elements = (value as readonly unknown[]).map((element, index) =>
        this.clean(elementSchema(schema, index), element, depth + 1),
      );
      return elements.some((element, index) => element !== value[index]) ? elements : value;
    }
    return isObject(value) ? this.cleanProperties(schema, value, depth) : value;
  }

  private cleanProperties(
    schema: JsonSchema,
    object: Readonly<Record<string, unknown>>,
    depth: number,
  ): Readonly<Record<string, unknown>> {
    const properties = propertiesOf(schema);
    const required = requiredOf(schema);
    const kept = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      const property = properties.get(name);
      if (!property) return [[name, value]];
      const isAbsent = value === null && !required.includes(name) && !this.document.takes(property, 'null');
      return isAbsent ? [] : [[name, this.clean(property, value, depth + 1)]];
    });
    const isSame =
      kept.length === Object.keys(object).length && kept.every(([name, one]) => one === object[name]);
    return isSame ? object : Object.fromEntries(kept);
  }
}
