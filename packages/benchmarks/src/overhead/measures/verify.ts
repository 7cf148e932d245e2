import { type Adapter, offers } from '../adapter.js';
import { checkTurns } from '../check-turns.js';
import { type ScriptKind, TURN_KINDS, USER_TEXT } from '../script.js';
import { resetTally, tally } from '../tally.js';
import type { Figures, Measurement } from './measurement.js';

/** One turn of every kind, invalid arguments and a history: the figures tell what an adapter did, faults are thrown. */
export const verify: Measurement = async (adapter) => {
  const events: Record<string, number> = {};
  for (const kind of TURN_KINDS) {
    if (!offers(adapter, kind)) continue;
    events[`events${kind}`] = await verifyKind(adapter, kind);
  }
  return { ...events, ...(await verifyBadArguments(adapter)), ...(await verifyHistory(adapter)) };
};

async function verifyKind(adapter: Adapter, kind: ScriptKind): Promise<number> {
  const bench = await adapter.setup({ kind, delayMs: 0 });
  const session = await bench.newSession();
  let chunks = 0;
  resetTally();
  const text = await bench.turn(session, USER_TEXT, () => chunks++);
  checkTurns({ kind, turns: 1, text, chunks });
  const events = await bench.eventCount(session);
  await bench.close();
  return events;
}

/** Whether the model may try again is the framework's affair; that the tool does not run is not. */
async function verifyBadArguments(adapter: Adapter): Promise<Figures> {
  const bench = await adapter.setup({ kind: 'BAD', delayMs: 0 });
  const session = await bench.newSession();
  resetTally();
  let threw = 0;
  await bench.turn(session, USER_TEXT).catch(() => (threw = 1));
  await bench.close();
  if (tally.toolCalls > 0) {
    throw new Error('The tool ran with arguments its schema refuses. Have the framework check them.');
  }
  return { badArgumentsThrew: threw, badArgumentsModelCalls: tally.modelCalls };
}

/** How many messages stood in the last request of each of three turns: each must hold all turns before it. */
async function verifyHistory(adapter: Adapter): Promise<Figures> {
  const bench = await adapter.setup({ kind: 'B', delayMs: 0 });
  const session = await bench.newSession();
  const seen: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await bench.turn(session, USER_TEXT);
    seen.push(tally.lastHistory);
  }
  await bench.close();
  const [first = 0, second = 0, third = 0] = seen;
  if (second - first < 4 || third - second < 4) {
    throw new Error(
      `The model saw ${seen.join(', ')} messages over three turns: a turn's history is missing.`,
    );
  }
  return { history1: first, history2: second, history3: third };
}
