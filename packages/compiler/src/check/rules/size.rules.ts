import type { Rule } from './rule.js';

/** OpenAI refuses a request with a longer one. */
const LONGEST = 1_024;

export const longDescription: Rule = {
  name: 'long-description',
  severity: 'warning',
  about: `a tool's description of more than ${String(LONGEST)} characters, which OpenAI refuses`,
  ofTool({ origin, node, declaration }) {
    const length = declaration?.description.length ?? 0;
    if (length <= LONGEST) return [];
    const message = `The description of ${origin} has ${String(length)} characters, and OpenAI takes ${String(LONGEST)}.`;
    return [
      {
        node,
        message,
        cure: 'Say when to use the tool; put how it works below @remarks, which models are not told.',
      },
    ];
  },
};
