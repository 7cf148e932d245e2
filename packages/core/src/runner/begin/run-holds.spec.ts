import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type RunConfig,
  type Runner,
  SessionService,
} from '../../index.js';
import type { HeldRun, RenewedHold } from '../../backend.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY = { appName: 'clerk', ...ADDRESS };

const opened: Runner[] = [];

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(async () => {
  jest.useRealTimers();
  for (const runner of opened.splice(0)) await runner.close();
});

/** Two runners with one store stand for two processes; one whose renewals are not stored stands for a process that died. */
describe('a run of another process', () => {
  it.each([
    ['a model', 'model'],
    ['a tool', 'tool'],
  ] as const)('is not taken over while %s thinks for minutes', async (_what, slow) => {
    const store = new InMemorySessionService();
    const first = await start(store, slow);
    const second = await runnerOf(store, [says('After it.')]);
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.' }));
    await first.started;
    const two = eventsOf(second.run({ ...ADDRESS, message: 'Two.' }));

    await jest.advanceTimersByTimeAsync(600_000);
    first.finish();
    await one;
    await jest.advanceTimersByTimeAsync(1_000);

    await two;
    expect(await textsOf(store)).toEqual(['One.', 'Done.', 'Two.', 'After it.']);
    expect(first.ran).toBe(slow === 'tool' ? 1 : 0);
  });

  it('is taken over once its process has renewed nothing for takeOverAfter, not sooner', async () => {
    const store = new MortalHolds();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('Instead.')]);
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.' })).catch((error: unknown) => error);
    await first.started;
    await jest.advanceTimersByTimeAsync(60_000);
    store.isDead = true;
    const two = eventsOf(second.run({ ...ADDRESS, message: 'Two.' }));

    await jest.advanceTimersByTimeAsync(3_000);
    expect(await textsOf(store)).toEqual(['One.']);
    await jest.advanceTimersByTimeAsync(3_000);

    await two;
    first.finish();
    await expect(one).resolves.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
    expect(await textsOf(store)).toEqual(['One.', 'Two.', 'Instead.']);
  });

  it('is not taken over by a short takeOverAfter while it renews its hold', async () => {
    const store = new InMemorySessionService();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('After it.')], { takeOverAfter: 50 });
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.' }));
    await first.started;
    const two = eventsOf(second.run({ ...ADDRESS, message: 'Two.' }));

    await jest.advanceTimersByTimeAsync(20_000);
    first.finish();
    await one;
    await jest.advanceTimersByTimeAsync(1_000);
    await two;

    expect(await textsOf(store)).toEqual(['One.', 'Done.', 'Two.', 'After it.']);
  });

  it('is not recovered while it renews its hold, and is recovered once it does not, in one call', async () => {
    const store = new MortalHolds();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('Instead.')]);
    eventsOf(first.runner.run({ ...ADDRESS, message: 'One.', invocationId: 'e-1' })).catch(() => undefined);
    await first.started;
    await jest.advanceTimersByTimeAsync(600_000);

    const alive = second.recover();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await alive).toEqual([]);
    store.isDead = true;
    const dead = second.recover();
    await jest.advanceTimersByTimeAsync(6_000);

    expect(await dead).toMatchObject([{ invocationId: 'e-1', outcome: 'resumed' }]);
    first.finish();
    expect(await textsOf(store)).toEqual(['One.', 'Instead.']);
  });

  it('is recovered by a sweep only once its hold has lapsed', async () => {
    const store = new MortalHolds();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('Instead.')]);
    eventsOf(first.runner.run({ ...ADDRESS, message: 'One.' })).catch(() => undefined);
    await first.started;
    store.isDead = true;

    expect(await second.recoverLapsed()).toEqual([]);
    await jest.advanceTimersByTimeAsync(5_000);

    expect(await second.recoverLapsed()).toMatchObject([{ outcome: 'resumed' }]);
    first.finish();
  });

  it('that failed, or whose reader stopped, blocks nobody and is not swept up', async () => {
    const store = new InMemorySessionService();
    const first = await runnerOf(store, [callsTool('work', {}), says('Done.')]);
    const second = await runnerOf(store, [says('At once.')]);
    for await (const _event of first.run({ ...ADDRESS, message: 'One.' })) break;

    expect(await store.findHold(KEY)).toMatchObject({ isReleased: true, silentFor: undefined });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await second.recoverLapsed()).toEqual([]);
    const events = await eventsOf(second.run({ ...ADDRESS, message: 'Two.' }));

    expect(events.at(-1)?.text).toBe('At once.');
  });

  it('is cancelled where it runs, by a request that another process got', async () => {
    const store = new InMemorySessionService();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('Never.')]);
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.', invocationId: 'e-1' }));
    await first.started;
    expect(await second.findOpenRun(ADDRESS)).toEqual({ invocationId: 'e-1', place: 'elsewhere' });
    expect(await first.runner.findOpenRun(ADDRESS)).toEqual({ invocationId: 'e-1', place: 'here' });

    expect(await second.cancelRun({ ...ADDRESS, invocationId: 'e-2' })).toBe(false);
    expect(await second.cancelRun({ ...ADDRESS, invocationId: 'e-1' })).toBe(true);
    await jest.advanceTimersByTimeAsync(2_000);

    expect((await one).at(-1)?.errorCode).toBe('CANCELLED');
    expect(await second.findOpenRun(ADDRESS)).toBeUndefined();
    expect(await second.cancelRun({ ...ADDRESS, invocationId: 'e-1' })).toBe(false);
  });

  it('is ended with CANCELLED where its process died', async () => {
    const store = new MortalHolds();
    const first = await start(store, 'model');
    const second = await runnerOf(store, [says('Next.')]);
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.', invocationId: 'e-1' })).catch(
      (error: unknown) => error,
    );
    await first.started;
    store.isDead = true;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await second.findOpenRun(ADDRESS)).toEqual({ invocationId: 'e-1', place: 'interrupted' });

    expect(await second.cancelRun({ ...ADDRESS, invocationId: 'e-1' })).toBe(true);

    expect((await store.getSession(KEY))?.events.at(-1)?.errorCode).toBe('CANCELLED');
    expect(await second.findOpenRun(ADDRESS)).toBeUndefined();
    first.finish();
    await expect(one).resolves.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
  });

  it('whose session was taken over hears of it with its next renewal, and its tool is told to stop', async () => {
    const store = new InMemorySessionService();
    const first = await start(store, 'tool');
    const second = await runnerOf(store, [says('Mine.')], { takeOverAfter: 0 });
    const one = eventsOf(first.runner.run({ ...ADDRESS, message: 'One.' })).catch((error: unknown) => error);
    await first.started;
    await eventsOf(second.run({ ...ADDRESS, message: 'Two.' }));

    await jest.advanceTimersByTimeAsync(2_000);

    expect(first.signal?.aborted).toBe(true);
    await expect(one).resolves.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
  });
});

