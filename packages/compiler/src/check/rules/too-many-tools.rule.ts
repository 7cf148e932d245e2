import type { Rule } from './rule.js';

const MOST = 20;

export const tooManyTools: Rule = {
  name: 'too-many-tools',
  severity: 'warning',
  about: `an agent with more than ${String(MOST)} tools, among which models choose badly`,
  ofAgent({ name, node, tools, boxed }) {
    const offered = tools.length - boxed;
    if (offered <= MOST) return [];
    const message = `Agent ${name} has ${String(offered)} tools; among more than ${String(MOST)} models choose badly.`;
    const cure =
      'Give some of them to a sub-agent that is transferred to, or put @toolbox({ unfold: true }) on a class.';
    return [{ node, message, cure }];
  },
};
