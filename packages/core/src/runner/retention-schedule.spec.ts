import { setImmediate } from 'node:timers/promises';

import { ManualClock, ScriptedModel } from '@adorn/testing';

import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  InMemoryMemoryService,
  Logger,
  MemoryService,
  type Runner,
} from '../index.js';
import { EffectLedger, InMemoryEffectLedger } from '../backend.js';
import { NotSupportedError } from '../stores/sessions/errors.js';
import type { RetentionOptions } from './retention-schedule.js';

const HOUR = 3_600_000;
const SCOPE = { appName: 'desk', userId: 'ada' };

/** The stores that the processes of an application share, and a clock that all of them read. */
class Stores {
  readonly clock = new ManualClock();
  readonly memory = new InMemoryMemoryService();
  readonly effects = new InMemoryEffectLedger();
  readonly logger = new NotingLogger();

  /** A process of the application. */
  async open(retention: RetentionOptions): Promise<Runner> {
    const { clock, memory, effects, logger } = this;
    const services = new ContainerModule(({ bind }) => {
      bind(Clock).toConstantValue(clock);
      bind(MemoryService).toConstantValue(memory);
      bind(EffectLedger).toConstantValue(effects);
      bind(Logger).toConstantValue(logger);
    });
    const model = new ScriptedModel();
    const root = defineAgent({ name: 'desk', model });
    return createRunner(root, { modules: [services], retention });
  }

  async remember(text: string): Promise<void> {
    await this.memory.addMemory(SCOPE, [{ content: { parts: [{ text }] }, timestamp: this.clock.now() }]);
  }

  async remembered(): Promise<string[]> {
    const entries = await this.memory.listMemories(SCOPE);
    return entries.map(({ content }) => content.parts?.[0]?.text ?? '').sort();
  }
}

class NotingLogger extends Logger {
  readonly lines: string[] = [];
  override debug(): void {
    // Not looked at.
  }

  /** Waits until so many lines are there. */
  async until(count: number): Promise<void> {
    while (this.lines.length < count) await setImmediate();
  }

  override info(line: string): void {
    this.lines.push(line);
  }
  override warn(line: string): void {
    this.lines.push(line);
  }
  override error(line: string): void {
    this.lines.push(line);
  }
}

describe('the option retention', () => {
  it('deletes at the start, and again when its time has come', async () => {
    const stores = new Stores();
    await stores.remember('old');
    await stores.clock.advance(2 * HOUR);
    await stores.remember('new');

    await using runner = await stores.open({ memories: '90m', every: '1h' });
    await stores.logger.until(1);
    expect(await stores.remembered()).toEqual(['new']);
    await stores.clock.advance(HOUR);
    await stores.logger.until(2);
    expect(await stores.remembered()).toEqual(['new']);
    await stores.clock.advance(HOUR);
    await stores.logger.until(3);
    expect(await stores.remembered()).toEqual([]);
    expect(stores.logger.lines).toEqual(Array.from({ length: 3 }, () => 'retention was applied'));
    expect(runner.appName).toBe('desk');
  });

  it('is applied by one of several processes each time', async () => {
    const stores = new Stores();
    const runners = [];
    for (let count = 0; count < 3; count++) {
      runners.push(await stores.open({ memories: '1d', every: '1h' }));
      await stores.logger.until(1);
      await stores.clock.advance(7 * 60_000);
    }

    for (let hours = 1; hours <= 10; hours++) {
      await stores.clock.advance(HOUR);
      await stores.logger.until(1 + hours);
    }

    // At the start, and ten hours and some minutes after it.
    expect(stores.logger.lines).toEqual(Array.from({ length: 11 }, () => 'retention was applied'));
    for (const runner of runners) await runner.close();
  });

  it('is taken over from a process that has died in it', async () => {
    const stores = new Stores();
    const claim = jest.spyOn(stores.effects, 'complete').mockReturnValueOnce(new Promise(() => undefined));
    await stores.open({ memories: '1d', every: '1h' });
    while (claim.mock.calls.length === 0) await setImmediate();

    await using runner = await stores.open({ memories: '1d', every: '1h' });
    await stores.clock.advance(29_000);
    expect(stores.logger.lines).toEqual([]);
    await stores.clock.advance(2_000);
    await stores.logger.until(1);

    expect(stores.logger.lines).toEqual(['retention was applied']);
    expect(runner.appName).toBe('desk');
  });

  it('ends with the runner', async () => {
    const stores = new Stores();
    const runner = await stores.open({ memories: '1d' });
    await stores.logger.until(1);

    await runner.close();

    expect(stores.clock.waiting).toBe(0);
  });

  it('says that a store cannot delete by age, and does not ask again', async () => {
    const stores = new Stores();
    stores.memory.deleteOlder = () => Promise.reject(new NotSupportedError(stores.memory, 'delete by age'));
    await using runner = await stores.open({ memories: '1d' });
    await stores.logger.until(1);
    await stores.clock.advance(2 * HOUR);

    expect(stores.logger.lines).toEqual([
      'the option retention cannot be applied to the stores of the application',
    ]);
    expect(runner.appName).toBe('desk');
  });

  it.each<[object, string]>([
    [{ session: '90d' }, 'session'],
    [{ sessions: 'soon' }, 'sessions'],
    [{ sessions: '90d', every: 0 }, 'every'],
    [{ sessions: '90d', every: '500ms' }, 'every'],
    [{ every: '1h' }, 'nothing to delete'],
    [{}, 'nothing to delete'],
  ])('refuses %j', async (retention, named) => {
    const root = defineAgent({ name: 'desk', model: new ScriptedModel() });
    await expect(createRunner(root, { retention })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(named) as string,
    });
  });
});
