import { depthOf } from '../schemas/depth-of.js';
import type { Rule } from './rule.js';

/** As deep as the strictest of the providers goes, the arguments themselves counted. */
const DEEPEST = 5;

export const deepNesting: Rule = {
  name: 'deep-nesting',
  severity: 'warning',
  about: `objects within objects, more than ${String(DEEPEST)} of them, the arguments counted`,
  ofTool: ({ origin, declaration, parameters }) =>
    parameters.flatMap(({ name, node, schema }) => {
      const depth = 1 + depthOf(schema, declaration?.parametersJsonSchema ?? {});
      if (depth <= DEEPEST) return [];
      const message = `Parameter "${name}" of ${origin} nests objects ${String(depth)} deep, the arguments counted.`;
      return [{ node, message, cure: 'Take the inner parts as parameters of their own, or split the tool.' }];
    }),
};
