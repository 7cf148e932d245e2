import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agent, ContainerModule, LlmAgent } from '@adorn/core';
import { ManualClock, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import type { Occurrence, ScheduledRun } from './occurrence.js';
import { runOccurrence } from './run-occurrence.js';
import { schedule } from './schedule.decorator.js';
import { answeredRuns, MINUTE, openProcess, until } from './schedules.fixture.js';
import { startSchedules } from './start-schedules.js';

/** Summarises. */
@agent({})
class Clerk extends LlmAgent {
  @schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' })
  morning({ dayBefore }: Occurrence): ScheduledRun[] {
    return ['ada', 'bob'].map((userId) => ({ userId, message: `The orders of ${dayBefore.date}.` }));
  }
}

/** Does its work itself. */
class Sums {
  readonly called: Occurrence[] = [];
  failures = 0;

  @schedule('0 2 * * *')
  async nightly(occurrence: Occurrence): Promise<void> {
    this.called.push(occurrence);
    await Promise.resolve();
    if (this.failures-- > 0) throw new Error('The database is away.');
  }
}

const bound = new ContainerModule(({ bind }) => {
  bind(Sums).toSelf().inSingletonScope();
});

const MONDAY_NINE = new Date('2026-11-30T08:00:00Z');
const TWO = new Date('2026-11-30T02:00:00Z');

describe('runOccurrence', () => {
  it('runs what the method returns to its end, at a time of its own, under the ids of a schedule', async () => {
    const model = [says('Two orders.'), says('None.')];
    await using runner = await testRunner(Clerk, { model });

    const { occurrence, runs } = await runOccurrence(runner, 'Clerk.morning', { dueAt: MONDAY_NINE });

    expect(occurrence).toMatchObject({ id: 'Clerk.morning@2026-11-30T08:00:00.000Z', isMissed: false });
    expect(runs.map(({ userId, status }) => [userId, status])).toEqual([
      ['ada', 'answered'],
      ['bob', 'answered'],
    ]);
    expect(runs.map(({ text }) => text).sort()).toEqual(['None.', 'Two orders.']);
    for (const { invocationId, events } of runs) {
      expect(invocationId).toMatch(/^Clerk\.morning@2026-11-30T08:00:00\.000Z\/[\w-]{22}$/);
      expect(events[0]?.text ?? '').not.toBe('');
    }
    const session = await runner.sessions.getSession(runs[0]!);
    expect(session?.events[0]?.text).toBe('The orders of 2026-11-29.');
  });

  it('calls a method once for each time, as schedules do, and again if it has thrown', async () => {
    await using runner = await testRunner(Clerk, { modules: [bound] });
    const services = [Sums];
    const sums = runner.get(Sums);
    sums.failures = 1;
    const run = () => runOccurrence(runner, 'Sums.nightly', { services, dueAt: TWO });

    await expect(run()).rejects.toThrow('The database is away.');
    const { occurrence, runs } = await run();
    await run();

    expect(runs).toEqual([]);
    expect(sums.called).toEqual([occurrence, occurrence]);
  });

  it('begins the next occurrence by the clock of the runner, without a time', async () => {
    const clock = new ManualClock(TWO.getTime() / 1_000);
    await using runner = await testRunner(Clerk, { clock, modules: [bound] });

    const { occurrence } = await runOccurrence(runner, 'Sums.nightly', { services: [Sums] });

    expect(occurrence.id).toBe('Sums.nightly@2026-12-01T02:00:00.000Z');
  });

  it('says that an occurrence is late, by the clock of the runner', async () => {
    const clock = new ManualClock(TWO.getTime() / 1_000 + 61);
    await using runner = await testRunner(Clerk, { clock, modules: [bound] });

    const { occurrence } = await runOccurrence(runner, 'Sums.nightly', { services: [Sums], dueAt: TWO });

    expect(occurrence.isMissed).toBe(true);
  });

  it('shares what has begun with schedules that run on the same store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-occurrence-'));
    const clock = new ManualClock(MONDAY_NINE.getTime() / 1_000 - 60);
    const { runner } = await openProcess(Clerk, join(folder, 'app.db'), { clock });
    const schedules = await startSchedules(runner);
    await runOccurrence(runner, 'Clerk.morning', { dueAt: MONDAY_NINE });

    await clock.advance(2 * MINUTE);
    await until(async () => (await answeredRuns(runner, 'bob')).length > 0);
    await schedules.close();

    expect(await answeredRuns(runner)).toHaveLength(1);
    expect(await answeredRuns(runner, 'bob')).toHaveLength(1);
    await runner.close();
    rmSync(folder, { recursive: true });
  });

  it.each<[string, string, object, RegExp]>([
    [
      'a name that no schedule has',
      'Clerk.mornign',
      {},
      /No schedule is named "Clerk.mornign".*Clerk\.morning/,
    ],
    ['a service that it is not told', 'Sums.nightly', {}, /Pass the class of its method in `services`/],
    [
      'a time in another zone',
      'Clerk.morning',
      { dueAt: new Date('2026-11-30T09:00:00Z') },
      /0 9 \* \* 1-5 in Europe\/Berlin.*The next one is 2026-12-01T08:00:00.000Z/,
    ],
    ['a time that is none', 'Clerk.morning', { dueAt: new Date('x') }, /Pass a Date/],
    ['an unknown option', 'Clerk.morning', { at: MONDAY_NINE }, /at/],
  ])('refuses %s', async (_what, name, options, message) => {
    await using runner = await testRunner(Clerk);
    await expect(runOccurrence(runner, name, options)).rejects.toThrow(message);
  });
});
