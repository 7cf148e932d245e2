import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { LlmAgentNode } from '../../../backend.js';
import {
  agent,
  ConsoleLogger,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  Plugin,
  type Runner,
  SequentialAgent,
} from '../../../index.js';

describe('a hand-over', () => {
  it('lets the other agent answer in the same run', async () => {
    const { runner, model } = await start(transfer('billing'), says('Billing speaks.'));

    const events = await say(runner, 'My bill is wrong.');

    expect(events.map(({ author, text, actions }) => [author, text, actions.transferToAgent])).toEqual([
      ['front', '', undefined],
      ['front', '', 'billing'],
      ['billing', 'Billing speaks.', undefined],
    ]);
    expect(new Set(events.map(({ invocationId }) => invocationId)).size).toBe(1);
    expect(events[1]?.functionResponses.map(({ response }) => response)).toEqual([
      { status: 'transferred', agent: 'billing' },
    ]);
    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'My bill is wrong.' }] },
      {
        role: 'user',
        parts: [
          { text: 'For context:' },
          { text: '[front] called tool `transfer_to_agent` with {"agent_name":"billing"}' },
        ],
      },
      {
        role: 'user',
        parts: [
          { text: 'For context:' },
          { text: '[front] tool `transfer_to_agent` returned {"status":"transferred","agent":"billing"}' },
        ],
      },
    ]);
  });

  it('lasts: the next message goes to the agent that spoke last', async () => {
    const { runner } = await start(transfer('billing'), says('Billing speaks.'), says('Billing again.'));
    await say(runner, 'My bill is wrong.');

    expect((await say(runner, 'Still wrong.')).map(({ author, text }) => [author, text])).toEqual([
      ['billing', 'Billing again.'],
    ]);
  });

  it('lasts where a callback of the agent that handed over speaks last', async () => {
    @agent({ name: 'billing', description: '' })
    class Billing extends LlmAgent {}
    @agent({ name: 'front', description: '', subAgents: [Billing] })
    class Front extends LlmAgent {
      override afterAgent() {
        return { role: 'model', parts: [{ text: 'Front says goodbye.' }] };
      }
    }
    const model = new ScriptedModel(transfer('billing'), says('Billing speaks.'), says('Billing again.'));
    await using runner = await createRunner(Front, { model });
    const events = await say(runner, 'My bill is wrong.');
    expect(events.at(-1)).toMatchObject({ author: 'front', text: 'Front says goodbye.' });

    expect((await say(runner, 'Still wrong.')).map(({ author }) => author)).toEqual(['billing']);
  });

  it('lasts where the agent that took over was cancelled before it spoke', async () => {
    const cancelling = new AbortController();
    const billing = defineAgent({ name: 'billing' });
    const Front = defineAgent({ name: 'front', subAgents: [billing] });
    const model = new ScriptedModel(
      transfer('billing'),
      () => {
        cancelling.abort();
        return says('Too late.');
      },
      says('Billing speaks.'),
    );
    await using runner = await createRunner(Front, { model });
    const { signal } = cancelling;
    const events = await eventsOf(runner.run({ ...address, message: 'My bill is wrong.', signal }));
    expect(events.at(-1)).toMatchObject({ author: 'billing', errorCode: 'CANCELLED' });

    expect((await say(runner, 'Hello?')).map(({ author }) => author)).toEqual(['billing']);
  });

  it('is one tool for all agents, and a result that names an agent is none', async () => {
    const tricky = new FunctionTool({
      name: 'tricky',
      description: '',
      run: () => ({ __transfer_to: 'billing' }),
    });
    const billing = defineAgent({ name: 'billing' });
    const Front = defineAgent({ name: 'front', tools: [tricky], subAgents: [billing] });
    const model = new ScriptedModel(callsTool('tricky'), says('Front speaks.'));
    await using runner = await createRunner(Front, { model });

    const events = await say(runner, 'Go.');

    const [entry] = (model.requests[0]?.config.tools ?? []) as {
      functionDeclarations?: { name?: string }[];
    }[];
    expect(entry?.functionDeclarations?.map(({ name }) => name)).toEqual(['tricky', 'transfer_to_agent']);
    expect(events.map(({ author, actions }) => [author, actions.transferToAgent])).toEqual(
      Array(3).fill(['front', undefined]),
    );
  });

  it('that a tool asks for is refused where the agent may not hand over, which then answers itself', async () => {
    const sends = new FunctionTool({
      name: 'sends',
      description: '',
      run: (_args, { actions }) => {
        actions.transferToAgent = 'billing';
      },
    });
    const billing = defineAgent({ name: 'billing' });
    const Front = defineAgent({ name: 'front', tools: [sends], subAgents: [billing], disableTransfer: true });
    const model = new ScriptedModel(callsTool('sends'), says('Front speaks.'));
    await using runner = await createRunner(Front, { model });

    const events = await say(runner, 'Go.');

    expect(responsesOf(events)).toEqual([{ error: 'front may not transfer; transfer not performed' }]);
    expect(events.at(-1)).toMatchObject({ author: 'front', text: 'Front speaks.' });
  });

  it("does not last where the run says resumeAt: 'root'", async () => {
    const { runner } = await start(transfer('billing'), says('Billing speaks.'), says('Front speaks.'));
    await say(runner, 'My bill is wrong.');

    const events = await eventsOf(
      runner.run({ ...address, message: 'Hello?', config: { resumeAt: 'root' } }),
    );

    expect(events.map(({ author, text }) => [author, text])).toEqual([['front', 'Front speaks.']]);
  });

  it.each<[string, object, string]>([
    ['may hand back', {}, 'deep'],
    ['may not hand back', { disallowTransferToParent: true }, 'front'],
  ])('lasts only where all agents above can hand back: one %s', async (_what, above, heard) => {
    @agent({ name: 'deep', description: '' })
    class Deep extends LlmAgent {}
    @agent({ ...above, name: 'middle', description: '', subAgents: [Deep] })
    class Middle extends LlmAgent {}
    @agent({ name: 'front', description: '', subAgents: [Middle] })
    class Top extends LlmAgent {}
    const model = new ScriptedModel(transfer('middle'), transfer('deep'), says('One.'), says('Two.'));
    await using runner = await createRunner(Top, { model });
    await say(runner, 'Hello.');

    expect((await say(runner, 'Again.')).map(({ author }) => author)).toEqual([heard]);
  });

  it('lasts for the agent before, where the last one cannot hand back', async () => {
    @agent({ name: 'first', description: '' })
    class First extends LlmAgent {}
    @agent({ name: 'second', description: '', disallowTransferToParent: true })
    class Second extends LlmAgent {}
    @agent({ name: 'front', description: '', subAgents: [First, Second] })
    class Top extends LlmAgent {}
    const model = new ScriptedModel(transfer('first'), transfer('second'), says('One.'), says('Two.'));
    await using runner = await createRunner(Top, { model });
    await say(runner, 'Hello.');

    expect((await say(runner, 'Again.')).map(({ author }) => author)).toEqual(['first']);
  });

  it('leads neither into a composite nor out of it: only to one as a whole', async () => {
    @agent({ name: 'inner', description: '' })
    class Inner extends LlmAgent {}
    @agent({ name: 'other', description: '' })
    class Other extends LlmAgent {}
    @agent({ name: 'steps', description: '', subAgents: [Inner, Other] })
    class Steps extends SequentialAgent {}
    @agent({ name: 'front', description: '', subAgents: [Steps] })
    class Top extends LlmAgent {}
    const model = new ScriptedModel(
      ...[transfer('inner'), transfer('steps'), says('One.'), transfer('front'), transfer('inner')],
      ...[says('Two.'), says('Next.')],
    );
    await using runner = await createRunner(Top, { model });

    const events = await say(runner, 'Hello.');
    const next = await say(runner, 'Again.');

    expect(events.flatMap(({ author, text }) => (text === '' ? [] : [`${author}: ${text}`]))).toEqual([
      'inner: One.',
      'other: Two.',
    ]);
    expect(next.map(({ author }) => author)).toEqual(['front']);
    const declared = JSON.stringify(model.requests.map(({ config }) => config.tools ?? []));
    expect(declared.match(/transfer_to_agent/g)).toHaveLength(3);
  });

  it('goes back to the parent, and to a sibling', async () => {
    const { runner } = await start(
      transfer('billing'),
      transfer('delivery'),
      transfer('front'),
      says('Front speaks.'),
    );

    const events = await say(runner, 'Whose is this?');

    expect(events.map(({ author }) => author)).toEqual([
      'front',
      'front',
      'billing',
      'billing',
      'delivery',
      'delivery',
      'front',
    ]);
  });

  it('to nobody is answered so that the model can correct it', async () => {
    const { runner } = await start(transfer('biling'), transfer('rocket_science'), says('Front speaks.'));

    const events = await say(runner, 'My bill is wrong.');

    expect(responsesOf(events)).toEqual([
      { error: 'unknown agent biling; transfer not performed. Did you mean billing?' },
      { error: 'unknown agent rocket_science; transfer not performed. The agents are: billing, delivery.' },
    ]);
    expect(events.map(({ author, actions }) => [author, actions.transferToAgent])).toEqual(
      events.map(() => ['front', undefined]),
    );
    expect(events.at(-1)?.text).toBe('Front speaks.');
  });

  it('to nobody is answered with twenty agents at most, and how many more there are', async () => {
    const agents = Array.from({ length: 22 }, (_, index) => defineAgent({ name: `desk_${String(index)}` }));
    const model = new ScriptedModel(transfer('rocket_science'), says('Front speaks.'));
    await using runner = await createRunner(defineAgent({ name: 'front', subAgents: agents }), { model });

    const [response] = responsesOf((await runner.run({ message: 'Fly.' })).events);

    expect(response?.['error']).toMatch(/The agents are: desk_0, .*, desk_19 and 2 more\.$/);
  });

  it('to oneself is refused', async () => {
    const { runner } = await start(transfer('front'), says('Front speaks.'));

    const events = await say(runner, 'Hello?');

    expect(responsesOf(events)).toEqual([
      { error: 'front cannot transfer to itself; transfer not performed' },
    ]);
    expect(events.at(-1)?.text).toBe('Front speaks.');
  });

  it('may be asked for by any tool', async () => {
    const { runner } = await start(callsTool('escalate_bill'), says('Billing speaks.'));

    expect((await say(runner, 'My bill is wrong.')).at(-1)?.author).toBe('billing');
  });

  it('is done once: of two in one answer the first, and the model is told that the other was not', async () => {
    const { runner } = await start(
      callsTools(
        { name: 'transfer_to_agent', args: { agent_name: 'biling' } },
        { name: 'transfer_to_agent', args: { agent_name: 'delivery' } },
        { id: 'c3', name: 'transfer_to_agent', args: { agent_name: 'billing' } },
        { id: 'c4', name: 'escalate_bill', args: {} },
      ),
      says('Delivery speaks.'),
    );
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();

    const events = await say(runner, 'My parcel and my bill.');

    expect(events[1]?.actions.transferToAgent).toBe('delivery');
    expect(responsesOf(events)).toEqual([
      { error: 'unknown agent biling; transfer not performed. Did you mean billing?' },
      { status: 'transferred', agent: 'delivery' },
      { error: 'transfer not performed: delivery takes over' },
      { result: null, transferError: 'transfer not performed: delivery takes over' },
    ]);
    expect(events.at(-1)?.author).toBe('delivery');
    expect(warn.mock.calls).toEqual([
      [LOST, { callId: 'c3', transferToAgent: 'billing' }],
      [LOST, { callId: 'c4', transferToAgent: 'billing' }],
    ]);
    jest.restoreAllMocks();
  });

  it("takes another spelling of its parameter's name, and tells the name and the agents for any other", async () => {
    const { runner } = await start(
      callsTools(
        { name: 'transfer_to_agent', args: { agent: 'billing' } },
        { name: 'transfer_to_agent', args: { agent_name: 'accounts' } },
        { name: 'transfer_to_agent', args: { agentName: 'billing' } },
      ),
      says('Billing speaks.'),
    );

    const events = await say(runner, 'My bill is wrong.');

    expect(responsesOf(events)).toEqual([
      {
        error:
          'Invalid arguments for "transfer_to_agent": agent_name is required and missing; agent is not a parameter ' +
          '(did you mean agent_name?). Correct them and call the tool again. The agents are: billing, delivery.',
      },
      { error: 'unknown agent accounts; transfer not performed. The agents are: billing, delivery.' },
      { status: 'transferred', agent: 'billing' },
    ]);
    expect(events.at(-1)?.author).toBe('billing');
  });

  it('that fails for another reason than its arguments is not told whom else to name', async () => {
    class Closed extends Plugin {
      readonly name = 'closed';

      override beforeTool(): never {
        throw new Error('closed on Sundays');
      }
    }
    const model = new ScriptedModel(transfer('billing'), says('Sorry.'));
    const root = defineAgent({ name: 'front', subAgents: [defineAgent({ name: 'billing' })] });
    await using runner = await createRunner(root, { model, plugins: [new Closed()] });

    const [response] = responsesOf(await say(runner, 'My bill is wrong.'));

    expect(response).toEqual({
      error: 'The tool failed (Error). Details are hidden. Continue without it, or retry.',
    });
  });

  it('waits for another call of the same answer, and is done when that is answered', async () => {
    const { runner, model } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: {} },
        { id: 'c2', name: 'transfer_to_agent', args: { agent_name: 'billing' } },
      ),
      says('Billing speaks.'),
    );
    const paused = await say(runner, 'Refund, and let me talk to billing.');
    expect(paused.at(-1)?.actions.transferToAgent).toBeUndefined();

    const events = await approveFirst(runner);

    expect(events.map(({ author }) => author)).toEqual(['front', 'billing']);
    expect(events[0]?.actions.transferToAgent).toBe('billing');
    expect(model.requests).toHaveLength(2);
  });

  it('by an approved call waits for another call of the same answer, whatever becomes of that', async () => {
    const { runner } = await start(
      callsTools({ id: 'c1', name: 'hand', args: {} }, { id: 'c2', name: 'refund', args: {} }),
      says('Billing speaks.'),
    );
    await say(runner, 'Hand me over, and refund.');

    const handed = await approveFirst(runner);
    const [refund] = await runner.pending(address);
    const events = refund === undefined ? [] : await eventsOf(runner.reject(refund));

    expect(handed.at(-1)?.actions.transferToAgent).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ author: 'billing', text: 'Billing speaks.' });
  });

  it('that waits is not done where the run has no transfer left by then, and no event says that it was', async () => {
    const { runner, model } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: {} },
        { id: 'c2', name: 'transfer_to_agent', args: { agent_name: 'billing' } },
      ),
      says('Front speaks.'),
    );
    await say(runner, 'Refund, and let me talk to billing.');
    const [request] = await runner.pending(address);

    const events = await eventsOf(runner.approve(request!, { config: { maxTransfers: 0 } }));

    expect(
      events.map(({ author, errorCode, actions }) => [author, errorCode, actions.transferToAgent]),
    ).toEqual([
      ['front', undefined, undefined],
      ['front', 'TRANSFER_LIMIT', undefined],
    ]);
    expect((await say(runner, 'Hello?')).at(-1)?.author).toBe('front');
    const shown = JSON.stringify(model.requests.at(-1)?.contents);
    expect(shown).toContain('"status":"deferred","agent":"billing"');
    expect(shown).not.toContain('transferred');
  });

  it.each<[number, (string | undefined)[][]]>([
    [0, [['front', 'TRANSFER_LIMIT', undefined]]],
    [
      1,
      [
        ['front', undefined, 'billing'],
        ['billing', undefined, undefined],
      ],
    ],
  ])('that waits for a late result is done within the limit: %d', async (maxTransfers, wanted) => {
    const { runner } = await start(
      callsTools(
        { id: 'c1', name: 'order', args: {} },
        { id: 'c2', name: 'transfer_to_agent', args: { agent_name: 'billing' } },
      ),
      says('Billing speaks.'),
    );
    await say(runner, 'Order, and let me talk to billing.');
    const [request] = await runner.pending(address);

    const events = await eventsOf(runner.supply(request!, { ordered: true }, { config: { maxTransfers } }));

    expect(
      events.map(({ author, errorCode, actions }) => [author, errorCode, actions.transferToAgent]),
    ).toEqual(wanted);
  });

  it('that waits is done once, also if a later answer to the same agent pauses and goes on', async () => {
    const { runner } = await start(
      callsTools({ id: 'c1', name: 'hand', args: {} }, { id: 'c2', name: 'refund', args: {} }),
      says('Billing speaks.'),
      transfer('front'),
      callsTool('refund', {}, 'c3'),
      says('Front speaks.'),
    );
    await say(runner, 'Hand me over, and refund.');
    await approveFirst(runner);
    await approveFirst(runner);
    await say(runner, 'Back, and refund once more.');

    const events = await approveFirst(runner);

    expect(events.at(-1)).toMatchObject({ author: 'front', text: 'Front speaks.' });
  });

  it('is not done where the tool that asked for it fails', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const fails = new FunctionTool({
      name: 'fails',
      description: '',
      run(_args, { actions }) {
        actions.transferToAgent = 'billing';
        throw new Error('broken');
      },
    });
    const model = new ScriptedModel(callsTool('fails'), says('Front speaks.'));
    const root = defineAgent({
      name: 'front',
      tools: [fails],
      subAgents: [defineAgent({ name: 'billing' })],
    });

    const events = await eventsOf((await createRunner(root, { model })).run({ message: 'Go.' }));

    expect(events.map(({ author, actions }) => [author, actions.transferToAgent])).toEqual([
      ['front', undefined],
      ['front', undefined],
      ['front', undefined],
    ]);
    jest.restoreAllMocks();
  });

  it('is not offered to an agent that has nobody, nor to one that may not', async () => {
    @agent({ description: '' })
    class Alone extends LlmAgent {}
    @agent({ description: '', subAgents: [Alone], disableTransfer: true })
    class Closed extends LlmAgent {}

    const names = await Promise.all(
      [Alone, Closed].map(
        async (target) =>
          ((await createRunner(target, { model: new ScriptedModel() })).root as LlmAgentNode).tools.names,
      ),
    );

    expect(names).toEqual([[], []]);
  });

  it('comes to an end where there are too many', async () => {
    const { runner, model } = await start(transfer('billing'), transfer('front'), transfer('billing'));
    jest.spyOn(console, 'warn').mockReturnValue();

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?', config: { maxTransfers: 2 } }));

    expect(
      events.map(({ author, errorCode, errorMessage }) => [author, errorCode, errorMessage]).at(-1),
    ).toEqual(['front', 'TRANSFER_LIMIT', 'invocation exhausted its budget of transfers between agents']);
    expect(model.requests).toHaveLength(3);
    expect(responsesOf(events)).toEqual([
      { status: 'transferred', agent: 'billing' },
      { status: 'transferred', agent: 'front' },
      { error: 'transfer not performed: the run has reached its limit of transfers' },
    ]);
    expect(events.at(-2)?.actions.transferToAgent).toBeUndefined();
    jest.restoreAllMocks();
  });

  it('is not done where the run was cancelled before all calls of the answer had ended', async () => {
    const { runner } = await start(
      callsTools(
        { name: 'transfer_to_agent', args: { agent_name: 'billing' } },
        { name: 'wait_for_ever', args: {} },
      ),
      says('Front speaks.'),
    );
    jest.spyOn(console, 'warn').mockReturnValue();
    const signal = AbortSignal.timeout(20);

    const events = await eventsOf(runner.run({ ...address, message: 'My bill.', signal }));
    const next = await say(runner, 'Hello?');

    expect(responsesOf(events)[0]).toEqual({ error: 'transfer not performed: the run was cancelled' });
    expect(events.map(({ actions }) => actions.transferToAgent)).toEqual([undefined, undefined, undefined]);
    expect(events.at(-1)?.errorCode).toBe('CANCELLED');
    expect(next.at(-1)).toMatchObject({ author: 'front', text: 'Front speaks.' });
    jest.restoreAllMocks();
  });
});

