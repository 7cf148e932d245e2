import { schemasWithin } from '../schemas/schemas-within.js';
import type { Rule } from './rule.js';

const LONGEST = 100;

export const longEnum: Rule = {
  name: 'long-enum',
  severity: 'warning',
  about: `a parameter with more than ${String(LONGEST)} values to choose from, all of them sent in every request`,
  ofTool: ({ origin, declaration, parameters }) =>
    parameters.flatMap(({ name, node, schema }) => {
      const lengths = schemasWithin(schema, declaration?.parametersJsonSchema ?? {}).map(lengthOfEnum);
      const longest = Math.max(0, ...lengths);
      if (longest <= LONGEST) return [];
      const message = `Parameter "${name}" of ${origin} has ${String(longest)} values to choose from; all are sent in every request.`;
      return [{ node, message, cure: 'Take a string, and offer a tool that looks values up.' }];
    }),
};

function lengthOfEnum({ enum: values }: Readonly<Record<string, unknown>>): number {
  return Array.isArray(values) ? values.length : 0;
}
