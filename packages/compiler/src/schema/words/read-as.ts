import type { JsonSchema } from '@adorn/core';
import { SchemaDocument, typeOf } from '@adorn/core/backend';
import type { JsonType } from '@adorn/core/compiler';

/**
 * What a comment gives as a default or an example, read as a value of the schema: JSON of a type that it allows, or
 * the text itself where it allows texts; undefined where it is neither.
 */
export function readAs(schema: JsonSchema, written: string): { readonly value: unknown } | undefined {
  const text = withoutFence(written);
  const types = typesIn(schema);
  const parsed = parse(text);
  if (parsed && (!types || allows(types, typeOf(parsed.value)))) return parsed;
  if (parsed?.value === null) return undefined;
  const isText = types ? types.has('string') : !('$ref' in schema);
  return isText ? { value: withoutQuotes(text) } : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The text in a fenced block, and without the caption that JSDoc allows before it. */
function withoutFence(text: string): string {
  const body = text.replace(/^<caption>.*?<\/caption>/s, '').trim();
  return /^```\w*\n(.*)```$/s.exec(body)?.[1]?.trim() ?? body;
}

function withoutQuotes(text: string): string {
  return /^(['"`])(.*)\1$/s.exec(text)?.[2] ?? text;
}

/**
 * The types that a schema allows, without following references; undefined if it allows all types, or is a reference.
 */
export function typesIn(schema: JsonSchema): ReadonlySet<JsonType> | undefined {
  const types = new SchemaDocument(schema).typesOf(schema);
  return types.length === EVERY_TYPE ? undefined : new Set(types);
}

/** True if a type is among them; integers are numbers. */
export function allows(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type === 'integer' ? 'number' : type);
}

const EVERY_TYPE = new SchemaDocument({}).typesOf({}).length;
