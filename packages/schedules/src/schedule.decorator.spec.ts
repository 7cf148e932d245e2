import { agent, ContainerModule, createRunner, LlmAgent } from '@adorn/core';

import { ScheduleInvalidError } from './errors.js';
import { nextAfter, timesBetween } from './pattern.js';
import { schedule, type ScheduleOptions, schedulesOf } from './schedule.decorator.js';
import { QuickModel } from './schedules.fixture.js';
import { listSchedules } from './schedule.js';
import { startSchedules } from './start-schedules.js';

/** Sends reports. */
class Reports {
  @schedule('0 0 1 * *', { name: 'monthly', missed: 'all' })
  monthly(): void {
    // Nothing to send.
  }
}

/** Summarises. */
@agent({})
class Clerk extends LlmAgent {
  @schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' })
  morning(): { userId: string; message: string } {
    return { userId: 'ada', message: 'Summarise.' };
  }
}

const bound = new ContainerModule(({ bind }) => {
  bind(Reports).toSelf();
});

describe('@schedule', () => {
  it('lists the next times of agents and services, in their time zones', async () => {
    await using runner = await createRunner(Clerk, { model: new QuickModel(), modules: [bound] });

    const listed = listSchedules(runner, {
      services: [Reports],
      count: 2,
      from: new Date('2026-11-27T12:00:00Z'),
    });

    expect(listed).toEqual([
      {
        name: 'Clerk.morning',
        place: 'Clerk.morning',
        pattern: '0 9 * * 1-5',
        timeZone: 'Europe/Berlin',
        missed: 'run-once',
        next: [new Date('2026-11-30T08:00:00Z'), new Date('2026-12-01T08:00:00Z')],
      },
      {
        name: 'monthly',
        place: 'Reports.monthly',
        pattern: '0 0 1 * *',
        timeZone: 'UTC',
        missed: 'all',
        next: [new Date('2026-12-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')],
      },
    ]);
  });

  it('is inherited, and replaced by that of an overriding method', () => {
    class Daily extends Reports {
      @schedule('0 0 * * *', { name: 'daily' })
      override monthly(): void {
        // Nothing to send.
      }
    }
    class Plain extends Reports {}

    expect(schedulesOf(Plain).map(({ name }) => name)).toEqual(['monthly']);
    expect(schedulesOf(Daily).map(({ name }) => name)).toEqual(['daily']);
  });

  it.each<[string, unknown, unknown, RegExp]>([
    ['a pattern of too few parts', '0 9 * *', {}, /its pattern is "0 9 \* \*"/],
    [
      'a pattern that cannot be read',
      '61 * * * *',
      {},
      /cannot be read: Invalid value for minute: 61\. Pass a cron pattern/,
    ],
    ['a pattern that never comes', '0 0 30 2 *', {}, /never comes/],
    ['no pattern', null, {}, /its pattern is null/],
    [
      'a time zone that does not exist',
      '0 9 * * *',
      { timeZone: 'Mars/Olympus' },
      /no time zone "Mars\/Olympus"/,
    ],
    ['a misspelt option', '0 9 * * *', { timezone: 'UTC' }, /Did you mean "?timeZone/],
    ['a policy that does not exist', '0 9 * * *', { missed: 'once' }, /missed is "once"/],
    ['a name that no run may have', '0 9 * * *', { name: 'a b' }, /name is "a b"/],
    ['options that are none', '0 9 * * *', null, /its options are null/],
  ])('refuses %s, and names the method', (_what, pattern, options, message) => {
    const decorate = (): void => {
      schedule(pattern as string, options as ScheduleOptions)(Reports.prototype, 'monthly', {
        value: () => undefined,
      });
    };

    expect(decorate).toThrow(message);
    expect(decorate).toThrow(/^@schedule of Reports\.monthly is not valid: /);
    expect(decorate).toThrow(ScheduleInvalidError);
  });

  it('refuses two schedules of one name, and a service without any', async () => {
    class Others {
      @schedule('0 0 1 * *', { name: 'monthly' })
      monthly(): void {
        // Nothing to send.
      }
    }
    class Nothing {
      list(): void {
        // Not scheduled.
      }
    }
    const modules = [
      bound,
      new ContainerModule(({ bind }) => {
        bind(Others).toSelf();
        bind(Nothing).toSelf();
      }),
    ];
    await using runner = await createRunner(Clerk, { model: new QuickModel(), modules });

    await expect(startSchedules(runner, { services: [Reports, Others] })).rejects.toThrow(
      /@schedule of Others\.monthly is not valid: another schedule is named "monthly"/,
    );
    await expect(startSchedules(runner, { services: [Nothing] })).rejects.toThrow(
      /Nothing .*none of its methods has a schedule/,
    );
  });

  it('refuses a service that is not bound, and misspelt options', async () => {
    await using runner = await createRunner(Clerk, { model: new QuickModel() });

    await expect(startSchedules(runner, { services: [Reports] })).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
    });
    await expect(startSchedules(runner, { service: [Reports] } as object)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });
});

describe('a pattern where clocks change', () => {
  const berlin = { timeZone: 'Europe/Berlin' };
  const from = (time: string, pattern: string, count: number): string[] => {
    const times: string[] = [];
    let at = Date.parse(time);
    for (let index = 0; index < count; index++) {
      at = nextAfter({ pattern, ...berlin }, at) ?? NaN;
      times.push(new Date(at).toISOString());
    }
    return times;
  };

  it('comes as much later, if its time does not exist', () => {
    expect(from('2026-03-28T12:00:00Z', '30 2 * * *', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('comes once, if its time comes twice', () => {
    expect(from('2026-10-24T12:00:00Z', '30 2 * * *', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('comes in each hour that passes, if it is for every hour', () => {
    expect(from('2026-10-24T23:30:00Z', '0 * * * *', 4)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
      '2026-10-25T03:00:00.000Z',
    ]);
  });

  it.each(['30 2 * * *', '*/30 * * * *', '15,45 1-3 * * *', '0 9 * * 1-5', '10 0 2 * * *', '@daily'])(
    'has the same times looked at from before and from after: %s',
    (pattern) => {
      for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
        const timed = { pattern, timeZone };
        const after = Date.parse('2026-03-01T00:00:00Z');
        const until = Date.parse('2026-04-20T00:00:00Z');
        const forward: number[] = [];
        for (let at = nextAfter(timed, after); at !== undefined && at <= until; at = nextAfter(timed, at))
          forward.push(at);

        expect(timesBetween(timed, { after, until, most: 10_000 })).toEqual(forward);
        expect(timesBetween(timed, { after, until, most: 3 })).toEqual(forward.slice(-3));
      }
    },
  );
});
