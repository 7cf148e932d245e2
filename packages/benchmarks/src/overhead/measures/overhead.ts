import { type Bench, offers } from '../adapter.js';
import { checkTurns } from '../check-turns.js';
import { cpuMicros, wallMicros } from '../clock.js';
import { collectGarbage } from '../collect-garbage.js';
import { type TurnKind, USER_TEXT } from '../script.js';
import { median } from '../statistics.js';
import { resetTally } from '../tally.js';
import { type Measurement, NOT_OFFERED } from './measurement.js';

interface TimedTurn {
  readonly micros: number;
  readonly firstChunkMicros: number | undefined;
  readonly chunks: number;
  readonly text: string;
}

/** The turns of a fresh process that count as cold. */
const COLD_TURNS = 50;

/** Blocks of timed turns: a neighbour of the machine spoils some of them. */
const BLOCKS = 10;

/** A slow framework is not warmed up for longer. */
const WARM_UP_MS = 3_000;

/**
 * A fresh session and one turn, over and over; the session is dropped outside the timed part. Three costs: of the first
 * turns of a process, of turns when the engine has compiled them, and of turns after a full collection, which throws
 * some of that code away.
 */
export const measureOverhead: Measurement = async (
  adapter,
  { kind = 'A', warm = 5_000, iterations = 100 },
) => {
  if (!offers(adapter, kind)) return NOT_OFFERED;
  const bench = await adapter.setup({ kind, delayMs: 0 });
  const cold = await timeTurns(bench, kind, COLD_TURNS);
  await warmUp(bench, kind, warm);
  resetTally();

  const before = cpuMicros();
  const blocks: TimedTurn[][] = [];
  while (blocks.length < BLOCKS) blocks.push(await timeTurns(bench, kind, iterations));
  const cpu = cpuMicros() - before;
  const turns = blocks.flat();
  checkTurns({ kind, turns: turns.length, text: turns.at(-1)?.text ?? '', chunks: countChunks(turns) });

  collectGarbage();
  const collected = await timeTurns(bench, kind, iterations);
  const medians = blocks.map((block) => medianMicros(block));
  const firstChunk = median(turns.flatMap(({ firstChunkMicros }) => firstChunkMicros ?? []));
  return {
    micros: median(medians) ?? NaN,
    minMicros: Math.min(...medians),
    coldMicros: medianMicros(cold),
    collectedMicros: medianMicros(collected),
    cpuMicros: cpu / turns.length,
    ...(firstChunk === undefined ? {} : { firstChunkMicros: firstChunk }),
  };
};

/** Warmed by what is timed: another function would leave the compiler something to learn. */
async function warmUp(bench: Bench, kind: TurnKind, turns: number): Promise<void> {
  const end = wallMicros() + WARM_UP_MS * 1000;
  for (let turn = 0; turn < turns && wallMicros() < end; turn++) await timeTurn(bench, kind);
}

async function timeTurns(bench: Bench, kind: TurnKind, count: number): Promise<TimedTurn[]> {
  const turns: TimedTurn[] = [];
  while (turns.length < count) turns.push(await timeTurn(bench, kind));
  return turns;
}

function medianMicros(turns: readonly TimedTurn[]): number {
  return median(turns.map(({ micros }) => micros)) ?? NaN;
}

async function timeTurn(bench: Bench, kind: TurnKind): Promise<TimedTurn> {
  let chunks = 0;
  let firstChunk: number | undefined;
  const onChunk = (): void => {
    if (chunks++ === 0) firstChunk = wallMicros();
  };
  const started = wallMicros();
  const session = await bench.newSession();
  const asked = wallMicros();
  const text = await bench.turn(session, USER_TEXT, kind === 'E' ? onChunk : undefined);
  const micros = wallMicros() - started;
  await bench.dropSession(session);
  return {
    micros,
    chunks,
    text,
    firstChunkMicros: firstChunk === undefined ? undefined : firstChunk - asked,
  };
}

function countChunks(turns: readonly TimedTurn[]): number {
  return turns.reduce((total, { chunks }) => total + chunks, 0);
}
