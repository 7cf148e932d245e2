import { eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { DefinedAgentOptions, EventFields } from '../../backend.js';
import {
  agent,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  SessionService,
} from '../../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('the agent that a message goes to', () => {
  it.each<[string, Made[], string]>([
    ['no event', [], 'front'],
    ['a transfer', [hands('front', 'billing')], 'billing'],
    ['two transfers', [hands('front', 'billing'), hands('front/billing', 'deep')], 'deep'],
    ['a transfer back', [hands('front', 'billing'), hands('front/billing', 'front')], 'front'],
    ['a transfer to a peer', [hands('front', 'billing'), hands('front/billing', 'delivery')], 'delivery'],
    ['a transfer to nobody', [hands('front', 'billing'), hands('front/billing', 'ghost')], 'billing'],
    ['a transfer of an agent that is gone', [hands('front/gone', 'billing')], 'billing'],
    [
      'one that may not be made any more',
      [hands('front', 'billing'), hands('front/mute', 'deep')],
      'billing',
    ],
    ['one to an agent that cannot hand back', [hands('front', 'mute')], 'front'],
    ['one to a composite', [hands('front', 'steps')], 'front'],
    ['one that a user claims', [{ ...hands('front', 'billing'), author: 'user' }], 'front'],
    [
      'one of an agent that ran as a tool',
      [{ ...hands('front', 'billing'), isolationScope: 'x/c1' }],
      'front',
    ],
    [
      'events of another agent with a path',
      [{ author: 'billing', nodeInfo: { path: 'front/billing' } }],
      'front',
    ],
    ['one without paths', [{ author: 'front', actions: { transferToAgent: 'billing' } }], 'billing'],
    ['an event without a path', [{ author: 'front' }, { author: 'delivery' }], 'delivery'],
    ['events without paths, the last of the root', [{ author: 'delivery' }, { author: 'front' }], 'front'],
    ['an event of an agent that is gone', [{ author: 'delivery' }, { author: 'ghost' }], 'delivery'],
    [
      'an event with a path that is no text',
      [{ author: 'delivery', nodeInfo: { path: 7 as never } }],
      'delivery',
    ],
  ])('behind %s', async (_what, log, holder) => {
    const { runner } = await start(log, says('Hello.'));

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Hello?' }));

    expect(events.map(({ author }) => author)).toEqual([holder]);
  });
});

describe('an agent below a root', () => {
  it.each<[string, Partial<DefinedAgentOptions>, string]>([
    [
      'keeps the conversation where the root has no parent to transfer to',
      { disallowTransferToParent: true },
      'billing',
    ],
    ['does not have it where the root does not transfer', { disableTransfer: true }, 'front'],
  ])('%s', async (_what, options, holder) => {
    const { runner } = await startAt(options, [hands('front', 'billing')], says('Hello.'));

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Hello?' }));

    expect(events.map(({ author }) => author)).toEqual([holder]);
  });
});

describe('the agent that an answer goes to', () => {
  it.each<[string, Made[], string[]]>([
    ['the one at the path of its call', [awaits('c1', { nodeInfo: { path: 'front/billing' } })], ['billing']],
    [
      'the one that made the call, in a log without paths',
      [awaits('c1', { author: 'billing' })],
      ['billing'],
    ],
    [
      'the one that made the call, where the path leads nowhere',
      [awaits('c1', { author: 'billing', nodeInfo: { path: 'front/gone' } })],
      ['billing'],
    ],
    [
      'the one that made the call, where the path is no text',
      [awaits('c1', { author: 'billing', nodeInfo: { path: 7 as never } })],
      ['billing'],
    ],
    ['the root, where the agent is gone', [awaits('c1', { author: 'ghost' })], ['front']],
    [
      'each of several in turn, with a path or without',
      [awaits('c1', { nodeInfo: { path: 'front/billing' } }), awaits('c2', { author: 'delivery' })],
      ['billing', 'delivery'],
    ],
    [
      'the same one once, for all that it awaits, in any run',
      [
        awaits('c1', { nodeInfo: { path: 'front/billing' } }),
        awaits('c2', { nodeInfo: { path: 'front/billing' }, invocationId: 'e-2' }),
      ],
      ['billing'],
    ],
  ])('is %s', async (_what, log, heard) => {
    const { runner } = await start(log, ...heard.map((name) => says(`${name} speaks.`)));
    const message = (await runner.pending(ADDRESS)).map(({ id }) => ({
      functionResponse: { id, response: { result: 'paid' } },
    }));

    const events = await eventsOf(runner.run({ ...ADDRESS, message }));

    expect(message).toHaveLength(log.length);
    expect(events.filter(({ text }) => text !== '').map(({ author }) => author)).toEqual(heard);
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });
});

type Made = Partial<EventFields>;

/** The agent at a path transfers the conversation. */
function hands(path: string, transferToAgent: string): Made {
  return { author: path.split('/').at(-1) ?? '', nodeInfo: { path }, actions: { transferToAgent } };
}

/** A call whose result is awaited. */
function awaits(id: string, fields: Made): Made {
  const author = String(fields.nodeInfo?.path).split('/').at(-1) ?? '';
  return { author, customMetadata: { call: id }, ...fields };
}

/** A runner over a session with a message and these events. */
function start(log: readonly Made[], ...steps: readonly ScriptedStep[]) {
  return startAt({}, log, ...steps);
}

/** @param options those of the root */
async function startAt(
  options: Partial<DefinedAgentOptions>,
  log: readonly Made[],
  ...steps: readonly ScriptedStep[]
) {
  const pay = new FunctionTool({ name: 'pay', description: '', longRunning: true, run: () => 'sent' });
  const Deep = defineAgent({ name: 'deep' });
  const Billing = defineAgent({ name: 'billing', tools: [pay], subAgents: [Deep] });
  const Delivery = defineAgent({ name: 'delivery', tools: [pay] });
  const Mute = defineAgent({ name: 'mute', disallowTransferToParent: true, disallowTransferToPeers: true });
  @agent({ name: 'steps', description: '' })
  class Steps extends BaseAgent {
    async *run(): AsyncGenerator<Event, void, undefined> {}
  }
  const Front = defineAgent({ ...options, name: 'front', subAgents: [Billing, Delivery, Mute, Steps] });
  const store = new InMemorySessionService();
  let session = await store.createSession({ appName: 'front', ...ADDRESS });
  const said = { author: 'user', content: { role: 'user', parts: [{ text: 'Hello.' }] } };
  for (const made of [said, ...log.flatMap(withCall)])
    session = await store.appendEvent(session, new Event({ author: 'front', invocationId: 'e-1', ...made }));
  const model = new ScriptedModel(...steps);
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  return { runner: await createRunner(Front, { model, modules, config: { takeOverAfter: 0 } }) };
}

/** The call and its handle, if the event is a call. */
function withCall({ customMetadata, ...made }: Made): Made[] {
  const id = customMetadata?.['call'];
  if (typeof id !== 'string') return [made];
  const handle = { id, name: 'pay', response: { status: 'sent' }, willContinue: true };
  return [
    { ...made, content: { role: 'model', parts: [{ functionCall: { id, name: 'pay', args: {} } }] } },
    { ...made, content: { role: 'user', parts: [{ functionResponse: handle }] }, longRunningToolIds: [id] },
  ];
}