describe('an agent that was handed the conversation', () => {
  it('hears the answer to what it asked, wherever the conversation is by then', async () => {
    const { runner, ran } = await start(
      transfer('billing'),
      callsTool('pay', {}, 'c1'),
      says('Front speaks.'),
      says('Paid.'),
    );
    await say(runner, 'Pay my bill.');
    await eventsOf(runner.run({ ...address, message: 'Hello?', config: { resumeAt: 'root' } }));
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    const events = await eventsOf(runner.approve(request));

    expect(events.map(({ author, text }) => [author, text])).toEqual([
      ['billing', ''],
      ['billing', 'Paid.'],
    ]);
    expect(ran).toEqual(['paid']);
  });

  it('is not forgotten where one message answers it and another agent', async () => {
    const { runner, ran } = await start(
      callsTool('refund', {}, 'c1'),
      transfer('billing'),
      callsTool('pay', {}, 'c2'),
      says('One.'),
      says('Two.'),
    );
    await say(runner, 'Refund.');
    await say(runner, 'Pay my bill.');
    const requests = await runner.pending(address);
    expect(requests.map(({ tool }) => tool)).toEqual(['refund', 'pay']);

    const message = requests.map(({ id }) => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } },
    }));
    await eventsOf(runner.run({ ...address, message }));
    const open = (await runner.pending(address)).map(({ tool }) => tool);

    expect([...ran, ...open].sort()).toEqual(['paid', 'refunded'].sort());
  });
});

