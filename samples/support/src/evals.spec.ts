import { fileURLToPath } from 'node:url';

import {
  compareReports,
  type EvalReport,
  type EvalSet,
  evaluate,
  readEvalSet,
  responseMatch,
} from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { ContainerModule, createRunner, type ToolContext } from 'adorn';

import { refundUnderKills } from './double-refund.js';
import { OrderAccess } from './order-access.js';
import { Payments } from './shop/payments.js';
import { ShopDatabase } from './shop/shop-database.js';
import { Support } from './support.agent.js';

it('passes its eval set with the offline model', async () => {
  await using runner = await createRunner(Support, { model: new OfflineModel() });
  const set = await readEvalSet(fileURLToPath(new URL('../evals/orders.evalset.json', import.meta.url)));

  const report = await evaluate(runner, set);

  report.assertPassed();
  expect(report.count('passed')).toBe(2);
});

it('makes a refund once, wherever its process dies', async () => {
  const report = await refundUnderKills(22);

  report.assertPassed();
  expect(report.count('passed')).toBe(22);
}, 120_000);

it('fails the gates of a refund whose payment provider does not know its key', async () => {
  class Forgetful extends Payments {
    override hasPaid(): boolean {
      return false;
    }

    override payBack(payment: Parameters<Payments['payBack']>[0]): boolean {
      return super.payBack({ ...payment, key: `${payment.key} ${String(this.count)}` });
    }
  }
  const forgetful = new ContainerModule(({ bind }) => {
    bind(Payments).to(Forgetful).inSingletonScope();
  });

  const report = await refundUnderKills(22, () =>
    createRunner(Support, { model: new OfflineModel(), modules: [forgetful] }),
  );

  // The run whose process dies between the payment and the response.
  expect([report.count('failed'), report.failedGates]).toEqual([1, ['one_payment']]);
}, 120_000);

it('finds the version that knows only the newest orders of a customer, with a p value', async () => {
  class NewestOrders extends OrderAccess {
    override list(context: ToolContext): ReturnType<OrderAccess['list']> {
      const found = super.list(context);
      return found.status === 'ok' ? { ...found, orders: found.orders.slice(0, 2) } : found;
    }
  }
  const set = parcels(60);

  const before = await played(set, OrderAccess);
  const after = await played(set, NewestOrders);
  const { pairs, verdict, differences } = compareReports(before, after);

  expect([before.status, pairs, verdict]).toEqual(['passed', 60, 'worse']);
  expect(differences[0]).toMatchObject({ name: 'passed', before: 1, verdict: 'worse' });
  expect(differences[0]?.pValue).toBeLessThan(0.001);
  expect(compareReports(before, await played(set, OrderAccess)).verdict).toBe('unclear');
}, 240_000);

/** Customers who ask for parcels of theirs, of every age: cases made of the shop's records. */
function parcels(count: number): EvalSet {
  const { orders, customers, shipments } = new ShopDatabase();
  const evalCases = shipments.slice(0, count).map(({ orderId, carrier, lastSeen }) => {
    const owner = orders.find(({ id }) => id === orderId)?.customerId;
    const customer = customers.find(({ id }) => id === owner);
    const who = `I am ${String(customer?.email)}, postcode ${String(customer?.address.postcode)}`;
    const says = (text: string) => ({ userContent: { role: 'user', parts: [{ text }] } });
    const finalResponse = { role: 'model', parts: [{ text: `${carrier} ${lastSeen}` }] };
    return {
      evalId: orderId,
      conversation: [says(who), { ...says(`Where is ${orderId}?`), finalResponse }],
    };
  });
  return { evalSetId: 'parcels', evalCases };
}

async function played(set: EvalSet, access: typeof OrderAccess): Promise<EvalReport> {
  const version = new ContainerModule(({ bind }) => {
    bind(OrderAccess).to(access).inSingletonScope();
  });
  await using runner = await createRunner(Support, { model: new OfflineModel(), modules: [version] });
  return await evaluate(runner, set, { metrics: [responseMatch({ threshold: 1 })] });
}
