import { CHAINED_CALLS, PARALLEL_CALLS, type ScriptKind } from './script.js';

/** Counters that every adapter bumps, so that a turn that was not really made cannot be timed. */
export const tally = { modelCalls: 0, toolCalls: 0, lastHistory: 0 };

export function resetTally(): void {
  tally.modelCalls = 0;
  tally.toolCalls = 0;
  tally.lastHistory = 0;
}

/** A scripted model says so, first thing, each time it is asked. */
export function countModelCall(messages: number): void {
  tally.modelCalls++;
  tally.lastHistory = messages;
}

/** How often one turn of a kind runs the tool and asks the model. */
export const EXPECTED: Readonly<Record<ScriptKind, { toolCalls: number; modelCalls: number }>> = {
  A: { toolCalls: 0, modelCalls: 1 },
  B: { toolCalls: 1, modelCalls: 2 },
  C: { toolCalls: PARALLEL_CALLS, modelCalls: 2 },
  D: { toolCalls: CHAINED_CALLS, modelCalls: CHAINED_CALLS + 1 },
  E: { toolCalls: 0, modelCalls: 1 },
  F: { toolCalls: 0, modelCalls: 2 },
  G: { toolCalls: 0, modelCalls: 5 },
  BAD: { toolCalls: 0, modelCalls: 2 },
};
