import type { Rule } from './rule.js';

/** Found by laying the ignores of a file over what all other rules have found in it. */
export const unusedIgnore: Rule = {
  name: 'unused-ignore',
  severity: 'warning',
  about: 'an adorn-ignore that gives no reason, names no rule there is, or silences nothing',
};
