import { rulesOf } from '@adorn/core/dialects';

import type { Rule } from './rule.js';

export const untypedParameter: Rule = {
  name: 'untyped-parameter',
  severity: 'warning',
  about: 'a parameter of type any or unknown, for which a model sends whatever it likes',
  ofTool: ({ origin, parameters }) =>
    parameters
      .filter(({ schema }) => !('$ref' in schema) && rulesOf(schema).every((keyword) => ADVICE.has(keyword)))
      .map(({ name, node }) => ({
        node,
        message: `Parameter "${name}" of ${origin} may be anything.`,
        cure: 'Write the type that the method works with.',
      })),
};

/** A default or an example does not describe other values. */
const ADVICE: ReadonlySet<string> = new Set(['default', 'examples']);
