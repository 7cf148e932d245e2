import { setTimeout as sleep } from 'node:timers/promises';

import type { Check, CheckGroup } from '@adorn/conformance/check';
import type { Session, SessionKey } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import type { ChaosStore } from './chaos-store.js';

const WRITERS = ['left', 'right'];
/** How long a writer lives after its first append, in milliseconds, at the most. */
const LONGEST = 80;
/** So many pairs of writers share one database, which so recovers again and again. */
const SHARED = 10;

/**
 * For each seed two processes append to one session, and at the same time each to two of its own, until each is killed,
 * at a moment that the seed decides.
 */
export async function killedWriters(store: ChaosStore, from: number, seeds: number): Promise<CheckGroup[]> {
  const kept: Check[] = [];
  const whole: Check[] = [];
  let url = '';
  let acknowledged = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    if ((seed - from) % SHARED === 0) url = await store.newUrl();
    const said = await killPair(url, seed);
    acknowledged += said.reduce((sum, { count }) => sum + count, 0);
    kept.push({ what: `seed ${String(seed)}`, fault: await lossOf(url, said) });
    const isLast = (seed - from) % SHARED === SHARED - 1 || seed === from + seeds - 1;
    if (isLast && store.damage)
      whole.push({ what: `after seed ${String(seed)}`, fault: await store.damage(url) });
    if (process.stderr.isTTY) process.stderr.write(`\r  seed ${String(seed)}`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r');
  return [
    { name: `seeds (${String(acknowledged)} acknowledged)`, checks: kept },
    ...(store.damage ? [{ name: 'databases whole', checks: whole }] : []),
  ];
}

/** How many appends of a writer to a session were acknowledged. */
interface Said {
  /** Why the writer ended before it was killed. */
  readonly fault: string | undefined;
  readonly writer: string;
  readonly sessionId: string;
  readonly count: number;
}

function keyOf(sessionId: string): SessionKey {
  return { appName: 'chaos', userId: 'ada', sessionId };
}

/** The first is the other writer's too. */
function sessionsOf(seed: number, writer: string): string[] {
  const shared = `seed-${String(seed)}`;
  return [shared, `${shared}-${writer}-1`, `${shared}-${writer}-2`];
}

async function killPair(url: string, seed: number): Promise<Said[]> {
  const database = new Database(url);
  const sessions = new SqlSessionService(database);
  const ids = new Set(WRITERS.flatMap((writer) => sessionsOf(seed, writer)));
  for (const id of ids) await sessions.createSession(keyOf(id));
  await database.close();
  const random = seededRandom(seed);
  const said = WRITERS.map(async (writer) => {
    const own = sessionsOf(seed, writer);
    const child = new Child('writer.child.js', import.meta.url, [url, writer, ...own]);
    const life = random() * LONGEST;
    await child.untilLines(1);
    await sleep(life);
    const fault = await child.kill();
    return own.map((sessionId) => ({ writer, sessionId, fault, count: countOf(child.lines, sessionId) }));
  });
  return (await Promise.all(said)).flat();
}

function countOf(lines: readonly string[], sessionId: string): number {
  return lines.filter((line) => line.split(' ')[0] === sessionId).length;
}

/** What is wrong with the logs; undefined where everything that was acknowledged is there once, in order, without a gap. */
async function lossOf(url: string, said: readonly Said[]): Promise<string | undefined> {
  const ended = said.find(({ fault }) => fault !== undefined);
  if (ended) return `${ended.writer} ${String(ended.fault)}`;
  const database = new Database(url);
  try {
    for (const sessionId of new Set(said.map((one) => one.sessionId))) {
      const loss = await lossOfSession(database, sessionId, said);
      if (loss !== undefined) return `${sessionId}: ${loss}`;
    }
    if (WRITERS.some((writer) => !said.some((one) => one.writer === writer && one.count > 0)))
      return 'a writer appended nothing';
    return undefined;
  } finally {
    await database.close();
  }
}

async function lossOfSession(
  database: Database,
  sessionId: string,
  said: readonly Said[],
): Promise<string | undefined> {
  const session = await new SqlSessionService(database).getSession(keyOf(sessionId));
  if (!session) return 'the session is gone';
  const seqs = await database.run((queries) =>
    queries
      .selectFrom('adorn_events as event')
      .innerJoin('adorn_sessions as session', 'session.no', 'event.session_no')
      .select(['event.seq', 'session.next_seq'])
      .where('session.id', '=', sessionId)
      .orderBy('event.seq')
      .execute(),
  );
  const gap = seqs.findIndex(({ seq, next_seq }, index) => seq !== index || next_seq !== seqs.length);
  if (gap !== -1) return `the place ${String(gap)} is missing, or the count is another`;
  return said
    .filter((one) => one.sessionId === sessionId)
    .map(({ writer, count }) => lossOfWriter(session, writer, count))
    .find(Boolean);
}

/** A writer's numbers run from 0; one more than was acknowledged may be there, as the kill may have come in between. */
function lossOfWriter(session: Session, name: string, acknowledged: number): string | undefined {
  const numbers = session.events
    .filter(({ author }) => author === name)
    .map(({ id }) => Number(id.split('-')[1]));
  if (numbers.some((number, index) => number !== index))
    return `${name}: ${numbers.join(' ')} is out of order`;
  if (numbers.length < acknowledged)
    return `${name}: ${String(acknowledged - numbers.length)} acknowledged events are lost`;
  if (numbers.length > acknowledged + 1) return `${name}: there are more events than were sent`;
  const last = numbers.filter((number) => number % 3 === 0).at(-1);
  const [own, users] = [session.state[name], session.state[`user:${name}`]];
  return own === last && (last === undefined || (users as number) >= 0)
    ? undefined
    : `${name}: the state says ${String(own)}, not ${String(last)}`;
}
