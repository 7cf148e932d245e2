import { agentGraph } from '@adorn/core/compiler';
import { says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  StaticToolset,
  tool,
  toolbox,
  withOptions,
} from 'adorn';

import { toMermaid } from './to-mermaid.js';
import { toSvg } from './to-svg.js';

@toolbox({ unfold: true })
class Orders {
  @tool({ parameters: { type: 'object' }, effect: 'destructive' })
  refundOrder(): void {}
}

const Web = defineAgent({
  name: 'web',
  description: 'Reads.',
  tools: [
    named('fetch_page', { untrusted: true, confirm: () => false }),
    withOptions(named('ping', { effect: 'read' }), { retry: 3 }),
    withOptions(named('look', { cache: true }), { confirm: true }),
  ],
});
const Bank = defineAgent({
  name: 'bank',
  description: 'Pays.',
  disallowTransferToPeers: true,
  tools: [named('send_money', { sensitive: true, effect: 'destructive' }), new StaticToolset(), Orders],
});
const Desk = defineAgent({ name: 'desk', description: 'Hears.', subAgents: [Web, Bank] });

describe('toMermaid', () => {
  it('draws agents, tools, hand-overs and the ways from untrusted to sensitive tools', async () => {
    expect(toMermaid(await graphOf(Desk)).split('\n')).toEqual([
      'flowchart LR',
      '  a0["desk<br/>scripted"]',
      '  a0 -->|transfer| a1',
      '  a0 -->|transfer| a2',
      '  a1["web<br/>scripted"]',
      '  a1 --- a1t[/"ping [retry]<br/>look [confirm, cache]"/]',
      '  a1 --- t0(["fetch_page [confirm?, untrusted]"])',
      '  a2["bank<br/>scripted"]',
      '  a2 --- a2t[/"open_orders<br/>refund_order in orders [confirm]<br/>toolset StaticToolset"/]',
      '  a2 --- t1(["send_money [confirm, sensitive]"])',
      '  a1 -.->|transfer| a0',
      '  a1 -.->|transfer| a2',
      '  a2 -.->|transfer| a0',
      '  t0 ==>|untrusted| t1',
      '',
    ]);
  });

  it('tells a call, after which the conversation comes back, from a transfer', async () => {
    const Press = defineAgent({ name: 'press', description: '', delegation: 'call' });
    const Front = defineAgent({ name: 'front', description: '', subAgents: [Press, Web] });

    const text = toMermaid(await graphOf(Front));

    expect(text).toContain('a0 -->|call| a1');
    expect(text).toContain('a0 -->|transfer| a2');
    expect(text).not.toMatch(/a1 -.->|-.->\|transfer\| a1/);
  });

  it('says that a composite runs its sub-agents, and names fifteen tools of an agent', async () => {
    const tools = Array.from({ length: 20 }, (_, index) => named(`tool_${String(index)}`));
    const Many = defineAgent({ name: 'many', description: '', tools });
    @agent({ name: 'line', description: '', subAgents: [Many] })
    class Line extends BaseAgent {
      async *run(): AsyncGenerator<Event, void, undefined> {}
    }

    const text = toMermaid(await graphOf(Line));

    expect(text).toContain('a0["line<br/>runs its sub-agents"]');
    expect(text).toContain('a0 -->|runs| a1');
    expect(text).toMatch(/tool_14<br\/>and 5 more"/);
  });

  it('writes what Mermaid would read in a name as its code', async () => {
    const graph = { ...(await graphOf(Desk)), model: 'a"]; click <b>&' };

    expect(toMermaid(graph)).toContain('a0["desk<br/>a#34;]#59; click #60;b#62;#38;"]');
  });
});

describe('toSvg', () => {
  it('draws one box for each agent, without overlaps, and a line for each edge', async () => {
    const svg = toSvg(await graphOf(Desk));

    const boxes = [
      ...svg.matchAll(/<rect class="box".*? x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g),
    ].map(([, ...numbers]) => numbers.map(Number));
    expect(boxes).toHaveLength(3);
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1)) expect(overlap(one, other)).toBe(false);
    expect(svg.match(/<path class="(\w+)"/g)).toEqual([
      ...Array.from({ length: 2 }, () => '<path class="tree"'),
      ...Array.from({ length: 3 }, () => '<path class="transfer"'),
      '<path class="untrusted"',
    ]);
    expect(svg).toContain('>refund_order in orders [confirm]</text>');
  });

  it('escapes what XML would read', async () => {
    const svg = toSvg({ ...(await graphOf(Desk)), model: '</text><script>&\u0007' });

    expect(svg).toContain('>&#60;/text&#62;&#60;script&#62;&#38;&#7;</text>');
  });
});

async function graphOf(root: AgentClass<unknown>) {
  const model = Object.assign(new ScriptedModel(says('never')), { name: 'scripted' });
  return agentGraph((await createRunner(root, { model })).root);
}

function named(
  name: string,
  traits: Partial<ConstructorParameters<typeof FunctionTool>[0]> = {},
): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name, ...traits } as never);
}

function overlap(
  [x = 0, y = 0, w = 0, h = 0]: number[],
  [x2 = 0, y2 = 0, w2 = 0, h2 = 0]: number[],
): boolean {
  return x < x2 + w2 && x2 < x + w && y < y2 + h2 && y2 < y + h;
}
