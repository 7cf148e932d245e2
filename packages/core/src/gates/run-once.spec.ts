import { callsTool, callsTools, eventsOf, ManualClock, says, ScriptedModel } from '@adorn/testing';

import { EffectLedger, type FunctionToolFields, InMemoryEffectLedger } from '../backend.js';
import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  type Runner,
  SessionService,
  StaticToolset,
  ToolError,
  withOptions,
  withPrefix,
} from '../index.js';
import { CALL, crashed, address as CRASHED } from './crashed-session.fixture.js';
import type { ToolResponse } from './tool-call.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const BEFORE = { at: expect.any(String) as string, by: 'ada' };

const one = (): number => 1;

/** What was paid, and how often. */
class Till {
  readonly paid: unknown[] = [];
}

interface Scene {
  readonly fields?: Partial<FunctionToolFields>;
  readonly ledger?: EffectLedger;
  readonly clock?: Clock;
  readonly till?: Till;
}

const runners: Runner[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
});

async function deskOf(scene: Scene, ...calls: readonly Record<string, unknown>[]) {
  const { fields, ledger, clock, till = new Till() } = scene;
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays an order.',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    effect: 'write',
    once: ({ order }) => ({ order: order as string }),
    run: (args) => {
      till.paid.push(args);
      return { receipt: till.paid.length };
    },
    ...fields,
  });
  const steps = calls.flatMap((args) => [callsTool('pay', args), says('Done.')]);
  const Desk = defineAgent({ name: 'desk', model: new ScriptedModel(...steps), tools: [pay] });
  const bound = new ContainerModule(({ bind }) => {
    if (ledger) bind(EffectLedger).toConstantValue(ledger);
    if (clock) bind(Clock).toConstantValue(clock);
  });
  const runner = await createRunner(Desk, { appName: 'shop', modules: [bound] });
  runners.push(runner);
  return { runner, till };
}

async function responseTo(runner: Runner, where = ADA): Promise<ToolResponse> {
  const events = await eventsOf(runner.run({ ...where, message: 'Pay.' }));
  return responsesIn(events)[0] ?? {};
}

function responsesIn(events: Awaited<ReturnType<typeof eventsOf>>): ToolResponse[] {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response ?? {}));
}

