import { callsTool, eventsOf, ManualClock, says, ScriptedModel } from '@adorn/testing';

import {
  EffectLedger,
  InMemoryEffectLedger,
  type SettleOptions,
  type Settlement,
  settlementIn,
} from '../../backend.js';
import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '../../index.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const BOB = { userId: 'bob', sessionId: 's2' };
const MIA = { id: 'mia', roles: ['lead'] };
const PAID: SettleOptions = { by: MIA, happened: true, result: { receipt: 'R-7' } };
const UNPAID: SettleOptions = { by: MIA, happened: false, reason: 'The bank has no such payment.' };

/** Stops before a write, as a process that dies there. */
class MortalLedger extends InMemoryEffectLedger {
  isDead = false;

  override settle(...args: Parameters<InMemoryEffectLedger['settle']>): Promise<boolean> {
    return this.isDead ? Promise.reject(new Error('dead')) : super.settle(...args);
  }
}

class Shop {
  readonly clock = new ManualClock();
  readonly ledger = new MortalLedger();
  readonly sessions = new InMemorySessionService();
  readonly paid: unknown[] = [];
  breaks = true;

  /** A process of the shop. */
  async open(approvers: 'others' | { readonly role: string } = { role: 'lead' }): Promise<Runner> {
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays an order.',
      parameters: { type: 'object', properties: { order: { type: 'string' } } },
      effect: 'write',
      once: ({ order }) => ({ order: order as string }),
      approvers: () => approvers,
      confirm: false,
      run: (args) => {
        this.paid.push(args);
        if (this.breaks) throw new Error('the line broke');
        return { receipt: this.paid.length };
      },
    });
    const steps = Array.from({ length: 4 }, () => [callsTool('pay', { order: 'A1' }), says('Done.')]);
    const Desk = defineAgent({ name: 'desk', model: new ScriptedModel(...steps.flat()), tools: [pay] });
    const bound = new ContainerModule(({ bind }) => {
      bind(EffectLedger).toConstantValue(this.ledger);
      bind(SessionService).toConstantValue(this.sessions);
      bind(Clock).toConstantValue(this.clock);
    });
    const runner = await createRunner(Desk, { appName: 'shop', modules: [bound] });
    runners.push(runner);
    return runner;
  }

  async settlements(): Promise<readonly Settlement[]> {
    const session = await this.sessions.getSession({ appName: 'shop', ...ADA });
    return (session?.events ?? []).flatMap((event) => settlementIn(event) ?? []);
  }
}

const runners: Runner[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
});

async function responseTo(runner: Runner, where = ADA): Promise<unknown> {
  const events = await eventsOf(runner.run({ ...where, message: 'Pay.' }));
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response)).at(0);
}

/** A payment whose outcome nobody knows. */
async function broken(approvers?: Parameters<Shop['open']>[0]) {
  const shop = new Shop();
  const runner = await shop.open(approvers);
  await responseTo(runner);
  shop.breaks = false;
  const [effect = { id: '' }, ...others] = await runner.unknownEffects();
  expect(others).toEqual([]);
  return { shop, runner, effect };
}

