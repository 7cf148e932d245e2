import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agent, type AgentClass, LlmAgent } from '@adorn/core';
import { ManualClock } from '@adorn/testing';

import { MortalSqlite } from '../../storage/src/database/sqlite/mortal-sqlite.fixture.js';
import type { Occurrence, ScheduledRun } from './occurrence.js';
import { type MissedPolicy, schedule } from './schedule.decorator.js';
import { answeredRuns, HOUR, messagesTo, MINUTE, MONDAY, openProcess, until } from './schedules.fixture.js';
import { startSchedules } from './start-schedules.js';

let calls = 0;

/** Looks. */
@agent({})
class Watch extends LlmAgent {
  @schedule('0 * * * *', { name: 'watch' })
  look(): ScheduledRun {
    // Another session each time it is called: what was stored first counts.
    return { userId: 'ada', message: 'Look.', sessionId: `s${String(++calls)}` };
  }
}

const NINE = 'watch@2026-11-30T09:00:00.000Z';
const TEN = 'watch@2026-11-30T10:00:00.000Z';

/** More writes than an occurrence needs. */
const MOST_WRITES = 28;

const folder = mkdtempSync(join(tmpdir(), 'adorn-deaths-'));
const dead: Promise<void>[] = [];

afterAll(async () => {
  await Promise.all(dead);
  rmSync(folder, { recursive: true });
});

/** A schedule that is known to its store, before its first occurrence. */
async function newStore(name: string, root: AgentClass<unknown> = Watch): Promise<string> {
  const url = join(folder, name);
  const { runner } = await openProcess(root, url);
  await (await startSchedules(runner)).close();
  await runner.close();
  return url;
}

/** Begins an occurrence in a process that dies after so many writes. @returns false if it has lived to the end */
async function beginAndDie(url: string, writes: number): Promise<boolean> {
  const store = new MortalSqlite();
  const { runner, clock } = await openProcess(Watch, url, { sqliteDriver: store.driver });
  const { runner: onlooker } = await openProcess(Watch, url);
  const schedules = await startSchedules(runner);
  store.left = writes;
  await clock.advance(MINUTE);
  await until(async () => {
    await clock.advance(1_000);
    return store.isDead || (await answeredRuns(onlooker)).length > 0;
  });
  await onlooker.close();
  // What is under way ends by the errors of its store, which takes a while, or well.
  dead.push(schedules.close().then(() => runner.close().catch(() => undefined)));
  return store.isDead;
}

/** What another process finds and does, which starts when the leases of the dead one have lapsed. */
async function runsAfter(url: string) {
  const { runner, clock } = await openProcess(Watch, url, { clock: new ManualClock(MONDAY + 160) });
  const schedules = await startSchedules(runner);
  const answers = (count: number): Promise<void> =>
    until(async () => {
      await clock.advance(1_000);
      return (await answeredRuns(runner)).length >= count;
    });
  await answers(1);
  await clock.advance(HOUR);
  await answers(2);
  await schedules.close();
  // Nothing is left for a third one.
  await runner.recover();
  const found = {
    messages: (await messagesTo(runner, 'ada')).map(({ invocationId }) => invocationId),
    answers: await answeredRuns(runner),
  };
  await runner.close();
  return found;
}

describe('startSchedules', () => {
  it('runs each occurrence once, and loses none, behind a death after each of its writes', async () => {
    const deaths = await Promise.all(
      Array.from({ length: MOST_WRITES }, async (_, index) => {
        const writes = index + 1;
        const url = await newStore(`${String(writes)}.db`);
        const hasDied = await beginAndDie(url, writes);

        expect({ writes, ...(await runsAfter(url)) }).toEqual({
          writes,
          messages: [NINE, TEN],
          answers: [NINE, TEN],
        });
        return hasDied;
      }),
    );

    // The lease of the schedule, the call, its result, the message, the run and its events; and the last ones live to the end.
    expect(deaths.lastIndexOf(true)).toBeGreaterThan(10);
    expect(deaths.at(-1)).toBe(false);
  });

  it.each<[MissedPolicy, string[]]>([
    ['skip', [NINE]],
    ['run-once', [NINE, TEN]],
    ['all', [NINE, TEN]],
  ])(
    'goes on two hours later with an occurrence that a dead process had begun, by %s',
    async (missed, ids) => {
      const store = new MortalSqlite();
      let seen: Occurrence | undefined;
      /** Looks. */
      @agent({})
      class Witness extends LlmAgent {
        @schedule('0 * * * *', { name: 'watch', missed })
        look(occurrence: Occurrence): ScheduledRun {
          seen ??= occurrence;
          // The first process dies in the method; the second one has another store.
          store.left = 0;
          return { userId: 'ada', message: 'Look.' };
        }
      }
      const url = await newStore(`${missed}.db`, Witness);
      const first = await openProcess(Witness, url, { sqliteDriver: store.driver });
      const begun = await startSchedules(first.runner);
      await until(async () => {
        await first.clock.advance(1_000);
        return store.isDead;
      });
      dead.push(begun.close().then(() => first.runner.close().catch(() => undefined)));
      expect(seen?.id).toBe(NINE);

      const { runner, clock } = await openProcess(Witness, url, { clock: new ManualClock(MONDAY + 7_200) });
      const schedules = await startSchedules(runner);
      await until(async () => {
        await clock.advance(1_000);
        return (await answeredRuns(runner)).length >= ids.length;
      });
      await schedules.close();

      expect(await answeredRuns(runner)).toEqual(ids);
      await runner.close();
    },
  );
});
