import { isToolName } from '@adorn/core/compiler';

import type { Rule } from './rule.js';

export const illegalName: Rule = {
  name: 'illegal-name',
  severity: 'error',
  about: 'a tool name that models cannot call',
  ofTool({ name, origin, node }) {
    if (isToolName(name)) return [];
    const message = `The tool name "${name}" of ${origin} is not valid.`;
    const cure =
      'Start it with a letter or an underscore, continue with letters, digits, _ . : or -, and use at most 64 characters.';
    return [{ node, message, cure, code: 'TOOL_NAME_INVALID' }];
  },
};