describe('an effect of unknown outcome', () => {
  it('is listed with its call', async () => {
    const { effect } = await broken();

    expect(effect).toMatchObject({
      tool: 'pay',
      by: 'ada',
      call: { ...ADA, args: { order: 'A1' }, id: expect.any(String) as string },
    });
  });

  it('that has happened gives its result to later calls, and is told by the log with who said so', async () => {
    const { shop, runner, effect } = await broken();

    expect(await runner.settleEffect(effect, PAID)).toMatchObject({ by: { id: 'mia' }, happened: true });

    expect(await responseTo(runner, BOB)).toMatchObject({ receipt: 'R-7', doneBefore: { by: 'ada' } });
    expect(shop.paid).toHaveLength(1);
    expect(await runner.unknownEffects()).toEqual([]);
    const result = { receipt: 'R-7' };
    expect(await shop.settlements()).toMatchObject([{ by: MIA, happened: true, result, tool: 'pay' }]);
  });

  it('that has not happened is had by the next call', async () => {
    const { shop, runner, effect } = await broken();

    await runner.settleEffect(effect, UNPAID);

    expect(await responseTo(runner)).toEqual({ receipt: 2 });
    const reason = 'The bank has no such payment.';
    expect(await shop.settlements()).toMatchObject([{ by: MIA, happened: false, reason }]);
  });

  it.each<[string, SettleOptions['by'], Parameters<Shop['open']>[0]]>([
    ['a name without the role', 'mia', undefined],
    ['a principal without the role', { id: 'max', roles: ['clerk'] }, undefined],
    ['who asked, with the role', { id: 'ada', roles: ['lead'] }, undefined],
    ['who asked, where others have to approve', 'ada', 'others'],
  ])('is not settled by %s', async (_who, by, approvers) => {
    const { shop, runner, effect } = await broken(approvers);

    await expect(runner.settleEffect(effect, { ...PAID, by })).rejects.toMatchObject({
      code: 'APPROVER_NOT_ALLOWED',
    });

    expect(await shop.settlements()).toEqual([]);
    expect(await runner.unknownEffects()).toEqual([effect]);
  });

  it('is settled by one of two who say something else at the same time, in two processes, and the other is told', async () => {
    const { shop, runner, effect } = await broken();
    const other = await shop.open();

    const outcomes = await Promise.allSettled([
      runner.settleEffect(effect, PAID),
      other.settleEffect(effect, { ...UNPAID, by: { id: 'max', roles: ['lead'] } }),
    ]);

    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toMatchObject([
      { code: 'EFFECT_NOT_OPEN', message: expect.stringContaining('first') as string },
    ]);
    const [first] = await shop.settlements();
    expect(await responseTo(runner)).toMatchObject(
      first?.happened === true ? { receipt: 'R-7' } : { receipt: 2 },
    );
  });

  it('stays open if the process dies behind the word, which holds once somebody says it again or something else', async () => {
    const { shop, runner, effect } = await broken();
    shop.ledger.isDead = true;
    await expect(runner.settleEffect(effect, PAID)).rejects.toThrow('dead');
    shop.ledger.isDead = false;
    const next = await shop.open();
    await next.recover();
    expect(await next.unknownEffects()).toEqual([effect]);

    await expect(
      next.settleEffect(effect, { ...UNPAID, by: { id: 'max', roles: ['lead'] } }),
    ).rejects.toMatchObject({ code: 'EFFECT_NOT_OPEN', message: expect.stringContaining('mia') as string });

    expect(await responseTo(next)).toMatchObject({ receipt: 'R-7' });
    expect(await shop.settlements()).toHaveLength(1);
  });

  it('is settled once by who says the same again after a death', async () => {
    const { shop, runner, effect } = await broken();
    shop.ledger.isDead = true;
    await expect(runner.settleEffect(effect, PAID)).rejects.toThrow('dead');
    shop.ledger.isDead = false;

    expect(await runner.settleEffect(effect, PAID)).toMatchObject({ happened: true });
    expect(await shop.settlements()).toHaveLength(1);
    await expect(runner.settleEffect(effect, PAID)).rejects.toMatchObject({ code: 'EFFECT_NOT_OPEN' });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['nobody', { happened: false }],
    ['null for who says so', { ...UNPAID, by: null }],
    ['no verdict', { by: MIA }],
    ['no result', { by: MIA, happened: true }],
    ['a result that is no JSON', { ...PAID, result: () => 1 }],
    ['a result of what did not happen', { ...UNPAID, result: 1 }],
    ['a misspelt option', { ...PAID, reasons: 'x' }],
  ])('is not settled by %s', async (_what, options) => {
    const { shop, runner, effect } = await broken();

    await expect(runner.settleEffect(effect, options as SettleOptions)).rejects.toMatchObject({
      code: expect.stringMatching(/^(OPTION|PRINCIPAL)_INVALID$/) as string,
    });
    expect(await shop.settlements()).toEqual([]);
  });

  it('is none after its conversation was copied, and the copy settles nothing', async () => {
    const { runner, effect, shop } = await broken();
    await runner.settleEffect(effect, UNPAID);

    const copy = await runner.fork({ ...ADA });

    const session = await shop.sessions.getSession(copy);
    expect((session?.events ?? []).flatMap((event) => settlementIn(event) ?? [])).toEqual([]);
  });
});
