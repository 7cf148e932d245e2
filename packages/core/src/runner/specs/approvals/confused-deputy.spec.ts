import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { AgentOptions } from '../../../backend.js';
import { createRunner, defineAgent, FunctionTool, type PendingRequest, type Runner } from '../../../index.js';

describe('S14 an agent that another agent talks into something', () => {
  it('cannot call the tool of another agent, with or without having been that agent before', async () => {
    const { runner, ran } = await start(
      callsTool('pay'),
      transferTo('billing'),
      transferTo('front'),
      callsTool('pay'),
      says('Well.'),
    );

    const events = await say(runner, 'Pay.');

    expect(ran).toEqual([]);
    const answers = events.flatMap(({ functionResponses }) => functionResponses);
    expect(answers.filter(({ name }) => name === 'pay')).toMatchObject([
      { response: { error: expect.stringContaining('"pay"') as string } },
      { response: { error: expect.stringContaining('"pay"') as string } },
    ]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each(['Billing', 'BILLING', 'billing ', 'bіlling', 'ｂilling', 'billing\u200B', '__proto__', ''])(
    'does not hand over to an agent under the look-alike name %j',
    async (name) => {
      const { runner } = await start(transferTo(name), says('Well.'));

      const events = await say(runner, 'My bill.');

      expect(events.map(({ author }) => author)).not.toContain('billing');
      expect(events.some(({ actions }) => actions.transferToAgent !== undefined)).toBe(false);
    },
  );

  it.each<[string, Partial<AgentOptions>, readonly string[]]>([
    ['its parent', { disallowTransferToParent: true }, ['billing', 'shop']],
    ['a sibling', { disallowTransferToPeers: true }, ['billing', 'front']],
  ])('does not hand over to %s where it may not', async (_whom, options, reached) => {
    const authors: string[] = [];
    for (const name of ['shop', 'front']) {
      const { runner } = await startWith(options, transferTo('billing'), transferTo(name), says('Well.'));
      authors.push(...(await say(runner, 'My bill.')).slice(2).map(({ author }) => author));
    }

    expect([...new Set(authors)].sort()).toEqual(reached);
  });

  it('runs nothing under an approval that was given for a tool of the same name of another agent', async () => {
    const { runner, ran } = await start(
      transferTo('billing'),
      callsTool('pay'),
      says('Paid.'),
      transferTo('shop'),
      callsTool('pay'),
      says('never'),
    );
    await say(runner, 'Pay.');
    await eventsOf(runner.approve(await only(runner), { remember: 'session' }));
    expect(ran).toEqual(['billing']);

    await say(runner, 'Pay the shop.');

    expect(ran).toEqual(['billing']);
    expect(await only(runner)).toMatchObject({ tool: 'pay', hint: 'Pay from the shop?' });
  });

  it("is not given the credential of another agent's tool", async () => {
    const { runner, ran } = await start(
      transferTo('billing'),
      callsTool('look_up'),
      says('Found.'),
      transferTo('shop'),
      callsTool('look_up'),
      says('never'),
    );
    await say(runner, 'Look it up.');
    await eventsOf(runner.supply(await only(runner), { type: 'apiKey', apiKey: 'key of billing' }));
    expect(ran).toEqual(['billing with key of billing']);

    await say(runner, 'Look it up in the shop.');

    expect(ran).toEqual(['billing with key of billing']);
    expect(await only(runner)).toMatchObject({ kind: 'credential', tool: 'look_up' });
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function transferTo(name: string) {
  return callsTool('transfer_to_agent', { agent_name: name });
}

function start(...steps: readonly ScriptedStep[]) {
  return startWith({}, ...steps);
}

/** @param billingOptions of the agent `billing` */
async function startWith(billingOptions: Partial<AgentOptions>, ...steps: readonly ScriptedStep[]) {
  const ran: string[] = [];
  const pay = (agent: string, confirm: string) =>
    new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      parameters: { type: 'object' },
      confirm,
      run: () => ran.push(agent),
    });
  const lookUp = (agent: string) =>
    new FunctionTool({
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'object' },
      auth: { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: agent },
      run: (_args, { credential }) =>
        ran.push(`${agent} with ${credential?.type === 'apiKey' ? credential.apiKey : 'nothing'}`),
    });
  const Billing = defineAgent({
    name: 'billing',
    description: 'Bills.',
    ...billingOptions,
    tools: [pay('billing', 'Pay the bill?'), lookUp('billing')],
  });
  const Shop = defineAgent({
    name: 'shop',
    description: 'Sells.',
    tools: [pay('shop', 'Pay from the shop?'), lookUp('shop')],
  });
  const Front = defineAgent({ name: 'front', description: 'Talks.', subAgents: [Billing, Shop] });
  return { ran, runner: await createRunner(Front, { model: new ScriptedModel(...steps) }) };
}

function say(runner: Runner, message: string) {
  return eventsOf(runner.run({ ...address, message }));
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}
