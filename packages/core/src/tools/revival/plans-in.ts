import type { Revival } from '../../schema/revival.js';

/** A plan, all that are inside it, and those that it refers to, each once. */
export function plansIn(
  plan: Revival,
  named: Readonly<Record<string, Revival>>,
  seen = new Set<Revival>(),
): ReadonlySet<Revival> {
  if (seen.has(plan)) return seen;
  seen.add(plan);
  for (const inner of partsOf(plan, named)) plansIn(inner, named, seen);
  return seen;
}

function partsOf(plan: Revival, named: Readonly<Record<string, Revival>>): Revival[] {
  switch (plan.kind) {
    case 'reference':
      return [named[plan.name] ?? []].flat();
    case 'list':
      return [...(plan.first ?? []), plan.rest].filter((part) => part !== null && part !== undefined);
    case 'object':
    case 'class': {
      const parts = [...Object.values(plan.properties ?? {}), ...Object.values(plan.patterns ?? {})];
      return plan.others === undefined ? parts : [...parts, plan.others];
    }
    case 'choice':
      return plan.branches.flatMap(({ revive }) => revive ?? []);
    default:
      return [];
  }
}
