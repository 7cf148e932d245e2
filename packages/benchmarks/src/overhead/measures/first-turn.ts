import type { Measurement } from './measurement.js';
import { runTurn } from './run-turn.js';

/** From the start of a process to the end of its first turn with a call: imports, set-up, a session and the turn. */
export const measureFirstTurn: Measurement = async (adapter) => {
  const bench = await adapter.setup({ kind: 'B', delayMs: 0 });
  await runTurn(bench, 'B');
  return { ms: performance.now() };
};
