import type { Rule } from './rule.js';

export const undocumentedTool: Rule = {
  name: 'undocumented-tool',
  severity: 'warning',
  about: 'a tool without a description, so that a model has only its name to go by',
  ofTool({ origin, node, declaration }) {
    if (declaration === undefined || declaration.description.trim() !== '') return [];
    const message = `${origin} has no description.`;
    return [{ node, message, cure: 'Write a doc comment that says when to use it.' }];
  },
};
