import { ContainerModule } from 'adorn';

import type { Check, CheckGroup } from '../check.js';
import { findDifference } from '../find-difference.js';
import { AirlineAgent } from './airline/airline.agent.js';
import { RecordingDesk } from './airline/check-airline.js';
import { FlightDesk } from './airline/flight-desk.js';
import { type GoldTask, readBenchmark, type RetailBenchmark } from './gold-tasks.js';
import { holding } from './replay-task.js';
import { type LongSession, replayInOneSession } from './long-session.js';
import { RetailAgent } from './retail/retail.agent.js';

/** Tokens: less than the tasks in one session have, and more than a task alone. */
const WINDOW = 16_000;

/** The airline has few tasks: the session goes through them this many times. */
const ROUNDS = 4;

/** The retail tasks in one session, without a limit and with one: the same outputs and databases. */
export async function checkRetailWindow({ tasks, database }: RetailBenchmark): Promise<CheckGroup[]> {
  const replay = async (window?: number): Promise<{ session: LongSession; hashes: string[] }> => {
    const databases = tasks.map(() => database.copy());
    const session = await replayInOneSession(
      RetailAgent,
      tasks.map((task, index) => ({ task, services: holding(databases[index] ?? database) })),
      window,
    );
    return { session, hashes: databases.map((one) => one.hash()) };
  };
  const whole = await replay();
  const limited = await replay(WINDOW);
  tellCosts('retail', whole.session, limited.session);
  return [
    { name: 'outputs', checks: checkOutputs(tasks, limited.session) },
    {
      name: 'hashes',
      checks: tasks.map(({ id, db_sha256 }, index) => ({
        what: `task ${id}`,
        fault:
          findDifference(db_sha256, whole.hashes[index]) ?? findDifference(db_sha256, limited.hashes[index]),
      })),
    },
    { name: 'window', checks: checkWindow(whole.session, limited.session) },
  ];
}

/** The airline tasks in one session, several times over: the same calls and outputs. */
export async function checkAirlineWindow(fixtures: string): Promise<CheckGroup[]> {
  const { tasks: once } = readBenchmark(fixtures, 'airline');
  const tasks = Array.from({ length: ROUNDS }, () => once).flat();
  const replay = async (window?: number): Promise<{ session: LongSession; desks: RecordingDesk[] }> => {
    const desks = tasks.map((task) => ({ task, desk: new RecordingDesk(task.steps) }));
    const session = await replayInOneSession(
      AirlineAgent,
      desks.map(({ task, desk }) => ({
        task,
        services: new ContainerModule(({ bind }) => void bind(FlightDesk).toConstantValue(desk)),
      })),
      window,
    );
    return { session, desks: desks.map(({ desk }) => desk) };
  };
  const whole = await replay();
  const limited = await replay(WINDOW);
  tellCosts('airline', whole.session, limited.session);
  return [
    { name: 'outputs', checks: checkOutputs(tasks, limited.session) },
    {
      name: 'calls',
      checks: tasks.map(({ id }, index) => ({
        what: `task ${id}`,
        fault: findDifference(whole.desks[index]?.heard, limited.desks[index]?.heard),
      })),
    },
    { name: 'window', checks: checkWindow(whole.session, limited.session) },
  ];
}

function checkOutputs(tasks: readonly GoldTask[], { outputs }: LongSession): Check[] {
  return tasks.flatMap(({ id, steps }, task) =>
    steps.map(({ name, output }, index) => ({
      what: `task ${id}, call ${String(index + 1)} (${name})`,
      fault: findDifference(output, outputs[task]?.[index]),
    })),
  );
}

/** The session was too long for the window, and after the first refusal no request was. */
function checkWindow(whole: LongSession, limited: LongSession): Check[] {
  return [
    {
      what: 'without a limit',
      fault: whole.largest > WINDOW ? undefined : `the largest request had ${String(whole.largest)} tokens`,
    },
    {
      what: 'refused requests',
      fault: limited.refused <= 1 ? undefined : `${String(limited.refused)} were refused`,
    },
  ];
}

function tellCosts(name: string, whole: LongSession, limited: LongSession): void {
  console.log(
    `    ${name} in one session: ${String(whole.read)} tokens read, at most ${String(whole.largest)} at once; ` +
      `with a window of ${String(WINDOW)}: ${String(limited.read)}, at most ${String(limited.largest)}, ` +
      `${String(limited.refused)} refused`,
  );
}
