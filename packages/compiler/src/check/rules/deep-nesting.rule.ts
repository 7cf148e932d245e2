import type { JsonSchema } from '@adorn/core';
import { SchemaDocument, subschemasOf } from '@adorn/core/backend';

import type { Rule } from './rule.js';

/** As deep as the strictest of the providers goes, the arguments themselves counted. */
const DEEPEST = 5;

export const deepNesting: Rule = {
  name: 'deep-nesting',
  severity: 'warning',
  about: `objects within objects, more than ${String(DEEPEST)} of them, the arguments counted`,
  ofTool({ origin, declaration, parameters }) {
    const document = new SchemaDocument(declaration?.parametersJsonSchema ?? {});
    return parameters.flatMap(({ name, node, schema }) => {
      const depth = 1 + depthOf(schema, document);
      if (depth <= DEEPEST) return [];
      const message = `Parameter "${name}" of ${origin} nests objects ${String(depth)} deep, the arguments counted.`;
      return [{ node, message, cure: 'Take the inner parts as parameters of their own, or split the tool.' }];
    });
  },
};

/** The nesting depth of objects; recursive schemas count once. */
function depthOf(schema: JsonSchema, document: SchemaDocument, within: readonly JsonSchema[] = []): number {
  const target = document.targetOf(schema);
  if (target !== undefined)
    return within.includes(target) ? 0 : depthOf(target, document, [...within, target]);
  const parts = subschemasOf(schema).map((part) => depthOf(part, document, within));
  return (schema['type'] === 'object' ? 1 : 0) + Math.max(0, ...parts);
}
