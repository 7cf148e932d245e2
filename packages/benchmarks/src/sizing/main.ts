// `npm run bench -- --sizing`: what one process serves: CPU, memory, rows and bytes of a turn with a tool, on SQLite.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Database, sqlStorage } from '@adorn/storage';
import { callsTool, says } from '@adorn/testing';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from 'adorn';
import { sql } from 'kysely';

import { formatTable } from '../overhead/report/format.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const WARM_UP = 100;
const TURNS = 1_000;
const CONVERSATIONS = 500;
const SLOW_MS = 1_000;
const TABLES = ['adorn_sessions', 'adorn_events', 'adorn_session_state', 'adorn_runs', 'adorn_requests'];

/** Asks for the weather, and says it, each after a wait. */
class Asking extends Model {
  readonly name = 'asking';
  /** How many requests it was asked. */
  requests = 0;

  constructor(private readonly wait: () => Promise<unknown>) {
    super();
  }

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.requests += 1;
    await this.wait();
    const [part] = contents.at(-1)?.parts ?? [];
    yield part?.functionResponse ? says('It is 4 degrees in Oslo.') : callsTool('weather', { city: 'Oslo' });
  }
}

const weather = new FunctionTool({
  name: 'weather',
  description: 'The weather of a city.',
  effect: 'read',
  run: () => ({ celsius: 4 }),
});

function open(url: string, model: Model): Promise<Runner> {
  const agent = defineAgent({ name: 'desk', tools: [weather] });
  return createRunner(agent, { appName: 'sizing', model, modules: [sqlStorage(url)] });
}

/** A turn in each of so many sessions, one after the other. */
async function playTurns(runner: Runner, from: number, count: number): Promise<void> {
  for (let no = from; no < from + count; no++)
    await runner.ask('What is the weather in Oslo?', { userId: 'ada', sessionId: `s${String(no)}` });
}

/** CPU milliseconds of all threads while something is done. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

/** Turns of a model that answers at once. */
async function measureTurns(url: string): Promise<string[][]> {
  await using runner = await open(url, new Asking(() => Promise.resolve()));
  await playTurns(runner, 0, WARM_UP);
  const rows = await rowsIn(url);
  const cpuMs = (await cpuMsOf(() => playTurns(runner, WARM_UP, TURNS))) / TURNS;
  const rowsOfTurn = ((await rowsIn(url)) - rows) / TURNS;
  return [
    ['CPU of a turn', `${cpuMs.toFixed(1)} ms`],
    ['turns a second of a core, model of 0 ms', (1_000 / cpuMs).toFixed(0)],
    ['rows of the database for a turn in a new session', rowsOfTurn.toFixed(1)],
  ];
}

async function rowsIn(url: string): Promise<number> {
  const database = new Database(url);
  try {
    const counts = TABLES.map((table) => sql`(select count(*) from ${sql.table(table)})`);
    const { rows } = await database.run((queries) =>
      sql<{ rows: number }>`select ${sql.join(counts, sql` + `)} as rows`.execute(queries),
    );
    return Number(rows[0]?.rows);
  } finally {
    await database.close();
  }
}

/** Conversations at once with a model that takes a second, twice in a turn. */
async function measureSlow(url: string): Promise<string[][]> {
  await using runner = await open(url, new Asking(() => setTimeout(SLOW_MS)));
  await playTurns(runner, 0, 1);
  const cpuMs = (await cpuMsOf(() => playAtOnce(runner))) / CONVERSATIONS;
  return [
    [`CPU of a turn, ${String(CONVERSATIONS)} at once, model of 1 s`, `${cpuMs.toFixed(1)} ms`],
    ['turns a second of a core, model of 1 s', (1_000 / cpuMs).toFixed(0)],
  ];
}

/** Memory while the model has been asked by all conversations, and has answered none. */
async function measureOpen(url: string): Promise<string[][]> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const model = new Asking(() => released);
  await using runner = await open(url, model);
  await runner.sessions.createSession({ appName: 'sizing', userId: 'ada', sessionId: 'first' });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const turns = playAtOnce(runner);
  while (model.requests < CONVERSATIONS) await setTimeout(10);
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  release();
  await turns;
  return [
    [
      'heap of a conversation whose run is open',
      `${((heapUsed - before) / CONVERSATIONS / 1_000).toFixed(0)} KB`,
    ],
    [`resident memory with ${String(CONVERSATIONS)} of them`, `${(rss / 1_000_000).toFixed(0)} MB`],
  ];
}

function playAtOnce(runner: Runner): Promise<unknown> {
  return Promise.all(Array.from({ length: CONVERSATIONS }, (_, no) => playTurns(runner, 1_000 + no, 1)));
}

const folder = await mkdtemp(join(tmpdir(), 'adorn-sizing-'));
try {
  const turns = join(folder, 'turns.db');
  const rows = await measureTurns(turns);
  const bytes = (await stat(turns)).size / (WARM_UP + TURNS);
  rows.push(['bytes of the database for it', `${(bytes / 1_000).toFixed(1)} KB`]);
  rows.push(...(await measureSlow(join(folder, 'slow.db'))), ...(await measureOpen(join(folder, 'open.db'))));
  console.log(formatTable(['', ''], rows));
} finally {
  await rm(folder, { recursive: true });
}
