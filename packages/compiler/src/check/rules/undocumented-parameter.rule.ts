import { isWordedAnywhere } from '../schemas/is-worded-anywhere.js';
import type { Rule } from './rule.js';

export const undocumentedParameter: Rule = {
  name: 'undocumented-parameter',
  severity: 'warning',
  about: 'a parameter without a description, neither of its own nor of its type',
  ofTool: ({ origin, declaration, parameters }) =>
    parameters
      .filter(({ schema }) => !isWordedAnywhere(schema, declaration?.parametersJsonSchema ?? {}))
      .map(({ name, node }) => ({
        node,
        message: `Parameter "${name}" of ${origin} has no description.`,
        cure: `Write "@param ${name} …" in the doc comment, or a doc comment on its type.`,
      })),
};
