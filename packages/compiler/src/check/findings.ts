import type { Dialect } from '@adorn/core/dialects';

import type { FoundInFile } from './found-in-file.js';
import type { RuledFinding } from './ignores/silence.js';
import type { Rule } from './rules/rule.js';
import { RULES } from './rules/rules.js';

/** What all rules find in one file. */
export function findingsIn(found: FoundInFile, dialects: readonly Dialect[]): RuledFinding[] {
  return RULES.flatMap((rule) => findingsOf(rule, found, dialects));
}

function findingsOf(
  rule: Rule,
  { tools, services, agents }: FoundInFile,
  dialects: readonly Dialect[],
): RuledFinding[] {
  const found = [
    ...tools.flatMap((tool) => rule.ofTool?.(tool, dialects) ?? []),
    ...services.flatMap((service) => rule.ofService?.(service) ?? []),
    ...agents.flatMap((agent) => rule.ofAgent?.(agent) ?? []),
  ];
  return found.map((finding) => ({ ...finding, rule: rule.name }));
}
