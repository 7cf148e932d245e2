import { isBinary } from '../document/composed-schema.js';
import { isObject, type JsonObject, textOf } from '../document/json-object.js';

/** Control characters but line breaks and tabs, bidirectional marks, and characters without width. */
const HIDDEN =
  // eslint-disable-next-line no-control-regex -- these are the characters to be removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** How many hidden characters are looked behind. */
const MARGIN = 1_000;

/** A text of a document for the model: without hidden characters, and no longer than that. */
export function shownText(text: string, longest: number): string {
  const visible = text
    .slice(0, 2 * longest + MARGIN)
    .replace(/\r\n?/g, '\n')
    .replace(HIDDEN, '')
    .trim();
  return visible.length <= longest ? visible : `${visible.slice(0, Math.max(0, longest - 1)).trimEnd()}…`;
}

/** The maximum length of a default in a description. */
const LONGEST_DEFAULT = 100;

/** The description of a schema, with facts that its keywords do not express. */
export function describedSchema(schema: JsonObject, longest: number): string | undefined {
  const facts = [
    textOf(schema['description']) ?? textOf(schema['title']),
    schema['deprecated'] === true ? 'Deprecated.' : undefined,
    isBinary(schema) ? 'Bytes, as base64.' : undefined,
    defaultOf(schema),
  ];
  const text = shownText(facts.filter((fact) => fact !== undefined).join(' '), longest);
  return text === '' ? undefined : text;
}

function defaultOf(schema: JsonObject): string | undefined {
  const value = schema['default'];
  if (value === undefined || value === null || isObject(value) || Array.isArray(value)) return undefined;
  return `Default: ${shownText(JSON.stringify(value), LONGEST_DEFAULT)}.`;
}