describe('the holds of a process', () => {
  it('are renewed in one write a second, whatever the number of runs, and in none without a run', async () => {
    const store = new InMemorySessionService();
    const renew = jest.spyOn(store, 'renewRuns');
    const runs = [];
    const first = await start(store, 'model');
    for (let index = 0; index < 5; index++)
      runs.push(eventsOf(first.runner.run({ userId: 'ada', sessionId: String(index), message: 'Go.' })));
    await first.started;

    await jest.advanceTimersByTimeAsync(10_000);
    expect(renew.mock.calls.length).toBe(10);
    expect(renew.mock.calls.at(-1)?.[0]).toHaveLength(5);
    first.finish();
    await Promise.all(runs);
    renew.mockClear();
    await jest.advanceTimersByTimeAsync(10_000);

    expect(renew).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are not renewed after the runner was closed', async () => {
    const store = new InMemorySessionService();
    const renew = jest.spyOn(store, 'renewRuns');
    const first = await start(store, 'model');
    const run = eventsOf(first.runner.run({ ...ADDRESS, message: 'Go.' }));
    await first.started;

    const closing = first.runner.close();
    await jest.advanceTimersByTimeAsync(1_000);
    await closing;
    await run;

    renew.mockClear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(renew).not.toHaveBeenCalled();
  });
});

/** A store that, once `isDead`, stores no renewal. */
class MortalHolds extends InMemorySessionService {
  isDead = false;

  override renewRuns(runs: readonly HeldRun[]): Promise<readonly RenewedHold[]> {
    return this.isDead ? Promise.resolve(runs.map(() => 'held')) : super.renewRuns(runs);
  }
}

/** A runner whose model, or whose tool, works until `finish` is called. */
async function start(store: SessionService, slow: 'model' | 'tool') {
  let finish: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const started = new Promise<void>((resolve) => (begin = resolve));
  const work = { ran: 0, signal: undefined as AbortSignal | undefined };
  const think: ScriptedStep = async () => {
    begin();
    await finished;
    return says('Done.');
  };
  const tool = new FunctionTool({
    name: 'work',
    description: '',
    effect: 'write',
    idempotent: true,
    timeout: Infinity,
    run: (_args, context) => {
      work.ran++;
      work.signal = context.signal;
      begin();
      return finished;
    },
  });
  const steps =
    slow === 'model' ? Array.from({ length: 5 }, () => think) : [callsTool('work', {}), says('Done.')];
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
    model: new ScriptedModel(...steps),
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))],
  });
  opened.push(runner);
  return {
    runner,
    started,
    finish,
    get ran() {
      return work.ran;
    },
    get signal() {
      return work.signal;
    },
  };
}

async function runnerOf(
  store: SessionService,
  steps: readonly ScriptedStep[],
  config: RunConfig = {},
): Promise<Runner> {
  const tool = new FunctionTool({ name: 'work', description: '', run: () => 'ok' });
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
    model: new ScriptedModel(...steps),
    config,
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))],
  });
  opened.push(runner);
  return runner;
}

async function textsOf(store: SessionService): Promise<string[]> {
  const { events = [] } = (await store.getSession(KEY)) ?? {};
  return events.map(({ text }) => text).filter((text) => text !== '');
}
