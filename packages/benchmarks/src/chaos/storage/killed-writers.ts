import { setTimeout as sleep } from 'node:timers/promises';

import type { Session, SessionKey } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import type { Check, CheckGroup } from '../../conformance/check.js';
import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import type { ChaosStore } from './chaos-store.js';

const WRITERS = ['left', 'right'];
/** How long a writer lives after its first append, in milliseconds, at the most. */
const LONGEST = 80;
/** So many pairs of writers share one database, which so recovers again and again. */
const SHARED = 10;

/** For each seed two processes append to one session until each is killed, at a moment that the seed decides. */
export async function killedWriters(store: ChaosStore, from: number, seeds: number): Promise<CheckGroup[]> {
  const kept: Check[] = [];
  const whole: Check[] = [];
  let url = '';
  let acknowledged = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    if ((seed - from) % SHARED === 0) url = await store.newUrl();
    const said = await killPair(url, seed);
    acknowledged += said.reduce((sum, count) => sum + count, 0);
    kept.push({ what: `seed ${String(seed)}`, fault: await lossOf(url, seed, said) });
    const isLast = (seed - from) % SHARED === SHARED - 1 || seed === from + seeds - 1;
    if (isLast && store.damage !== undefined)
      whole.push({ what: `after seed ${String(seed)}`, fault: await store.damage(url) });
    if (process.stderr.isTTY) process.stderr.write(`\r  seed ${String(seed)}`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r');
  return [
    { name: `seeds (${String(acknowledged)} acknowledged)`, checks: kept },
    ...(store.damage === undefined ? [] : [{ name: 'databases whole', checks: whole }]),
  ];
}

function keyOf(seed: number): SessionKey {
  return { appName: 'chaos', userId: 'ada', sessionId: `seed-${String(seed)}` };
}

/** How many appends of each writer were acknowledged. */
async function killPair(url: string, seed: number): Promise<number[]> {
  const database = new Database(url);
  await new SqlSessionService(database).createSession(keyOf(seed));
  await database.close();
  const random = seededRandom(seed);
  const children = WRITERS.map(
    (name) => new Child('writer.child.js', import.meta.url, [url, keyOf(seed).sessionId, name]),
  );
  const counts = children.map(async (child) => {
    const life = random() * LONGEST;
    await child.untilLines(1);
    await sleep(life);
    return (await child.kill()).length;
  });
  return Promise.all(counts);
}

/** What is wrong with the log; undefined where everything that was acknowledged is there once, in order, without a gap. */
async function lossOf(url: string, seed: number, said: readonly number[]): Promise<string | undefined> {
  const database = new Database(url);
  try {
    const session = await new SqlSessionService(database).getSession(keyOf(seed));
    if (session === undefined) return 'the session is gone';
    const seqs = await database.run((queries) =>
      queries
        .selectFrom('adorn_events as event')
        .innerJoin('adorn_sessions as session', 'session.no', 'event.session_no')
        .select(['event.seq', 'session.next_seq'])
        .where('session.id', '=', keyOf(seed).sessionId)
        .orderBy('event.seq')
        .execute(),
    );
    const gap = seqs.findIndex(({ seq, next_seq }, index) => seq !== index || next_seq !== seqs.length);
    if (gap !== -1) return `the place ${String(gap)} is missing, or the count is another`;
    if (said.some((count) => count === 0)) return 'a writer appended nothing';
    return WRITERS.map((name, index) => lossOfWriter(session, name, said[index] ?? 0)).find(Boolean);
  } finally {
    await database.close();
  }
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
  return own === last && (users as number) >= 0
    ? undefined
    : `${name}: the state says ${String(own)}, not ${String(last)}`;
}
