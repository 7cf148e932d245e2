import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../message-of.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkAirline } from './airline/check-airline.js';
import { checkAirlineWindow, checkRetailWindow } from './check-window.js';
import { checkDeclarations } from './declarations.js';
import { type GoldTask, readRetailBenchmark, type RetailBenchmark } from './gold-tasks.js';
import { replayTask, type TaskReplay } from './replay-task.js';
import { costOf, replayScript } from './script-way.js';
import { type Way, WAYS } from './way.js';

/**
 * Every task of the retail benchmark, in each way, held to the published outputs and databases; and the tools of the
 * airline benchmark, whose database is not published.
 */
export const tauConformance: Suite = {
  name: 'tau',
  summary:
    'tau-bench: declarations, outputs and databases of the retail tasks, also by scripts; declarations and calls of the airline; both in one session with a window of 16,000 tokens',
  takes: 'about 20 seconds',
  folder: 'tau',
  async *run(fixtures: string): AsyncGenerator<Section> {
    const benchmark = readRetailBenchmark(fixtures);
    for (const way of WAYS) yield await timed(way.name, () => replayAll(benchmark, way));
    yield await timed('scripts', () => replayScripts(benchmark));
    yield await timed('airline', () => checkAirline(fixtures));
    yield await timed('retail, one session, window', () => checkRetailWindow(benchmark));
    yield await timed('airline, one session, window', () => checkAirlineWindow(fixtures));
  },
};

/** A task, and what came of it or why nothing did. */
interface Outcome {
  readonly task: GoldTask;
  readonly replay: TaskReplay | undefined;
  readonly error?: string;
}

async function replayAll({ tools, tasks, database }: RetailBenchmark, way: Way): Promise<CheckGroup[]> {
  const outcomes = await outcomesOf(tasks, way.atOnce, (task) => replayTask(task, database, way));
  const requests = outcomes.flatMap(({ replay }) => replay?.requests ?? []);
  return [
    { name: 'declarations', checks: checkDeclarations(tools, requests) },
    { name: 'outputs', checks: outcomes.flatMap(checkOutputs) },
    { name: 'hashes', checks: outcomes.map(checkHash) },
  ];
}

/** The tasks with one script each, which costs the model fewer calls and tokens than a turn for each call. */
async function replayScripts({ tasks, database }: RetailBenchmark): Promise<CheckGroup[]> {
  const [inOrder] = WAYS;
  const turns = await outcomesOf(tasks, 1, (task) => replayTask(task, database, inOrder as Way));
  const scripts = await outcomesOf(tasks, 1, (task) => replayScript(task, database));
  const before = costOf(turns.flatMap(({ replay }) => replay?.requests ?? []));
  const now = costOf(scripts.flatMap(({ replay }) => replay?.requests ?? []));
  console.log(
    `    turn by turn ${String(before.calls)} model calls, ${String(before.tokens)} tokens read; ` +
      `scripts ${String(now.calls)} model calls, ${String(now.tokens)} tokens read`,
  );
  const fault = now.calls < before.calls && now.tokens < before.tokens ? undefined : 'scripts cost more';
  return [
    { name: 'outputs', checks: scripts.flatMap(checkOutputs) },
    { name: 'hashes', checks: scripts.map(checkHash) },
    { name: 'cost', checks: [{ what: 'model calls and tokens', fault }] },
  ];
}

function outcomesOf(
  tasks: readonly GoldTask[],
  atOnce: number,
  replay: (task: GoldTask) => Promise<TaskReplay>,
): Promise<Outcome[]> {
  return sideBySide(tasks, atOnce, async (task): Promise<Outcome> => {
    try {
      return { task, replay: await replay(task) };
    } catch (error) {
      return { task, replay: undefined, error: messageOf(error) };
    }
  });
}

function checkOutputs({ task, replay, error }: Outcome): Check[] {
  return task.steps.map(({ name, output }, index) => ({
    what: `task ${task.id}, call ${String(index + 1)} (${name})`,
    fault: error ?? findDifference(output, replay?.outputs[index]),
  }));
}

function checkHash({ task, replay, error }: Outcome): Check {
  return { what: `task ${task.id}`, fault: error ?? findDifference(task.db_sha256, replay?.hash) };
}
