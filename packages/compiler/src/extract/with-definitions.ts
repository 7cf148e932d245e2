import type { JsonSchema } from '@adorn/core';
import { SchemaDocument } from '@adorn/core/backend';

import { definitionName, type Definitions } from '../schema/definitions.js';
import { withoutMarks } from '../schema/hydration-mark.js';

/** A schema as JSON has it, with the definitions that it refers to, directly or through one another; none that it does not. */
export function withDefinitions(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const all = definitions.all();
  const reachable = [...new SchemaDocument({ $defs: all }).reachable(schema)];
  const used = new Set(
    reachable.flatMap(({ $ref }) => (typeof $ref === 'string' ? definitionName($ref) : [])),
  );
  const $defs = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return withoutMarks(used.size === 0 ? schema : { ...schema, $defs });
}