describe('a call of a tool with once', () => {
  it('has its effect once over two turns, and the second gets the first result with when and by whom', async () => {
    const { runner, till } = await deskOf({}, { order: 'A1' }, { order: 'A1' });

    expect(await responseTo(runner)).toEqual({ receipt: 1 });
    expect(await responseTo(runner)).toEqual({ receipt: 1, doneBefore: BEFORE });
    expect(till.paid).toEqual([{ order: 'A1' }]);
  });

  it('has another effect for another key', async () => {
    const { runner, till } = await deskOf({}, { order: 'A1' }, { order: 'A2' });

    await responseTo(runner);
    expect(await responseTo(runner)).toEqual({ receipt: 2 });
    expect(till.paid).toHaveLength(2);
  });

  it('has its effect once over sessions, users and runners that share a ledger', async () => {
    const ledger = new InMemoryEffectLedger();
    const till = new Till();
    const [one, other] = [
      await deskOf({ ledger, till }, { order: 'A1' }, { order: 'A1' }),
      await deskOf({ ledger, till }, { order: 'A1' }),
    ];

    await responseTo(one.runner);
    expect(await responseTo(one.runner, { ...ADA, sessionId: 's2' })).toMatchObject({ doneBefore: BEFORE });
    expect(await responseTo(other.runner, { userId: 'bob', sessionId: 's1' })).toMatchObject({
      doneBefore: BEFORE,
    });
    expect(till.paid).toHaveLength(1);
  });

  it('has its effect once where a model makes the call twice in one answer', async () => {
    const till = new Till();
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      parameters: { type: 'object', properties: {} },
      once: () => 'A1',
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        till.paid.push('A1');
        return { receipt: till.paid.length };
      },
    });
    const model = new ScriptedModel(callsTools({ name: 'pay' }, { name: 'pay' }), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'desk', model, tools: [pay] }));

    const responses = responsesIn(await eventsOf(runner.run({ ...ADA, message: 'Pay.' })));

    expect(till.paid).toHaveLength(1);
    expect(responses).toEqual([{ receipt: 1 }, { receipt: 1, doneBefore: BEFORE }]);
  });

  it('has an effect of its own under another prefix, where another tool may have the same name', async () => {
    const till = new Till();
    const once = () => 'A1';
    const of = (prefix: string) =>
      withPrefix(new StaticToolset([withOptions(plainPay(till), { once })]), prefix);
    const model = new ScriptedModel(callsTool('hotel_pay'), callsTool('flight_pay'), says('Done.'));
    const Desk = defineAgent({ name: 'desk', model, tools: [of('hotel'), of('flight')] });
    await using runner = await createRunner(Desk);

    await eventsOf(runner.run({ ...ADA, message: 'Pay.' }));

    expect(till.paid).toHaveLength(2);
  });

  it.each([
    ['session', { ...ADA, sessionId: 's2' }],
    ['user', { userId: 'bob', sessionId: 's1' }],
  ] as const)('has its effect again in another %s, if that is its scope', async (scope, other) => {
    const key = () => 'A1';
    const { runner, till } = await deskOf({ fields: { once: { key, scope } } }, {}, {}, {});

    await responseTo(runner);
    expect(await responseTo(runner)).toMatchObject({ doneBefore: BEFORE });
    expect(await responseTo(runner, other)).toEqual({ receipt: 2 });
    expect(till.paid).toHaveLength(2);
  });

  it('has its effect again after ttlMs', async () => {
    const clock = new ManualClock();
    const { runner } = await deskOf(
      { clock, fields: { once: { key: () => 'A1', ttlMs: 60_000 } } },
      {},
      {},
      {},
    );

    await responseTo(runner);
    await clock.advance(59_000);
    expect(await responseTo(runner)).toMatchObject({ doneBefore: BEFORE });
    await clock.advance(2_000);
    expect(await responseTo(runner)).toEqual({ receipt: 2 });
  });

  it('has its effect each time if its key is undefined', async () => {
    const { runner, till } = await deskOf({ fields: { once: () => undefined } }, {}, {});

    await responseTo(runner);
    await responseTo(runner);

    expect(till.paid).toHaveLength(2);
  });

  it('gives its tool one idempotency key for all calls that are for the effect', async () => {
    const keys: string[] = [];
    const run: FunctionToolFields['run'] = (_args, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      throw new ToolError('No funds.');
    };
    const { runner } = await deskOf({ fields: { run } }, { order: 'A1' }, { order: 'A1' }, { order: 'A2' });

    for (let turn = 0; turn < 3; turn++) await responseTo(runner);

    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[0]).toMatch(/^[\w-]{43}$/);
  });

  it('is free again if the tool says that it failed', async () => {
    let isDown = true;
    const run = () => {
      if (isDown) throw new ToolError('The bank is closed.');
      return 'paid';
    };
    const { runner } = await deskOf({ fields: { run } }, { order: 'A1' }, { order: 'A1' });

    expect(await responseTo(runner)).toMatchObject({ error: 'The bank is closed.' });
    isDown = false;
    expect(await responseTo(runner)).toEqual({ result: 'paid' });
  });

  describe('whose outcome is unknown', () => {
    const fails = () => {
      throw new Error('socket hang up');
    };

    it('is not repeated: a later call is told so, and does nothing', async () => {
      const { runner } = await deskOf({ fields: { run: fails } }, { order: 'A1' }, { order: 'A1' });

      await responseTo(runner);
      const response = await responseTo(runner);

      expect(response).toMatchObject({ outcome: 'unknown' });
      expect(response['error']).toMatch(
        /^outcome unknown: a call of "pay" for the same effect began at 20.+ \(by ada\)/,
      );
    });

    it.each([
      ['took effect: the later call gets what reconcile finds', 'paid before', 1],
      ['took none: the later call has the effect', undefined, 2],
    ])('%s', async (_what, found, runs) => {
      const till = new Till();
      const run = () => {
        till.paid.push('A1');
        if (till.paid.length === 1) throw new Error('socket hang up');
        return 'paid';
      };
      const call = { order: 'A1' };
      const { runner } = await deskOf({ fields: { run, reconcile: () => found } }, call, call, call);

      await responseTo(runner);
      const response = await responseTo(runner);

      expect(till.paid).toHaveLength(runs);
      expect(response).toMatchObject(
        found === undefined ? { result: 'paid' } : { result: found, doneBefore: BEFORE },
      );
      expect(await responseTo(runner)).toMatchObject({ doneBefore: BEFORE });
    });

    it('runs again if the tool is idempotent', async () => {
      let runs = 0;
      const run = () => {
        if (++runs === 1) throw new Error('socket hang up');
        return 'paid';
      };
      const { runner } = await deskOf(
        { fields: { run, idempotent: true } },
        { order: 'A1' },
        { order: 'A1' },
      );

      await responseTo(runner);
      expect(await responseTo(runner)).toEqual({ result: 'paid' });
    });

    it('is waited for as long as the tool may run, which the run may say, and then told of', async () => {
      const clock = new ManualClock();
      const ledger = new InMemoryEffectLedger();
      const { runner, till } = await deskOf({ ledger, clock }, { order: 'A1' });
      const other = jest.spyOn(ledger, 'claim').mockImplementationOnce(async (address, claim) => {
        await ledger.claim(address, { ...claim, id: 'of another process', by: 'eve', until: claim.at + 60 });
        return ledger.claim(address, claim);
      });

      const running = eventsOf(runner.run({ ...ADA, message: 'Pay.', config: { toolTimeout: 1_000 } }));
      await waitFor(() => other.mock.calls.length >= 3 && clock.waiting > 0);
      await clock.advance(1_200);

      expect(responsesIn(await running)[0]).toMatchObject({ outcome: 'unknown' });
      expect(till.paid).toEqual([]);
    });

    it('is waited for while the other call is known to run, and settled when its claim has lapsed', async () => {
      const clock = new ManualClock();
      const ledger = new InMemoryEffectLedger();
      const { runner, till } = await deskOf(
        { ledger, clock, fields: { reconcile: () => undefined } },
        { order: 'A1' },
      );
      const dead = jest.spyOn(ledger, 'claim').mockImplementationOnce(async (address, claim) => {
        await ledger.claim(address, { ...claim, id: 'of a dead process', by: 'eve' });
        return ledger.claim(address, claim);
      });

      const answering = responseTo(runner);
      await waitFor(() => dead.mock.calls.length >= 3 && clock.waiting > 0);
      expect(till.paid).toHaveLength(0);
      await clock.advance(31_000);

      expect(await answering).toEqual({ receipt: 1 });
    });
  });

  it('is known to be under way while its tool still runs, although its time was over, and ends with the result', async () => {
    const till = new Till();
    const ends: (() => void)[] = [];
    const run = async () => {
      till.paid.push('A1');
      await new Promise<void>((resolve) => ends.push(resolve));
      return 'paid late';
    };
    const fields = { run, timeout: 20, reconcile: () => undefined };
    const { runner } = await deskOf({ fields }, { order: 'A1' }, { order: 'A1' }, { order: 'A1' });

    expect(await responseTo(runner)).toMatchObject({ outcome: 'unknown' });
    expect(await responseTo(runner)).toMatchObject({ outcome: 'unknown' });
    expect(till.paid).toHaveLength(1);
    for (const end of ends) end();
    expect(await responseTo(runner)).toEqual({ result: 'paid late', doneBefore: BEFORE });
    expect(till.paid).toHaveLength(1);
  });

  it('is free again if the run was cancelled while the effect was claimed', async () => {
    const ledger = new InMemoryEffectLedger();
    const { runner, till } = await deskOf({ ledger }, { order: 'A1' });
    const cancelling = new AbortController();
    const claim = ledger.claim.bind(ledger);
    let claimed: Promise<unknown> | undefined;
    jest.spyOn(ledger, 'claim').mockImplementationOnce((...asked) => {
      const claiming = claim(...asked).then(async (entry) => {
        cancelling.abort();
        await new Promise((resolve) => setImmediate(resolve));
        return entry;
      });
      claimed = claiming;
      return claiming;
    });

    await runner.run({ ...ADA, message: 'Pay.', signal: cancelling.signal }).then(
      () => undefined,
      () => undefined,
    );
    await claimed;
    await new Promise((resolve) => setImmediate(resolve));

    const [address, first] = (ledger.claim as jest.Mock).mock.calls[0] as Parameters<EffectLedger['claim']>;
    expect(till.paid).toEqual([]);
    expect(await claim(address, { ...first, id: 'of a later call' })).toMatchObject({ isNew: true });
  });

  it('tells a later call nothing of a handle: the effect has not ended', async () => {
    const run: FunctionToolFields['run'] = (_args, context) => {
      context.longRunning = true;
      return { ticket: 1 };
    };
    const ledger = new InMemoryEffectLedger();
    const [one, other] = [
      await deskOf({ ledger, fields: { run } }, { order: 'A1' }),
      await deskOf({ ledger, fields: { run } }, { order: 'A1' }),
    ];

    expect(await responseTo(one.runner)).toEqual({ ticket: 1 });
    expect(await responseTo(other.runner)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    ['a text that is empty', ''],
    ['an object without keys', {}],
    ['an object with a value that is undefined', { order: undefined }],
    ['an object with a value that is null', { order: null }],
    ['a list with nothing in it', []],
    ['a number that is none', NaN],
    ['a whole number that was rounded', 2 ** 53],
    ['null', null],
    ['a list with a hole', new Array<number>(2)],
    ['a value that is no JSON', { order: new Map() }],
    ['a function', () => 1],
  ])('is refused where its key is %s: it would be the key of other effects too', async (_what, key) => {
    const { runner, till } = await deskOf({ fields: { once: () => key as string } }, {});

    expect(await responseTo(runner)).toEqual({
      error: expect.stringContaining('OnceKeyInvalidError') as string,
    });
    expect(till.paid).toEqual([]);
  });

  it('does not run if the ledger cannot be asked', async () => {
    const ledger = new InMemoryEffectLedger();
    jest.spyOn(ledger, 'claim').mockRejectedValue(new Error('no database'));
    const { runner, till } = await deskOf({ ledger }, { order: 'A1' });

    expect(await responseTo(runner)).toHaveProperty('error');
    expect(till.paid).toEqual([]);
  });

  it.each([
    ['the effect is "read"', { effect: 'read' }],
    ['the tool is longRunning', { longRunning: true }],
    ['key is missing', { once: {} }],
    ['scope is "everywhere"', { once: { key: one, scope: 'everywhere' } }],
    ['ttlMs is -1', { once: { key: one, ttlMs: -1 } }],
    ['once is "order"', { once: 'order' }],
  ])('is refused when it is made: %s', (fault, fields) => {
    expect(
      () =>
        new FunctionTool({
          name: 'pay',
          description: 'Pays.',
          once: () => 1,
          run: () => 1,
          ...fields,
        } as never),
    ).toThrow(
      expect.objectContaining({
        code: 'TOOL_CONFIG_INVALID',
        message: expect.stringContaining(fault) as string,
      }) as Error,
    );
  });

  it('can be given to a tool that another package made', async () => {
    const till = new Till();
    const model = new ScriptedModel(callsTool('pay'), callsTool('pay'), says('Done.'));
    const tools = [withOptions(plainPay(till), { once: () => 'A1' })];
    await using runner = await createRunner(defineAgent({ name: 'desk', model, tools }));

    await eventsOf(runner.run({ ...ADA, message: 'Pay.' }));

    expect(till.paid).toEqual(['A1']);
  });
});

