import { agent, LlmAgent } from '@adorn/core';
import { ManualClock } from '@adorn/testing';

import type { Occurrence, ScheduledRun } from './occurrence.js';
import { schedule, type MissedPolicy } from './schedule.decorator.js';
import {
  answeredRuns,
  DAY,
  describeEachStore,
  HOUR,
  messagesTo,
  MINUTE,
  MONDAY,
  openProcess,
  until,
} from './schedules.fixture.js';
import { startSchedules } from './start-schedules.js';

/** Summarises. */
@agent({})
class Clerk extends LlmAgent {
  @schedule('0 9 * * 1-5')
  morning({ dueAt }: Occurrence): ScheduledRun {
    return { userId: 'ada', message: `Summarise the orders before ${dueAt.toISOString()}.` };
  }
}

const users: string[] = [];

/** Closes the day of each tenant. */
@agent({})
class Tenants extends LlmAgent {
  @schedule('0 9 * * *')
  nightly(): ScheduledRun[] {
    return users.map((userId) => ({ userId, message: `The day of ${userId}.` }));
  }
}

const NINE = 'Clerk.morning@2026-11-30T09:00:00.000Z';
const NEXT_NINE = 'Clerk.morning@2026-12-01T09:00:00.000Z';

/** Closes the day of a shop. */
@agent({})
class Closing extends LlmAgent {
  @schedule('0 9 * * *')
  daily(): ScheduledRun {
    return { userId: 'acme.ada', tenant: 'acme', message: 'Close the day.' };
  }
}

/** An agent whose schedule comes every hour. */
function hourly(missed: MissedPolicy) {
  /** Looks. */
  @agent({})
  class Watch extends LlmAgent {
    @schedule('0 * * * *', { missed, name: 'watch' })
    look(): ScheduledRun {
      return { userId: 'ada', message: 'Look.', sessionId: 'watch' };
    }
  }
  return Watch;
}

/** A clock that somebody sets: its timers do not follow. */
class SetClock extends ManualClock {
  private setBy = 0;

  set(milliseconds: number): void {
    this.setBy += milliseconds / 1_000;
  }

  override now(): number {
    return super.now() + this.setBy;
  }
}

