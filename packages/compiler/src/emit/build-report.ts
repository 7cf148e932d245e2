import type { PlannedFile } from './planned-file.js';

/** What has its schemas now, whether written or up to date. */
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
