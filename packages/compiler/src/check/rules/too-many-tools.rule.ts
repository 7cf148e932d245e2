import type { Rule } from './rule.js';

const MOST = 20;

export const tooManyTools: Rule = {
  name: 'too-many-tools',
  severity: 'warning',
  about: `an agent with more than ${String(MOST)} tools, among which models choose badly`,
  ofAgent({ name, node, tools }) {
    if (tools.length <= MOST) return [];
    const message = `Agent ${name} has ${String(tools.length)} tools; among more than ${String(MOST)} models choose badly.`;
    return [{ node, message, cure: 'Give some of them to a sub-agent that is transferred to.' }];
  },
};
