import type { JsonSchema } from '@adorn/core';

import type { ts } from '../../typescript.js';
import { markOf } from '../hydration-mark.js';
import type { Direction } from '../schema-writer.js';
import { TagRefusal } from './tag-refusal.js';

const FORMATS = ['date', 'date-time'];

/**
 * The schema with `@format` applied to the Date in it, alone or in a union; undefined if the type has no Date. A Date
 * in a result keeps its format, because `JSON.stringify` always writes date and time.
 *
 * @throws TagRefusal for a format that no Date is created from
 */
export function withDateFormat(
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
