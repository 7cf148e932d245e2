import type { Rule } from './rule.js';

const MOST = 8;

export const tooManyParameters: Rule = {
  name: 'too-many-parameters',
  severity: 'warning',
  about: `a tool with more than ${String(MOST)} parameters, which models fill in wrongly`,
  ofTool({ origin, node, parameters }) {
    if (parameters.length <= MOST) return [];
    const message = `${origin} has ${String(parameters.length)} parameters; more than ${String(MOST)} are filled in wrongly.`;
    return [{ node, message, cure: 'Split the tool, or take together what belongs together in one object.' }];
  },
};
