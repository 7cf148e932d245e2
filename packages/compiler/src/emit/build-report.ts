import type { PlannedFile } from './planned-file.js';

/** Declarations with current records, whether written now or before. */
export interface BuildReport {
  readonly files: number;
  readonly classes: number;
  readonly tools: number;
}

export function reportOf(planned: readonly PlannedFile[]): BuildReport {
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    files: planned.length,
    classes: total(planned.map(({ classes }) => classes)),
    tools: total(planned.map(({ tools }) => tools)),
  };
}
