import { setTimeout } from 'node:timers/promises';

import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { type BenchPlace, openMachine } from './bench-machine.js';
import { Workers } from './workers.js';

/** How long is counted, and how long a worker gets to begin and the server to write its counts down, in milliseconds. */
const COUNTED_MS = 8000;
const SETTLE_MS = 2000;

/** Transactions a second that a worker asks of the store while there is nothing to do. */
export async function measureIdle(place: BenchPlace): Promise<number> {
  const fleet = await openMachine(place);
  const database = fleet.runner.get(Database);
  const without = await commitsPerSecond(database);
  const workers = await Workers.start(place, 1);
  await workers.begin();
  const withOne = await commitsPerSecond(database);
  await workers.stop();
  await fleet.close();
  await fleet.runner.close();
  return withOne - without;
}

async function commitsPerSecond(database: Database): Promise<number> {
  await setTimeout(SETTLE_MS);
  const before = await commitsOf(database);
  await setTimeout(COUNTED_MS);
  return ((await commitsOf(database)) - before) / (COUNTED_MS / 1000);
}

async function commitsOf(database: Database): Promise<number> {
  const { rows } = await database.run((queries) =>
    sql<{
      commits: string;
    }>`select xact_commit as commits from pg_stat_database where datname = current_database()`.execute(
      queries,
    ),
  );
  return Number(rows[0]?.commits);
}