const LOST = 'a control action of a tool was overridden by a stronger one of the same turn';
const address = { userId: 'ada', sessionId: 's1' };

async function start(...steps: readonly ScriptedStep[]) {
  const ran: string[] = [];
  @agent({
    description: 'Sees to bills.',
    tools: [new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ran.push('paid') })],
  })
  class Billing extends LlmAgent {}
  @agent({ description: '' })
  class Delivery extends LlmAgent {}
  @agent({
    description: '',
    subAgents: [Billing, Delivery],
    tools: [
      new FunctionTool({ name: 'refund', description: '', confirm: true, run: () => ran.push('refunded') }),
      new FunctionTool({ name: 'order', description: '', longRunning: true, run: () => 'ordered' }),
      new FunctionTool({
        name: 'hand',
        description: '',
        confirm: true,
        run(_args, { actions }) {
          actions.transferToAgent = 'billing';
          return 'handed';
        },
      }),
      new FunctionTool({ name: 'wait_for_ever', description: '', run: () => new Promise(() => undefined) }),
      new FunctionTool({
        name: 'escalate_bill',
        description: '',
        run(_args, { actions }) {
          actions.transferToAgent = 'billing';
        },
      }),
    ],
  })
  class Front extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { ran, model, runner: await createRunner(Front, { model }) };
}

function transfer(name: string) {
  return callsTool('transfer_to_agent', { agent_name: name });
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function approveFirst(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(address);
  return request === undefined ? [] : eventsOf(runner.approve(request));
}

function responsesOf(events: readonly Event[]) {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}