describe('an interrupted call of a tool with once', () => {
  it.each([
    ['the tool cannot tell', {}, expect.objectContaining({ outcome: 'unknown' }), 0],
    ['reconcile finds a result', { reconcile: () => 'found' }, { result: 'found' }, 0],
    ['reconcile finds none', { reconcile: () => undefined }, { receipt: 1 }, 1],
    ['it is idempotent', { idempotent: true }, { receipt: 1 }, 1],
  ])('without a key is settled as a call without once: %s', async (_what, fields, expected, runs) => {
    const { response, paid } = await recoveredCall({ once: () => undefined, ...fields });

    expect(response).toEqual(expected);
    expect(paid).toBe(runs);
  });

  it('finds its own claim after ttlMs, and does not run again', async () => {
    const ledger = new InMemoryEffectLedger();
    const claim = ledger.claim.bind(ledger);
    jest.spyOn(ledger, 'claim').mockImplementationOnce(async (address, asked) => {
      await claim(address, { ...asked, until: asked.at - 60, expiresAt: asked.at - 30 });
      return claim(address, asked);
    });

    const { response, paid } = await recoveredCall({ once: { key: () => 'A1', ttlMs: 1_000 } }, ledger);

    expect(response).toMatchObject({ outcome: 'unknown' });
    expect(paid).toBe(0);
  });

  it.each([
    ['has ended: its result is in the ledger, and the tool does not run', 'done', { receipt: 7 }, 0],
    ['was under way: its outcome is unknown', 'open', expect.objectContaining({ outcome: 'unknown' }), 0],
    ['had not begun: it runs', 'absent', { receipt: 1 }, 1],
  ])('that %s', async (_what, state, expected, runs) => {
    const ledger = new InMemoryEffectLedger();
    const till = new Till();
    const seen: Parameters<EffectLedger['claim']>[] = [];
    jest.spyOn(ledger, 'claim').mockImplementationOnce(async (address, claim) => {
      seen.push([address, claim]);
      const real = InMemoryEffectLedger.prototype.claim.bind(ledger);
      if (state !== 'absent') await real(address, claim);
      if (state === 'done')
        await ledger.complete(address, claim.id, { result: { receipt: 7 }, at: claim.at });
      return real(address, claim);
    });
    const store = await crashed(CALL);
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      effect: 'write',
      once: () => 'A1',
      run: () => ({ receipt: till.paid.push(1) }),
    });
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(SessionService).toConstantValue(store);
        bind(EffectLedger).toConstantValue(ledger);
      }),
    ];
    const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(says('Done.')), tools: [pay] });
    await using runner = await createRunner(Clerk, { appName: 'clerk', modules });

    const events = await eventsOf(runner.resume({ ...CRASHED }));

    expect(responsesIn(events)[0]).toEqual(expected);
    expect(till.paid).toHaveLength(runs);
  });
});

/** Resumes the run of a process that died after its call was stored. */
async function recoveredCall(fields: Partial<FunctionToolFields>, ledger?: EffectLedger) {
  const store = await crashed(CALL);
  let paid = 0;
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    run: () => ({ receipt: ++paid }),
    ...fields,
  });
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
      if (ledger) bind(EffectLedger).toConstantValue(ledger);
    }),
  ];
  const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(says('Done.')), tools: [pay] });
  await using runner = await createRunner(Clerk, { appName: 'clerk', modules });
  const events = await eventsOf(runner.resume({ ...CRASHED }));
  return { response: responsesIn(events)[0], paid };
}

function plainPay(till: Till): FunctionTool {
  return new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    run: () => {
      till.paid.push('A1');
      return 'paid';
    },
  });
}

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
