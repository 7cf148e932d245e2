import type { Severity } from '../check-report.js';
import { RULES } from './rules.js';

/** The documentation of a rule. */
export interface RuleSummary {
  readonly name: string;
  readonly severity: Severity;
  readonly about: string;
}

export function listRules(): RuleSummary[] {
  return RULES.map(({ name, severity, about }) => ({ name, severity, about }));
}
