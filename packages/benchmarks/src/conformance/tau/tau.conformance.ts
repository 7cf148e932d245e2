import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../../message-of.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkAirline } from './airline/check-airline.js';
import { checkDeclarations } from './declarations.js';
import { type GoldTask, readRetailBenchmark, type RetailBenchmark } from './gold-tasks.js';
import { replayTask, type TaskReplay } from './replay-task.js';
import { type Way, WAYS } from './way.js';

/**
 * Every task of the retail benchmark, in each way, held to the published outputs and databases; and the tools of the
 * airline benchmark, whose database is not published.
 */
export const tauConformance: Suite = {
  name: 'tau',
  summary:
    'tau-bench: declarations, outputs and databases of the retail tasks; declarations and calls of the airline',
  takes: 'about 20 seconds',
  folder: 'tau',
  async *run(fixtures: string): AsyncGenerator<Section> {
    const benchmark = readRetailBenchmark(fixtures);
    for (const way of WAYS) yield await timed(way.name, () => replayAll(benchmark, way));
    yield await timed('airline', () => checkAirline(fixtures));
  },
};

/** A task, and what came of it or why nothing did. */
interface Outcome {
  readonly task: GoldTask;
  readonly replay: TaskReplay | undefined;
  readonly error?: string;
}

async function replayAll({ tools, tasks, database }: RetailBenchmark, way: Way): Promise<CheckGroup[]> {
  const outcomes = await sideBySide(tasks, way.atOnce, async (task): Promise<Outcome> => {
    try {
      return { task, replay: await replayTask(task, database, way) };
    } catch (error) {
      return { task, replay: undefined, error: messageOf(error) };
    }
  });
  const requests = outcomes.flatMap(({ replay }) => replay?.requests ?? []);
  return [
    { name: 'declarations', checks: checkDeclarations(tools, requests) },
    { name: 'outputs', checks: outcomes.flatMap(checkOutputs) },
    { name: 'hashes', checks: outcomes.map(checkHash) },
  ];
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
