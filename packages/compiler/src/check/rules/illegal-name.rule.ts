import { isToolName } from '@adorn/core/compiler';

import type { Rule } from './rule.js';

export const illegalName: Rule = {
  name: 'illegal-name',
  severity: 'error',
  about: 'a name that no model could call',
  ofTool({ name, origin, node }) {
    if (isToolName(name)) return [];
    const message = `${origin} is called "${name}", which is not a legal tool name.`;
    const cure =
      'Begin it with a letter or an underscore, go on with letters, digits, _ . : or -, and stay within 64 characters.';
    return [{ node, message, cure, code: 'TOOL_NAME_INVALID' }];
  },
};
