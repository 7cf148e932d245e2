import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agent, ContainerModule, createRunner, LlmAgent, Logger } from '@adorn/core';
import { InProcessQueue, openFleet, startWorker } from '@adorn/fleet';
import { sqlStorage } from '@adorn/storage';

import type { Occurrence, ScheduledRun } from './occurrence.js';
import { schedule } from './schedule.decorator.js';
import { answeredRuns, KeptLogger, messagesTo, QuickModel, until } from './schedules.fixture.js';
import { startSchedules } from './start-schedules.js';

const called: Occurrence[] = [];

/** Looks every second. */
@agent({})
class Watch extends LlmAgent {
  @schedule('* * * * * *', { name: 'watch' })
  look(occurrence: Occurrence): ScheduledRun {
    called.push(occurrence);
    return { userId: 'ada', message: 'Look.' };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'adorn-targets-'));

beforeEach(() => {
  called.length = 0;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('startSchedules', () => {
  it('submits to the workers of a fleet, each occurrence once, by the clock of its database', async () => {
    const url = join(folder, 'fleet.db');
    const runner = await createRunner(Watch, { model: new QuickModel(), modules: [sqlStorage(url)] });
    const fleet = await openFleet(runner, { queue: new InProcessQueue() });
    const worker = await startWorker(fleet);
    const schedules = await startSchedules(fleet);

    await until(async () => (await answeredRuns(runner)).length >= 2);
    await schedules.close();
    await until(async () => (await answeredRuns(runner)).length === called.length);

    expect(await answeredRuns(runner)).toEqual(called.map(({ id }) => id));
    const [message] = await messagesTo(runner, 'ada');
    expect(message?.customMetadata?.['adorn:requester']).toEqual(
      expect.objectContaining({ id: 'schedule:watch', actsFor: 'ada' }),
    );
    await worker.stop();
    await runner.close();
  });

  it('begins runs with stores in memory, and nothing more once it is closed', async () => {
    await using runner = await createRunner(Watch, { model: new QuickModel() });
    const schedules = await startSchedules(runner);
    expect(schedules.schedules.map(({ place }) => place)).toEqual(['Watch.look']);

    await until(async () => (await answeredRuns(runner)).length >= 1);
    await schedules.close();
    const { length } = called;
    await new Promise((resolve) => setTimeout(resolve, 1_500));

    expect(called).toHaveLength(length);
  });

  it.each<[string, unknown, RegExp]>([
    ['no user', { message: 'Look.' }, /its userId is absent/],
    ['a misspelt field', { userId: 'ada', message: 'Look.', sesionId: 's' }, /sesionId/],
    ['a text', 'Look.', /it is a text/],
    ['two tenants', { userId: 'ada', message: 'Look.', tenant: 'acme', by: 'mia' }, /a tenant and a by/],
    ['an empty tenant', { userId: 'ada', message: 'Look.', tenant: '' }, /tenant is no text/],
  ])(
    'gives up an occurrence whose method returns %s, with an error in the log',
    async (_what, returned, fault) => {
      /** Looks. */
      @agent({})
      class Wrong extends LlmAgent {
        @schedule('* * * * * *')
        look(): ScheduledRun {
          return returned as ScheduledRun;
        }
      }
      const logger = new KeptLogger();
      const modules = [
        new ContainerModule(({ bind }) => {
          bind(Logger).toConstantValue(logger);
        }),
      ];
      await using runner = await createRunner(Wrong, { model: new QuickModel(), modules });
      await using schedules = await startSchedules(runner);

      await until(() => logger.lines.some(({ level }) => level === 'error'));
      await schedules.close();

      expect((logger.lines[0]?.facts as { error: Error }).error.message).toMatch(fault);
      expect(await answeredRuns(runner)).toEqual([]);
    },
  );
});
