import { agent, LlmAgent } from '@adorn/core';

import type { Occurrence, ScheduledRun } from './occurrence.js';
import { schedule } from './schedule.decorator.js';
import { answeredRuns, describeEachStore, MINUTE, openProcess, until } from './schedules.fixture.js';
import { startSchedules } from './start-schedules.js';

const NINE = 'Clerk.daily@2026-11-30T09:00:00.000Z';

/** The calls of a method that works until somebody lets it end. */
const works: { readonly id: string; readonly end: () => void }[] = [];

/** Summarises. */
@agent({})
class Clerk extends LlmAgent {
  @schedule('0 9 * * *')
  async daily({ id }: Occurrence): Promise<ScheduledRun> {
    await new Promise<void>((end) => works.push({ id, end }));
    return { userId: 'ada', message: 'Summarise.' };
  }
}

describeEachStore((newUrl) => {
  const opened: { close(): Promise<unknown> }[] = [];

  afterEach(async () => {
    for (const { end } of works.splice(0)) end();
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function start(url: string) {
    const process = await openProcess(Clerk, url);
    opened.push(process.runner);
    opened.push(await startSchedules(process.runner));
    return process;
  }

  it('a clock that passes an occurrence before the first look has begun it', async () => {
    const { clock } = await start(await newUrl());

    await clock.advance(2 * MINUTE);

    await until(() => works.length === 1);
    expect(works[0]?.id).toBe(NINE);
  });

  it('a method that works for minutes, by whatever clock, keeps its schedule', async () => {
    const url = await newUrl();
    const first = await start(url);
    const second = await start(url);
    await first.clock.advance(MINUTE);
    await until(() => works.length === 1);

    for (let seconds = 0; seconds < 180; seconds += 5) {
      await first.clock.advance(5_000);
      await second.clock.advance(5_000);
    }
    for (const { end } of works) end();
    await until(async () => (await answeredRuns(first.runner)).length === 1);

    expect(works.map(({ id }) => id)).toEqual([NINE]);
    expect(first.logger.lines.concat(second.logger.lines)).toEqual([]);
  });

  it('a process that was taken for dead says so when its method has ended, and the run begins once', async () => {
    const url = await newUrl();
    const first = await start(url);
    const second = await start(url);
    await first.clock.advance(MINUTE);
    await until(() => works.length === 1);

    // The clock of the first one stands still, as the timers do of a process that does nothing else.
    await second.clock.advance(2 * MINUTE);
    await until(async () => {
      await second.clock.advance(1_000);
      return works.length === 2;
    });
    for (const { end } of works) end();

    await until(() => first.logger.lines.length > 0);
    await until(async () => (await answeredRuns(second.runner)).length > 0);
    expect(first.logger.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('another process has begun what this one was at') as string,
        facts: { schedule: 'Clerk.daily', leaseSeconds: 30 },
      },
    ]);
    expect(await answeredRuns(second.runner)).toEqual([NINE]);
  });
});
