import type { JsonSchema } from '@adorn/core';
import { typeOf } from '@adorn/core/backend';

import { type SchemaTags, TAG_KINDS, type TagFault } from '../../docs/schema-tags.js';
import type { ts } from '../../typescript.js';
import { markOf } from '../hydration-mark.js';
import { TagRefusal } from '../refusal.js';
import type { Direction } from '../schema-writer.js';
import { allows, readAs, typesIn } from './read-as.js';

/** A schema with its tags, and notes for tags that only words can express. */
interface Tagged {
  readonly schema: JsonSchema;
  readonly notes: readonly string[];
}

/** Tags that are not keywords of the same name, or whose text is interpreted first. */
const NO_KEYWORDS = new Set([
  'asType',
  'type',
  'items',
  'nullable',
  'default',
  'const',
  'examples',
  'faults',
]);

/** @throws TagRefusal, with the commented node as `at` */
export function withTags(
  schema: JsonSchema,
  tags: SchemaTags,
  at: ts.Node | undefined,
  direction: Direction = 'in',
): Tagged {
  const [fault] = tags.faults ?? [];
  if (fault) throw new TagRefusal(badValue(fault), at);
  const { asType, nullable, items, format } = tags;
  const typed = asType === undefined ? schema : withType(schema, asType);
  const listed = items ? { ...typed, items: withItems(typed['items'], items, at, direction) } : typed;
  const keywords = keywordsFor(typed, tags, at);
  const dated = format === undefined ? undefined : withDateFormat(listed, format, direction, at);
  const { format: _, ...others } = keywords;
  const read = withTexts({ ...(dated ?? listed), ...(dated ? others : keywords) }, tags, at);
  return nullable === true ? { ...read, schema: { anyOf: [read.schema, { type: 'null' }] } } : read;
}

/** Words that stay true whatever the type is. */
const ANNOTATIONS = ['title', 'description', 'deprecated'];

/** Narrows the schema to a type that it allows; otherwise replaces the schema by the type. */
function withType(schema: JsonSchema, type: string): JsonSchema {
  const types = typesIn(schema);
  if (types && allows(types, type)) return { ...schema, type };
  return { ...Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATIONS.includes(key))), type };
}

function keywordsFor(schema: JsonSchema, tags: SchemaTags, at: ts.Node | undefined): JsonSchema {
  const types = typesIn(schema);
  const keywords = Object.entries(tags).filter(
    ([name]) => !NO_KEYWORDS.has(name) && (name === 'deprecated' || Object.hasOwn(TAG_KINDS, name)),
  );
  for (const name of Object.keys(tags)) {
    const of = TAG_KINDS[name]?.of;
    if (of !== undefined && types && !allows(types, of)) throw new TagRefusal(misfit(name, of, types), at);
  }
  // Next to a reference or alternatives, the keyword would forbid their properties.
  if (tags['additionalProperties'] !== undefined && ['$ref', 'anyOf', 'allOf'].some((key) => key in schema))
    throw new TagRefusal(MISPLACED_ADDITIONAL, at);
  return Object.fromEntries(keywords);
}

function withItems(
  items: unknown,
  tags: SchemaTags,
  at: ts.Node | undefined,
  direction: Direction,
): JsonSchema {
  const { type, ...rest } = tags;
  const asType = type as string | undefined;
  const all = asType === undefined ? rest : { ...rest, asType };
  return withTags((items ?? {}) as JsonSchema, all, at, direction).schema;
}

/** Lays over what is read by the type of the schema: a default, a constant and examples. */
function withTexts(schema: JsonSchema, tags: SchemaTags, at: ts.Node | undefined): Tagged {
  const notes: string[] = [];
  const examples = (tags.examples ?? []).flatMap(
    (text) => examplesIn(schema, text) ?? note('Example', text, notes),
  );
  const result: Record<string, unknown> = { ...schema, ...(examples.length > 0 && { examples }) };
  if (typeof tags['default'] === 'string') {
    const read = readAs(schema, tags['default']);
    if (!read) note('Default', tags['default'], notes);
    else result['default'] = read.value;
  }
  if (typeof tags['const'] === 'string') {
    const read = readAs(schema, tags['const']);
    if (!read)
      throw new TagRefusal(
        badValue({ tag: 'const', written: tags['const'], wanted: 'a value of its type' }),
        at,
      );
    result['const'] = read.value;
  }
  return { schema: result, notes };
}

/** The example, or several if the text is a list and the type is not. */
function examplesIn(schema: JsonSchema, text: string): readonly unknown[] | undefined {
  const types = typesIn(schema);
  const listed = types?.has('array') === true ? undefined : readAs({ type: 'array' }, text)?.value;
  const isList = (values: readonly unknown[]): boolean =>
    values.every((value) => types === undefined || allows(types, typeOf(value)));
  if (Array.isArray(listed) && isList(listed)) return listed as readonly unknown[];
  const read = readAs(schema, text);
  return read && [read.value];
}

function note(about: string, text: string, notes: string[]): [] {
  notes.push(`${about}: ${text}`);
  return [];
}

function badValue({ tag, written, wanted }: TagFault): string {
  return `@${tag} says "${written}", where ${wanted} belongs`;
}

const MISPLACED_ADDITIONAL =
  '@additionalProperties speaks of an object written in place, and the type it stands at has a name or alternatives: ' +
  'move the tag to the declaration of the type';

const PLURALS: Readonly<Record<string, string>> = {
  string: 'texts',
  number: 'numbers',
  array: 'lists',
  object: 'objects',
};

function misfit(name: string, of: string, types: ReadonlySet<string>): string {
  return `@${name} speaks of ${PLURALS[of] ?? of}, and the type it stands at is ${[...types].join(' or ')}`;
}

const FORMATS = ['date', 'date-time'];

/**
 * The schema with `@format` applied to the Date in it, alone or in a union; undefined if the type has no Date. A Date
 * in a result keeps its format, because `JSON.stringify` always writes date and time.
 *
 * @throws TagRefusal for a format that no Date is created from
 */
function withDateFormat(
  schema: JsonSchema,
  format: unknown,
  direction: Direction,
  at: ts.Node | undefined,
): JsonSchema | undefined {
  if (markOf(schema)?.kind === 'date') {
    if (direction === 'out') return schema;
    if (FORMATS.includes(String(format))) return { ...schema, format };
    throw new TagRefusal(`@format says "${String(format)}", and a Date is sent as "date" or "date-time"`, at);
  }
  const members = (schema['anyOf'] ?? []) as readonly JsonSchema[];
  const dated = members.map((member) => withDateFormat(member, format, direction, at));
  if (dated.every((member) => member === undefined)) return undefined;
  return { ...schema, anyOf: members.map((member, index) => dated[index] ?? member) };
}
