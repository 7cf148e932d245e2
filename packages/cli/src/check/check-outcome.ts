import type { CheckReport, Severity } from '@adorn/compiler';

/** How a check ended, as its last line and its exit code tell it. */
export interface CheckOutcome {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly passed: boolean;
}

/** @param maxWarnings absent where any number will do */
export function outcomeOf({ diagnostics }: CheckReport, maxWarnings = Infinity): CheckOutcome {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  const counts = { error: count('error'), warning: count('warning'), note: count('note') };
  return { counts, passed: counts.error === 0 && counts.warning <= maxWarnings };
}
