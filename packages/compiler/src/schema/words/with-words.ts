import type { JsonSchema } from '@adorn/core';

import type { Words } from '../../docs/doc-comment.js';
import type { Direction } from '../schema-writer.js';
import { withTags } from './with-tags.js';

/**
 * A schema with what a comment says of it laid over. A default or an example that is no value of it is said in words.
 *
 * @throws TagRefusal where a tag has a bad value, or speaks of another type than the schema's
 */
export function withWords(
  schema: JsonSchema,
  words: Words | undefined,
  direction: Direction = 'in',
): JsonSchema {
  if (words === undefined) return schema;
  const { schema: tagged, notes } = withTags(schema, words.tags, words.at, direction);
  if (words.description === undefined && notes.length === 0) return tagged;
  const own = words.description ?? (tagged['description'] as string | undefined);
  return { ...tagged, description: [...(own === undefined ? [] : [own]), ...notes].join('\n') };
}
