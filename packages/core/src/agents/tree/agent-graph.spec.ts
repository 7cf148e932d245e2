import { toolPolicies } from '@adorn/policies';
import { ScriptedModel } from '@adorn/testing';

import type { FunctionToolFields } from '../../backend.js';
import {
  agent,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  googleSearch,
  StaticToolset,
  Tool,
  tool,
  toolbox,
  withPrefix,
  withOptions,
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
    const Bank = defineAgent({
      name: 'bank',
      tools: [named('pay', { sensitive: true, confidential: true, outside: true })],
    });
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
          tools: [{ ...BARE, name: 'pay', sensitive: true, confidential: true, outside: true }],
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
    [[], withOptions(named('t'), { timeout: 5 })],
    [[], named('t', { effect: 'read', longRunning: false, cache: false })],
    [['auth'], named('t', { auth: { scheme: { type: 'apiKey', in: 'header', name: 'X' }, key: 'shop' } })],
    [['long-running'], named('t', { longRunning: true })],
    [['background'], named('t', { background: { scheduling: 'silent' } })],
    [['cache'], withOptions(named('t', { effect: 'read' }), { cache: true })],
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
    [
      'of such a class, wrapped',
      withOptions(new Plain({ effect: 'destructive' }), { timeout: 5 }),
      ['confirm'],
    ],
    ['that is wrapped to ask', withOptions(named('t'), { confirm: true }), ['confirm']],
    ['that is wrapped to ask with a hint', withOptions(named('t'), { confirm: 'Go?' }), ['confirm']],
    ['that is wrapped to decide', withOptions(named('t'), { confirm: () => true }), ['confirm?']],
    [
      'that always asks, wrapped to decide',
      withOptions(named('t', { confirm: true }), { confirm: () => true }),
      ['confirm'],
    ],
    [
      'that decides, wrapped to ask',
      withOptions(named('t', { confirm: () => true }), { confirm: true }),
      ['confirm'],
    ],
    [
      'that decides, in another wrapper',
      withOptions(named('t', { confirm: () => true }), { timeout: 5 }),
      ['confirm?'],
    ],
    ['that others approve', named('t', { approvers: { role: 'manager' } }), ['confirm']],
    [
      'that others approve, where its function says so',
      named('t', { approvers: 'others', confirm: false }),
      [],
    ],
    [
      'that is destructive, in another wrapper',
      withOptions(named('t', { effect: 'destructive' }), { timeout: 5 }),
      ['confirm'],
    ],
    [
      'that is destructive and never asks, in a wrapper',
      withOptions(named('t', { effect: 'destructive', confirm: false }), { timeout: 5 }),
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

const BARE: Omit<GraphTool, 'name'> = {
  box: undefined,
  gates: [],
  untrusted: false,
  sensitive: false,
  confidential: false,
  outside: false,
};

/** An agent without tools and without agents to transfer to. */
function leaf(path: string): AgentGraph {
  const name = path.split('/').at(-1) ?? '';
  const none = { tools: [], toolsets: [], transfers: [], subAgents: [] };
  return { name, path, model: 'scripted', isCalled: false, ...none };
}

async function graphOf(root: AgentClass<unknown>): Promise<AgentGraph> {
  const model = Object.assign(new ScriptedModel(), { name: 'scripted' });
  await using runner = await createRunner(root, { model, modules: [toolPolicies] });
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
