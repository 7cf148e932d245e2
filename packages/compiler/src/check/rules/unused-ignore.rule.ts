import type { Rule } from './rule.js';

/** Computed from the ignores of a file and the findings of all other rules. */
export const unusedIgnore: Rule = {
  name: 'unused-ignore',
  severity: 'warning',
  about: 'an adorn-ignore that gives no reason, names no rule there is, or silences nothing',
};
