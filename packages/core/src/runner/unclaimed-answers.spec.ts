import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '../index.js';

describe('an answer to a call whose agent is gone', () => {
  it('has the call answered under the name of that agent, behind what the root says', async () => {
    const store = new InMemorySessionService();
    const before = await start(
      store,
      true,
      callsTool('transfer_to_agent', { agent_name: 'billing' }),
      callsTool('refund', {}, 'c1'),
    );
    await eventsOf(before.runner.run({ sessionId: 's1', message: 'Refund.' }));
    const [request] = await before.runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');
    const after = await start(store, false, says('Billing is closed.'), says('Hello.'));

    const events = await eventsOf(after.runner.approve(request));

    expect(events.map(({ author, text, content }) => [author, text || content?.parts])).toEqual([
      ['desk', 'Billing is closed.'],
      ['billing', [{ functionResponse: { id: 'c1', name: 'refund', response: NOT_RUN } }]],
    ]);
    expect(before.ran).toEqual([]);
    expect((await storedEvents(store)).at(-1)?.functionResponses).toHaveLength(1);
    const next = await eventsOf(after.runner.run({ sessionId: 's1', message: 'Hello?' }));
    expect(next.map(({ text }) => text)).toEqual(['Hello.']);
  });
});

const NOT_RUN = { error: 'The call was not run: the agent that made it did not continue.' };

async function start(
  store: SessionService,
  hasBilling: boolean,
  ...steps: readonly ScriptedStep[]
): Promise<{ runner: Runner; ran: string[] }> {
  const ran: string[] = [];
  const refund = new FunctionTool({
    name: 'refund',
    description: '',
    confirm: true,
    run: () => ran.push('refund'),
  });
  const Billing = defineAgent({ name: 'billing', tools: [refund] });
  const Desk = defineAgent({ name: 'desk', subAgents: hasBilling ? [Billing] : [] });
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  return { ran, runner: await createRunner(Desk, { model: new ScriptedModel(...steps), modules }) };
}

async function storedEvents(store: SessionService): Promise<readonly Event[]> {
  return (await store.getSession({ appName: 'desk', userId: 'user', sessionId: 's1' }))?.events ?? [];
}
