import { isObject, type JsonSchema } from '../reader/schema-parts.js';
import {
  atAnyProperty,
  atElement,
  atProperty,
  describeHints,
  hintsOf,
  inside,
  type Position,
  type ReportLoss,
} from './conversion/keywords.js';
import { typeOfSchema } from './conversion/plain-keywords.js';
import { type Reference, SchemaConverter } from './conversion/schema-converter.js';

const converted = new WeakMap<object, JsonSchema>();

/**
 * A JSON Schema in the subset that Gemini takes as `parametersJsonSchema` and `responseJsonSchema`. References are
 * put in place unless they are cyclic, or the whole would grow too large; what the subset cannot say is said in the
 * description; what says something about objects or arrays only is taken to ask for one. The result otherwise allows
 * no less than the schema and may allow more, so arguments are still to be validated against the schema itself.
 * Converted once per object.
 *
 * @param report is told of everything that the subset cannot express, and makes the conversion happen again
 */
export function toGeminiSchema(schema: unknown, report?: ReportLoss): JsonSchema {
  if (!isObject(schema)) return {};
  const known = report ? undefined : converted.get(schema);
  if (known) return known;
  const fresh = new GeminiConverter(schema, report).convertDocument();
  converted.set(schema, fresh);
  return fresh;
}

/** Above this many schemas, references stay references: a declaration must not grow out of its request. */
const LARGEST_EXPANSION = 2_000;

/** These are passed on as they are. */
const KEPT = ['title', 'format', 'minItems', 'maxItems', 'minimum', 'maximum', 'propertyOrdering'];

const SAID: ReadonlySet<string> = new Set([...KEPT, 'enum']);

const SAID_WITHOUT_ENUM: ReadonlySet<string> = new Set(KEPT);

/** Converts one document to Gemini's subset. */
class GeminiConverter extends SchemaConverter {
  private readonly inPlace: boolean;
  /** What holds a cyclic reference outside of any property. Gemini takes none in a property that is required. */
  private readonly recursive = new WeakSet<JsonSchema>();

  constructor(root: JsonSchema, report?: ReportLoss) {
    super(root, report);
    this.inPlace = this.references.expandedSize() <= LARGEST_EXPANSION;
  }

  convertDocument(): JsonSchema {
    return this.convertRoot();
  }

  protected convertReference({ ref, target, beside }: Reference, position: Position): JsonSchema {
    if (this.mustStay(ref, position)) return this.keepAlone(ref, beside, position);
    return this.convert(this.merge(target, beside, position), inside(position, ref));
  }

  private mustStay(ref: string, { within }: Position): boolean {
    if (within.includes(ref) || !this.inPlace) return true;
    return this.references.isCyclic(ref) && within.some((outer) => this.references.isCyclic(outer));
  }

  private keepAlone(ref: string, beside: JsonSchema, position: Position): JsonSchema {
    this.loseRest(beside, {}, [], position);
    const kept = this.keepReference(ref, position);
    if (this.references.isCyclic(ref)) this.recursive.add(kept);
    return kept;
  }

  protected convertPlain(schema: JsonSchema, position: Position): JsonSchema {
    const converted: Record<string, unknown> = {};
    const hints = hintsOf(schema, enumOf(schema) ? SAID : SAID_WITHOUT_ENUM);
    set(converted, 'type', typeOfSchema(schema));
    set(converted, 'description', describeHints(schema, hints));
    for (const keyword of KEPT) set(converted, keyword, schema[keyword]);
    set(converted, 'enum', enumOf(schema));
    this.addParts(converted, schema, position);
    this.loseRest(schema, converted, hints, position);
    return converted;
  }

  private addParts(converted: Record<string, unknown>, schema: JsonSchema, position: Position): void {
    const { properties, items, prefixItems, anyOf, additionalProperties } = schema;
    const child = (value: unknown, at: Position): JsonSchema =>
      this.adopt(converted, this.convert(value, at));
    if (isObject(properties)) this.addProperties(converted, properties, schema['required'], position);
    if (isObject(items)) converted['items'] = child(items, atElement(position));
    if (Array.isArray(prefixItems))
      converted['prefixItems'] = prefixItems.map((item, index) => child(item, atElement(position, index)));
    if (Array.isArray(anyOf)) converted['anyOf'] = anyOf.map((alternative) => child(alternative, position));
    if (isObject(additionalProperties))
      converted['additionalProperties'] = child(additionalProperties, atAnyProperty(position));
    if (additionalProperties === false) converted['additionalProperties'] = false;
  }

  private addProperties(
    converted: Record<string, unknown>,
    properties: JsonSchema,
    required: unknown,
    position: Position,
  ): void {
    const entries = this.possible(properties, position).map(
      ([name, schema]) => [name, this.convert(schema, atProperty(position, name))] as const,
    );
    converted['properties'] = Object.fromEntries(entries);
    const finite = entries.filter(([, schema]) => !this.recursive.has(schema)).map(([name]) => name);
    set(converted, 'required', requiredOf(required, finite));
    this.loseRequired(converted['required'], required, position);
  }

  /** A property that must be there may not be required here: it is cyclic, or nothing is said of it. */
  private loseRequired(kept: unknown, required: unknown, position: Position): void {
    if (!Array.isArray(required) || kept === undefined) return;
    const lost = (required as unknown[]).filter((name) => !(kept as unknown[]).includes(name));
    if (lost.length > 0) this.lose(position, 'required', lost, 'unsaid');
  }

  private adopt(parent: JsonSchema, child: JsonSchema): JsonSchema {
    if (this.recursive.has(child)) this.recursive.add(parent);
    return child;
  }
}

function set(target: Record<string, unknown>, key: string, value: unknown): void {
  if (value !== undefined) target[key] = value;
}

/** Gemini supports enums of strings and numbers only; validation checks others. */
function enumOf(schema: JsonSchema): unknown[] | undefined {
  const values = schema['enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const takes = (values as unknown[]).every(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return takes ? (values as unknown[]) : undefined;
}

/** The required names that are properties; undefined if there are none. */
function requiredOf(required: unknown, properties: readonly string[]): string[] | undefined {
  if (!Array.isArray(required)) return undefined;
  const names = properties.filter((name) => (required as unknown[]).includes(name));
  return names.length > 0 ? names : undefined;
}
