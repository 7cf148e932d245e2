import { ScriptedModel } from '@adorn/testing';

import {
  agent,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type FunctionToolFields,
  googleSearch,
  StaticToolset,
  Tool,
  tool,
  toolbox,
  withCache,
  withConfirmation,
  withPrefix,
  withTimeout,
} from '../../index.js';
import { type AgentGraph, agentGraph, type GraphTool, untrustedPaths } from './agent-graph.js';

@toolbox({ unfold: true })
class Orders {
  @tool({ parameters: { type: 'object' }, effect: 'destructive' })
  refundOrder(): void {}
}

class Files extends StaticToolset {}

/** A tool without an option `confirm`. */
class Plain extends Tool {
  readonly name = 't';
  readonly description = '';

  declaration() {
    return { name: this.name };
  }

  run(): void {}
}

describe('agentGraph', () => {
  it('describes an agent with its model, its tools, the classes of its toolsets and the agents below it', async () => {
    const Web = defineAgent({ name: 'web', disallowTransferToPeers: true });
    const Bank = defineAgent({ name: 'bank', tools: [named('pay', { sensitive: true })] });
    const tools = [named('look', { untrusted: true }), Orders, withPrefix(new Files(), 'files')];
    const Desk = defineAgent({ name: 'desk', tools, subAgents: [Web, Bank] });

    expect(await graphOf(Desk)).toEqual({
      name: 'desk',
      path: 'desk',
      model: 'scripted',
      tools: [
        { ...BARE, name: 'look', untrusted: true },
        { ...BARE, name: 'open_orders' },
        { ...BARE, name: 'refund_order', box: 'orders', gates: ['confirm'] },
      ],
      toolsets: ['Files'],
      isCalled: false,
      transfers: ['desk/web', 'desk/bank'],
      subAgents: [
        { ...leaf('desk/web'), transfers: ['desk'] },
        {
          ...leaf('desk/bank'),
          tools: [{ ...BARE, name: 'pay', sensitive: true }],
          transfers: ['desk', 'desk/web'],
        },
      ],
    });
  });

  it('tells an agent that its parent calls, which transfers to nobody', async () => {
    const Press = defineAgent({ name: 'press', delegation: 'call' });
    const Front = defineAgent({ name: 'front', subAgents: [Press] });

    const { transfers, subAgents } = await graphOf(Front);

    expect(transfers).toEqual(['front/press']);
    expect(subAgents).toEqual([{ ...leaf('front/press'), isCalled: true }]);
  });

  it('describes a composite, which has neither a model nor tools, with the agents below it', async () => {
    const Draft = defineAgent({ name: 'draft' });
    @agent({ name: 'line', description: '', subAgents: [Draft] })
    class Line extends BaseAgent {
      async *run(): AsyncGenerator<Event, void, undefined> {}
    }

    const draft = leaf('line/draft');
    expect(await graphOf(Line)).toEqual({ ...leaf('line'), model: undefined, subAgents: [draft] });
  });

  it('lists no tool that the provider of the model runs, because it passes no gates', async () => {
    const Desk = defineAgent({ name: 'desk', tools: [googleSearch(), named('look')] });

    expect((await graphOf(Desk)).tools.map(({ name }) => name)).toEqual(['look']);
  });
});

