import { UNKNOWN } from '../../source/written-options.js';
import type { FoundOptions } from '../tools/found-options.js';
import type { Rule } from './rule.js';

export const invalidOption: Rule = {
  name: 'invalid-option',
  severity: 'error',
  about:
    'an option of a tool or an agent that does not exist, has a value that cannot be used, or contradicts another',
  ofOptions: ({ node, error }) =>
    error ? [{ node, message: error.message, cure: '', code: error.code }] : [],
};

export const unaskedApprovers: Rule = {
  name: 'unasked-approvers',
  severity: 'warning',
  about: 'a tool that says who approves its calls, and never asks',
  ofOptions(options) {
    if (!isNeverAsked(options)) return [];
    const message = `${options.origin} says by approvers who approves its calls, and by confirm: false that nobody is asked.`;
    const cure =
      'Remove confirm: false, or approvers. Where the tool itself asks by its context, say so in an adorn-ignore.';
    return [{ node: options.node, message, cure }];
  },
};

/** A tool that asks by its context, is asked for after untrusted results, or has effects to settle, has approvers all the same. */
function isNeverAsked({ values: { approvers, confirm, once, sensitive }, node }: FoundOptions): boolean {
  const namesOthers = approvers !== undefined && approvers !== UNKNOWN && approvers !== 'requester';
  if (confirm !== false || !namesOthers || once !== undefined) return false;
  return sensitive !== true && !/\.request(Confirmation|Input)\b/.test(node.getText());
}

/** Options that nothing else depends on, and whose values TypeScript checks. */
const FREE: ReadonlySet<string> = new Set(['auth', 'description', 'name', 'parameters', 'run']);

export const unknownOption: Rule = {
  name: 'unknown-option',
  severity: 'note',
  about: 'an option of a tool whose value is known only at run time, so that it is not checked',
  ofOptions({ node, origin, unknown }) {
    const unchecked = unknown.filter((option) => !FREE.has(option));
    if (unchecked.length === 0) return [];
    const message = `${origin} has options whose values are known only at run time, and are not checked: ${unchecked.join(', ')}.`;
    return [{ node, message, cure: '' }];
  },
};
