import type { JsonSchema } from '@adorn/core';
import { asSchema, elementsOf, SchemaDocument } from '@adorn/core/backend';

import type { Rule } from './rule.js';

export const undocumentedParameter: Rule = {
  name: 'undocumented-parameter',
  severity: 'warning',
  about: 'a parameter without a description, neither of its own nor of its type',
  ofTool({ origin, declaration, parameters }) {
    const document = new SchemaDocument(declaration?.parametersJsonSchema ?? {});
    return parameters
      .filter(({ schema }) => !isDescribed(schema, document))
      .map(({ name, node }) => ({
        node,
        message: `Parameter "${name}" of ${origin} has no description.`,
        cure: `Write "@param ${name} …" in the doc comment, or a doc comment on its type.`,
      }));
  },
};

/** True if a description is given to the parameter, its type, an alternative or the elements of a list. */
function isDescribed(schema: JsonSchema, document: SchemaDocument): boolean {
  const schemas = new Set(document.inPlace(schema));
  for (const one of schemas) {
    if (typeof one['description'] === 'string' && one['description'].trim() !== '') return true;
    const elements = asSchema(elementsOf(one).rest);
    if (elements !== undefined) for (const inner of document.inPlace(elements)) schemas.add(inner);
  }
  return false;
}