describe('the gates of a tool in a graph', () => {
  it.each<[string[], Tool]>([
    [[], named('t')],
    [[], withTimeout(named('t'), 5)],
    [[], named('t', { effect: 'read', longRunning: false, cache: false })],
    [['auth'], named('t', { auth: { scheme: { type: 'apiKey', in: 'header', name: 'X' }, key: 'shop' } })],
    [['long-running'], named('t', { longRunning: true })],
    [['background'], named('t', { background: { scheduling: 'silent' } })],
    [['cache'], withCache(named('t', { effect: 'read' }))],
    [['retry'], named('t', { effect: 'read', retry: 3 })],
    [['rate limit'], named('t', { rateLimit: { calls: 1, perMs: 1_000 } })],
    [['concurrency'], named('t', { concurrency: 2 })],
    [
      ['confirm', 'cache', 'retry', 'concurrency'],
      named('t', { confirm: true, concurrency: 2, retry: 3, cache: true, effect: 'read' }),
    ],
  ])('are %j', async (gates, listed) => {
    expect((await toolOf(listed)).gates).toEqual(gates);
  });

  it.each<[string, Tool, string[]]>([
    ['that always asks', named('t', { confirm: true }), ['confirm']],
    ['with a hint', named('t', { confirm: 'Go?' }), ['confirm']],
    ['that decides for each call', named('t', { confirm: () => false }), ['confirm?']],
    ['that never asks', named('t', { confirm: false, effect: 'destructive' }), []],
    ['that is destructive', named('t', { effect: 'destructive' }), ['confirm']],
    ['that writes', named('t', { effect: 'write' }), []],
    ['of a class of its own', new Plain(), []],
    ['of a class of its own that is destructive', new Plain({ effect: 'destructive' }), ['confirm']],
    ['of such a class, wrapped', withTimeout(new Plain({ effect: 'destructive' }), 5), ['confirm']],
    ['that is wrapped to ask', withConfirmation(named('t')), ['confirm']],
    ['that is wrapped to ask with a hint', withConfirmation(named('t'), 'Go?'), ['confirm']],
    ['that is wrapped to decide', withConfirmation(named('t'), () => true), ['confirm?']],
    [
      'that always asks, wrapped to decide',
      withConfirmation(named('t', { confirm: true }), () => true),
      ['confirm'],
    ],
    ['that decides, wrapped to ask', withConfirmation(named('t', { confirm: () => true })), ['confirm']],
    ['that decides, in another wrapper', withTimeout(named('t', { confirm: () => true }), 5), ['confirm?']],
    [
      'that is destructive, in another wrapper',
      withTimeout(named('t', { effect: 'destructive' }), 5),
      ['confirm'],
    ],
    [
      'that is destructive and never asks, in a wrapper',
      withTimeout(named('t', { effect: 'destructive', confirm: false }), 5),
      [],
    ],
  ])('tell whether a person is asked about a tool %s', async (_what, listed, gates) => {
    expect((await toolOf(listed)).gates).toEqual(gates);
  });
});

describe('untrustedPaths', () => {
  it('lead from untrusted tools to sensitive ones, but for those within one branch, which has them itself', () => {
    const mail = { name: 'mail', tools: [untrusted('read'), sensitive('send')], subAgents: [] };
    const bank = { name: 'bank', tools: [sensitive('pay')], subAgents: [] };
    const desk = { name: 'desk', tools: [untrusted('search'), sensitive('save')], subAgents: [mail, bank] };

    const paths = untrustedPaths(desk).map(({ source, target }) => [
      `${source.agent}.${source.tool.name}`,
      `${target.agent}.${target.tool.name}`,
    ]);

    expect(paths).toEqual([
      ['desk.search', 'desk.save'],
      ['desk.search', 'mail.send'],
      ['desk.search', 'bank.pay'],
      ['mail.read', 'desk.save'],
      ['mail.read', 'bank.pay'],
    ]);
  });
});

const BARE: Omit<GraphTool, 'name'> = { box: undefined, gates: [], untrusted: false, sensitive: false };

/** An agent without tools and without agents to transfer to. */
function leaf(path: string): AgentGraph {
  const name = path.split('/').at(-1) ?? '';
  const none = { tools: [], toolsets: [], transfers: [], subAgents: [] };
  return { name, path, model: 'scripted', isCalled: false, ...none };
}

async function graphOf(root: AgentClass<unknown>): Promise<AgentGraph> {
  const model = Object.assign(new ScriptedModel(), { name: 'scripted' });
  await using runner = await createRunner(root, { model });
  return agentGraph(runner.root);
}

async function toolOf(listed: Tool): Promise<GraphTool> {
  const { tools } = await graphOf(defineAgent({ name: 'desk', tools: [listed] }));
  expect(tools).toHaveLength(1);
  return tools[0] as GraphTool;
}

function named(name: string, fields: Partial<FunctionToolFields> = {}): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name, ...fields });
}

function untrusted(name: string) {
  return { name, untrusted: true };
}

function sensitive(name: string) {
  return { name, sensitive: true };
}
