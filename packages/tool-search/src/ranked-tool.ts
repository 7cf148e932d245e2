import type { Tool } from '@adorn/core';

/** A tool with how well it fits a query, from 0 to 1 for the best of its ranking. */
export interface RankedTool {
  readonly tool: Tool;
  readonly score: number;
}

/** Combines rankings: a tool's score is the sum of its scores in all of them. Best first. */
export function fused(rankings: readonly (readonly RankedTool[])[]): Tool[] {
  const scores = new Map<Tool, number>();
  for (const { tool, score } of rankings.flat()) scores.set(tool, (scores.get(tool) ?? 0) + score);
  return [...scores].sort(([, score], [, other]) => other - score).map(([tool]) => tool);
}
