import { type AgentNode, findAgent } from './agent-node.js';

describe('the tree of agents', () => {
  const leaf = nodeOf('leaf');
  const twin = nodeOf('leaf');
  const left = nodeOf('left', [leaf]);
  const right = nodeOf('right', [twin]);
  const root = nodeOf('root', [left, right]);

  it('is searched depth first, the node itself included', () => {
    expect([findAgent(root, 'root'), findAgent(root, 'leaf'), findAgent(right, 'leaf')]).toEqual([
      root,
      leaf,
      twin,
    ]);
    expect([findAgent(left, 'right'), findAgent(root, 'nobody')]).toEqual([undefined, undefined]);
  });
});

function nodeOf(name: string, subAgents: AgentNode[] = []): AgentNode {
  const node: AgentNode & { parentAgent: AgentNode | undefined } = {
    definition: {},
    name,
    description: '',
    path: name,
    parentAgent: undefined,
    subAgents,
    toolAgents: [],
    transfer: { disabled: false, toParent: true, toPeers: true, isCalled: false },
    isLlmAgent: true,
    actsOnEscalation: false,
    perform: () => {
      throw new Error('This agent is not run.');
    },
  };
  for (const child of subAgents) Object.assign(child, { parentAgent: node });
  return node;
}
