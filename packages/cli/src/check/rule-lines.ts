import type { RuleSummary } from '@adorn/compiler';

import type { Line } from '../terminal/line.js';

/** The rules there are, each with what it finds. */
export function ruleLines(rules: readonly RuleSummary[]): Line[] {
  const width = Math.max(...rules.map(({ name }) => name.length));
  return rules.map(({ name, severity, about }) => ({
    tone: 'answer',
    text: `${name.padEnd(width)}  ${severity.padEnd(7)}  ${about}`,
  }));
}