/** Gives loops the time to look at their store, which needs no time of their clock. */
function looked(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

describeEachStore((newUrl) => {
  const opened: { close(): Promise<unknown> }[] = [];
  type Started = Awaited<ReturnType<typeof start>>;

  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function start(root: Parameters<typeof openProcess>[0], url: string, clock?: ManualClock) {
    const process = await openProcess(root, url, clock && { clock });
    opened.push(process.runner);
    const schedules = await startSchedules(process.runner);
    opened.push(schedules);
    return { ...process, schedules };
  }

  /** Waits until so many runs have answered. What a loop does takes time, in which its clock goes on. */
  const answers = ({ runner, clock }: Started, count: number): Promise<void> =>
    until(async () => {
      await clock.advance(1_000);
      return (await answeredRuns(runner)).length >= count;
    });

  it('begins the run of an occurrence at its time, under the id of the occurrence', async () => {
    const started = await start(Clerk, await newUrl());
    const { runner, clock } = started;
    await looked();

    await clock.advance(MINUTE - 1);
    await looked();
    expect(await answeredRuns(runner)).toEqual([]);
    await clock.advance(1);
    await answers(started, 1);

    expect(await answeredRuns(runner)).toEqual([NINE]);
    await clock.advance(DAY);
    await answers(started, 2);
    expect(await answeredRuns(runner)).toEqual([NINE, NEXT_NINE]);
  });

  it('says in the log which schedule sent the message, and for whom it acts', async () => {
    const started = await start(Clerk, await newUrl());
    await started.clock.advance(MINUTE);
    await answers(started, 1);

    const [message] = await messagesTo(started.runner, 'ada');

    expect(message?.text).toBe('Summarise the orders before 2026-11-30T09:00:00.000Z.');
    expect(message?.customMetadata).toMatchObject({
      'adorn:requester': { id: 'schedule:Clerk.morning', actsFor: 'ada' },
      'adorn:sentAs': NINE,
    });
  });

  it('sends the message in the tenant that the method names', async () => {
    const started = await start(Closing, await newUrl());
    await started.clock.advance(MINUTE);
    await until(async () => {
      await started.clock.advance(1_000);
      return (await answeredRuns(started.runner, 'acme.ada')).length > 0;
    });

    const [message] = await messagesTo(started.runner, 'acme.ada');

    expect(message?.customMetadata?.['adorn:requester']).toMatchObject({
      id: 'schedule:Closing.daily',
      actsFor: 'acme.ada',
      tenant: 'acme',
    });
  });

  it('begins a run for each user that a method names, each once, whatever their order', async () => {
    const url = await newUrl();
    const started = await start(Tenants, url);
    users.splice(0, users.length, 'ada', 'bob', 'cat');
    await started.clock.advance(MINUTE);
    await answers(started, 1);
    await until(async () => (await answeredRuns(started.runner, 'cat')).length === 1);

    const ids = await Promise.all(users.map((userId) => answeredRuns(started.runner, userId)));
    expect(ids.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(new Set(ids.flat()).size).toBe(3);
    for (const [id] of ids) expect(id).toMatch(/^Tenants\.nightly@2026-11-30T09:00:00\.000Z\/[\w-]{22}$/);
    const [message] = await messagesTo(started.runner, 'bob');
    expect([message?.text, message?.customMetadata?.['adorn:requester']]).toEqual([
      'The day of bob.',
      expect.objectContaining({ id: 'schedule:Tenants.nightly', actsFor: 'bob' }),
    ]);
  });

  it('begins no run of an occurrence for two runs of one user in one session, and says so', async () => {
    const started = await start(Tenants, await newUrl());
    users.splice(0, users.length, 'ada', 'ada');
    await started.clock.advance(MINUTE);
    await until(async () => {
      await started.clock.advance(1_000);
      return started.logger.lines.some(({ level }) => level === 'error');
    });

    expect(started.logger.lines.find(({ level }) => level === 'error')?.facts).toMatchObject({
      error: {
        code: 'SCHEDULED_RUN_INVALID',
        message: expect.stringContaining('two of its runs') as unknown,
      },
    });
    expect(await answeredRuns(started.runner)).toEqual([]);
  });

  it('begins each occurrence once, in whichever of many processes', async () => {
    const url = await newUrl();
    const processes = [];
    for (let count = 0; count < 5; count++) processes.push(await start(hourly('run-once'), url));
    const [first] = processes;

    for (let hour = 1; hour <= 4; hour++) {
      const due = MONDAY + 60 + (hour - 1) * 3_600;
      await Promise.all(processes.map(({ clock }) => clock.advance((due - clock.now()) * 1_000)));
      await answers(first!, hour);
      // The others have looked, too.
      await Promise.all(processes.map(({ clock }) => clock.advance(5_000)));
    }

    expect(await answeredRuns(first!.runner)).toEqual([
      'watch@2026-11-30T09:00:00.000Z',
      'watch@2026-11-30T10:00:00.000Z',
      'watch@2026-11-30T11:00:00.000Z',
      'watch@2026-11-30T12:00:00.000Z',
    ]);
  });

  it.each<[MissedPolicy, string[]]>([
    ['run-once', ['watch@2026-11-30T12:00:00.000Z', 'watch@2026-11-30T13:00:00.000Z']],
    ['skip', ['watch@2026-11-30T13:00:00.000Z']],
    [
      'all',
      [9, 10, 11, 12, 13].map((hour) => `watch@2026-11-30T${String(hour).padStart(2, '0')}:00:00.000Z`),
    ],
  ])('follows the policy %s for what was missed while no process was there', async (missed, ids) => {
    const url = await newUrl();
    const before = await start(hourly(missed), url);
    await before.schedules.close();
    await before.runner.close();

    const later = await start(hourly(missed), url, new ManualClock(MONDAY + 3.5 * 3_600));
    if (missed !== 'skip') await answers(later, ids.length - 1);
    // To 13:00.
    await later.clock.advance((MONDAY + 4 * 3_600 + 60 - later.clock.now()) * 1_000);
    await answers(later, ids.length);

    expect(await answeredRuns(later.runner)).toEqual(ids);
  });

  it('begins nothing again when the clock is set back, and nothing of before it was first seen', async () => {
    const clock = new SetClock(MONDAY);
    const started = await start(hourly('all'), await newUrl(), clock);
    const { runner } = started;
    await clock.advance(5 * MINUTE);
    await answers(started, 1);

    clock.set(-3 * HOUR);
    for (let hour = 0; hour < 4; hour++) {
      await looked();
      await clock.advance(HOUR);
    }
    await answers(started, 2);

    expect(await answeredRuns(runner)).toEqual([
      'watch@2026-11-30T09:00:00.000Z',
      'watch@2026-11-30T10:00:00.000Z',
    ]);
  });

  it('follows the policy for what a clock that is set forward passes over', async () => {
    const clock = new SetClock(MONDAY);
    const started = await start(hourly('run-once'), await newUrl(), clock);
    await looked();

    clock.set(36 * HOUR);
    await answers(started, 1);

    expect(await answeredRuns(started.runner)).toEqual(['watch@2026-12-01T20:00:00.000Z']);
  });
});
