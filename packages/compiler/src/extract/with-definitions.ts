import type { JsonSchema } from '@adorn/core';

import type { Definitions } from '../schema/definitions.js';
import { withoutMarks } from '../schema/hydration-mark.js';

/** A schema as JSON has it, with the definitions that it refers to, directly or through one another; none that it does not. */
export function withDefinitions(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const all = definitions.all();
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') mention(value.slice('#/$defs/'.length));
      else visit(value);
    }
  };
  const mention = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    visit(all[name]);
  };
  visit(schema);
  const $defs = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return withoutMarks(used.size === 0 ? schema : { ...schema, $defs });
}
