import type { Check, CheckGroup } from '@adorn/conformance/check';
import { Event, type SessionKey, type SessionService } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import type { ChaosStore } from './chaos-store.js';
import { sessionOf } from './session-of.js';

const KEY: SessionKey = { appName: 'chaos', userId: 'ada', sessionId: 'race' };
const RACERS = 20;

/** Twenty holders of one version append at once, and a run goes on whose session another one has taken. */
export async function races(store: ChaosStore): Promise<CheckGroup[]> {
  const url = await store.newUrl();
  const databases = Array.from({ length: RACERS }, () => new Database(url, { poolSize: 1 }));
  const holders = databases.map((database) => new SqlSessionService(database));
  try {
    await holders[0]?.createSession(KEY);
    return [
      {
        name: 'one of 20 wins',
        checks: [await race(holders, 0), await race(holders, 1), await race(holders, 2)],
      },
      { name: 'an old epoch is refused', checks: await takeOver(holders) },
    ];
  } finally {
    for (const database of databases) await database.close();
  }
}

async function race(holders: readonly SessionService[], expectedSeq: number): Promise<Check> {
  const what = `the place ${String(expectedSeq)}`;
  const held = await Promise.all(
    holders.map(async (holder) => ({ holder, session: await sessionOf(holder, KEY) })),
  );
  const outcomes = await Promise.allSettled(
    held.map(({ holder, session }, index) =>
      holder.appendEvent(session, event(`${what} ${String(index)}`), { expectedSeq }),
    ),
  );
  const won = outcomes.filter(({ status }) => status === 'fulfilled').length;
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code] : [],
  );
  const isRight =
    won === 1 && codes.length === RACERS - 1 && codes.every((code) => code === 'SESSION_CONFLICT');
  return {
    what,
    fault: isRight ? undefined : `${String(won)} won; the others: ${[...new Set(codes)].join(', ')}`,
  };
}

async function takeOver([first, second]: readonly SessionService[]): Promise<Check[]> {
  if (!first || !second) return [];
  const [mine, yours] = [await sessionOf(first, KEY), await sessionOf(second, KEY)];
  const old = await first.openRun(KEY, { id: 'e-1', after: 0, at: Date.now() / 1000 });
  const current = await second.openRun(KEY, { id: 'e-1', after: old.epoch, at: Date.now() / 1000 });
  await second.appendEvent(yours, event('mine now'), { epoch: current.epoch });
  const refused = await first.appendEvent(mine, event('still mine'), { epoch: old.epoch }).then(
    () => 'taken',
    (error: unknown) => (error as { code?: string }).code,
  );
  const log = await second.getSession(KEY);
  const isThere = log?.events.some(({ id }) => id === 'still mine') ?? true;
  return [
    { what: 'the append', fault: refused === 'SESSION_TAKEN_OVER' ? undefined : `was ${String(refused)}` },
    { what: 'the log', fault: isThere ? 'holds it all the same' : undefined },
  ];
}

function event(id: string): Event {
  return new Event({ id, invocationId: 'e-1', author: 'ada' });
}
