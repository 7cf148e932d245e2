import type { PlannedFile } from './planned-file.js';

/** What has its schemas now, whether written or up to date. */
export interface BuildReport {
  readonly files: number;
  readonly classes: number;
  readonly tools: number;
}

export function reportOf(planned: readonly PlannedFile[]): BuildReport {
  const tools = planned.flatMap((file) => file.tools);
  return {
    files: planned.length,
    classes: tools.length,
    tools: tools.reduce((sum, count) => sum + count, 0),
  };
}
