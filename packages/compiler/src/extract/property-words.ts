import type { JsonSchema } from '@adorn/core';

import type { Words } from '../docs/doc-comment.js';
import { withWords } from '../schema/words/with-words.js';

/**
 * What a comment says of a part of an object schema that is written in place, laid over it: `options.limit`,
 * `options.page.size`, `options.items[].name`. A part that is defined elsewhere has its words there.
 */
export function withWordsAt(schema: JsonSchema, path: readonly string[], words: Words): JsonSchema {
  const [name, ...deeper] = path;
  if (name === undefined) return withWords(schema, words);
  if (name === '[]') return within(schema, 'items', deeper, words);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (!Object.hasOwn(properties, name)) return schema;
  return { ...schema, properties: within(properties, name, deeper, words) };
}

/** `items[].name` as its steps. */
export function stepsOf(path: string): string[] {
  return path.replaceAll('[]', '.[]').split('.');
}

function within(
  holder: Readonly<Record<string, unknown>>,
  key: string,
  path: readonly string[],
  words: Words,
): JsonSchema {
  const part = holder[key];
  if (typeof part !== 'object' || part === null) return holder;
  return { ...holder, [key]: withWordsAt(part as JsonSchema, path, words) };
}
