import type { Rule } from './rule.js';

export const noApprovers: Rule = {
  name: 'no-approvers',
  severity: 'warning',
  about: 'a destructive or sensitive tool that does not say who may approve its calls',
  ofTool({ unapproved, origin, node }) {
    if (unapproved === undefined) return [];
    const message = `${origin} is ${unapproved}, and does not say who may approve its calls: who asks for one approves it.`;
    const cure =
      "Set approvers: 'others', { role: 'manager' } or a function of the arguments; 'requester' if nobody else may. " +
      'Where the application decides before it answers, say so in an adorn-ignore.';
    return [{ node, message, cure }];
  },
};
