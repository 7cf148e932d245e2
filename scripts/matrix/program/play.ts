import { callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { ContainerModule, createRunner } from 'adorn';

import { Ledger } from './ledger.js';
import { Shop } from './shop.agent.js';

/** Plays one conversation, and tells what the model was offered, what the methods got and what was answered. */
export async function play(): Promise<object> {
  const model = new ScriptedModel(
    callsTools(
      { name: 'list_orders', args: { status: 'shipped', since: '2026-01-02T03:04:05.000Z' } },
      {
        name: 'send_parcel',
        args: {
          parcel: { lines: [{ sku: 'A-17', count: 2 }] },
          address: { street: '1 Loop', country: 'NO' },
        },
      },
      { name: 'label_orders', args: { label: 'rush', ids: ['A', 'B'] } },
      { name: 'list_orders', args: { status: 'lost', since: 'yesterday' } },
    ),
    callsTools(
      { name: 'count_entries', args: {} },
      { name: 'weigh_parcel', args: { parcel: { lines: [{ sku: 'A-17', count: 3 }] } } },
      { name: 'quote_delivery', args: { country: 'NO', by: '2026-01-02T03:04:05.000Z' } },
    ),
    says('Done.'),
  );
  const ledger = new Ledger();
  const modules = [new ContainerModule(({ bind }) => void bind(Ledger).toConstantValue(ledger))];
  const runner = await createRunner(Shop, { model, modules });
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go.' }));
  await runner.close();
  model.assertDone();
  return {
    declarations: model.requests[0]?.config.tools,
    received: ledger.entries.map((entry) => JSON.stringify(entry)).sort(),
    answers: events.flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => answerOf(response)),
    ),
  };
}

/** What is said of wrong arguments is another matter than that they were refused. */
function answerOf(response: object | undefined): unknown {
  return response !== undefined && 'error' in response ? 'refused' : response;
}
