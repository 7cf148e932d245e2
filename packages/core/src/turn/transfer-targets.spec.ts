import type { AgentNode, TransferPolicy } from '../backend.js';
import { canTransfer, findTransferTarget, transferTargets } from './resolve-transfers.js';

describe('transferTargets', () => {
  it.each<[string, string, string[]]>([
    ['the root may hand over to its sub-agents', 'root', ['sales', 'support']],
    ['a leaf to its parent and its siblings', 'root/support/refunds', ['support', 'returns']],
    ['one in the middle to those beneath it first', 'root/support', ['refunds', 'returns', 'root', 'sales']],
  ])('%s', (_what, path, names) => {
    expect(namesFrom(path)).toEqual(names);
  });

  it.each<[string, Partial<TransferPolicy>, string[]]>([
    ['nobody where transfer is disabled', { disabled: true }, []],
    ['not its parent where that is disallowed', { toParent: false }, ['refunds', 'returns', 'sales']],
    ['not its siblings where that is disallowed', { toPeers: false }, ['refunds', 'returns', 'root']],
    ['only those beneath it where both are', { toParent: false, toPeers: false }, ['refunds', 'returns']],
  ])('lists %s', (_what, policy, names) => {
    expect(namesFrom('root/support', { support: policy })).toEqual(names);
  });

  it('lists neither a parent that takes no part in it, nor who could be reached through it', () => {
    expect(namesFrom('root/support', { root: { disabled: true } })).toEqual(['refunds', 'returns']);
  });
});

describe('canTransfer', () => {
  it('looks at one target, however many siblings there are', () => {
    let looks = 0;
    const peer = {
      path: 'root/peer',
      get transfer(): TransferPolicy {
        looks++;
        return { disabled: false, toParent: true, toPeers: true, isCalled: false };
      },
    };
    const parent = { isLlmAgent: true, transfer: { disabled: false }, subAgents: Array(1000).fill(peer) };
    const transfer = { disabled: false, toParent: false, toPeers: true, isCalled: false };
    const from = { path: 'root/own', transfer, subAgents: [], parentAgent: parent } as unknown as AgentNode;

    expect(canTransfer(from)).toBe(true);
    expect(looks).toBeLessThan(4);
  });

  it('is false where no agent may be reached', () => {
    const transfer = { disabled: false, toParent: true, toPeers: true, isCalled: false };
    expect(canTransfer({ path: 'root', transfer, subAgents: [] } as unknown as AgentNode)).toBe(false);
  });
});

describe('findTransferTarget', () => {
  it.each<[string, string, string]>([
    ['root/support', 'refunds', 'root/support/refunds'],
    ['root', 'refunds', 'root/support/refunds'],
    ['root/support/refunds', 'support', 'root/support'],
    ['root/support/refunds', 'returns', 'root/support/returns'],
    ['root/support/refunds', 'root', 'root'],
    ['root/support/refunds', 'sales', 'root/sales'],
    ['root/sales', 'support', 'root/support'],
  ])('from %s, %s is %s', (from, name, path) => {
    expect(find(from, name)).toBe(path);
  });

  it.each<[string, string, string, Record<string, Partial<TransferPolicy>>, string]>([
    [
      'an agent that may not',
      'root/support',
      'refunds',
      { support: { disabled: true } },
      'support may not transfer; transfer not performed',
    ],
    ['itself', 'root/support', 'support', {}, 'support cannot transfer to itself; transfer not performed'],
    [
      'a name that nobody has',
      'root/support',
      'weather',
      {},
      'unknown agent weather; transfer not performed. The agents are: refunds, returns, root, sales.',
    ],
    [
      'a name that is almost one',
      'root',
      'suport',
      {},
      'unknown agent suport; transfer not performed. Did you mean support?',
    ],
    [
      'its parent, where that is disallowed',
      'root/support',
      'root',
      { support: { toParent: false } },
      'support may not transfer to root; transfer not performed',
    ],
    [
      'a sibling, where that is disallowed',
      'root/support',
      'sales',
      { support: { toPeers: false } },
      'support may not transfer to sales; transfer not performed',
    ],
    [
      'a sibling that takes no part in it',
      'root/support',
      'sales',
      { sales: { disabled: true } },
      'support may not transfer to sales; transfer not performed',
    ],
  ])('refuses %s, in words for the model', (_what, from, name, policies, error) => {
    expect(findTransferTarget(treeOf(policies)(from), name)).toEqual({ kind: 'refused', error });
  });

  it('finds the nearest where several agents have the name', () => {
    const tree = build({
      name: 'root',
      subAgents: [
        { name: 'sales', subAgents: [{ name: 'mail' }] },
        { name: 'support', subAgents: [{ name: 'mail' }] },
      ],
    });

    expect(pathOf(findTransferTarget(tree('root/support'), 'mail'))).toBe('root/support/mail');
    expect(pathOf(findTransferTarget(tree('root/sales'), 'mail'))).toBe('root/sales/mail');
  });

  it('finds a sibling before an agent that is deeper elsewhere', () => {
    const tree = build({
      name: 'root',
      subAgents: [{ name: 'sales', subAgents: [{ name: 'mail' }] }, { name: 'support' }, { name: 'mail' }],
    });

    expect(pathOf(findTransferTarget(tree('root/support'), 'mail'))).toBe('root/mail');
  });

  it('takes no sibling for a parent because its name begins alike', () => {
    const tree = build({
      name: 'root',
      subAgents: [{ name: 'sup' }, { name: 'support', transfer: { toParent: false } }],
    });

    expect(pathOf(findTransferTarget(tree('root/support'), 'sup'))).toBe('root/sup');
  });

  it('finds an agent deep in its own subtree first, also where it may not leave it', () => {
    const mail = { name: 'mail' };
    const tree = build({
      name: 'root',
      subAgents: [
        { name: 'sales', subAgents: [{ name: 'desk', subAgents: [mail] }] },
        {
          name: 'support',
          transfer: { toParent: false, toPeers: false },
          subAgents: [{ name: 'desk', subAgents: [mail] }],
        },
      ],
    });

    expect(pathOf(findTransferTarget(tree('root/support'), 'mail'))).toBe('root/support/desk/mail');
  });

  it('passes over an agent of its subtree that takes no part in it for another of the name', () => {
    const tree = build({
      name: 'root',
      subAgents: [
        { name: 'sales' },
        { name: 'support', subAgents: [{ name: 'sales', transfer: { disabled: true } }] },
      ],
    });

    expect(pathOf(findTransferTarget(tree('root/support'), 'sales'))).toBe('root/sales');
  });
});

interface Sketch {
  readonly name: string;
  readonly subAgents?: readonly Sketch[];
  readonly transfer?: Partial<TransferPolicy>;
}

function treeOf(policies: Record<string, Partial<TransferPolicy>> = {}): (path: string) => AgentNode {
  const sketch = (name: string, ...subAgents: Sketch[]): Sketch => ({
    name,
    subAgents,
    transfer: policies[name] ?? {},
  });
  return build(sketch('root', sketch('sales'), sketch('support', sketch('refunds'), sketch('returns'))));
}

function build(root: Sketch): (path: string) => AgentNode {
  const nodes = new Map<string, AgentNode>();
  place(root, undefined, nodes);
  return (path) => nodes.get(path) as AgentNode;
}

function place(
  { name, subAgents = [], transfer }: Sketch,
  parentAgent: AgentNode | undefined,
  nodes: Map<string, AgentNode>,
): AgentNode {
  const path = parentAgent === undefined ? name : `${parentAgent.path}/${name}`;
  const policy = { disabled: false, toParent: true, toPeers: true, ...transfer };
  const node = {
    name,
    path,
    description: '',
    isLlmAgent: true,
    parentAgent,
    transfer: policy,
    subAgents: [] as AgentNode[],
  };
  nodes.set(path, node as unknown as AgentNode);
  node.subAgents.push(...subAgents.map((child) => place(child, node as unknown as AgentNode, nodes)));
  return node as unknown as AgentNode;
}

function namesFrom(path: string, policies?: Record<string, Partial<TransferPolicy>>): string[] {
  return transferTargets(treeOf(policies)(path)).map(({ name }) => name);
}

function find(from: string, name: string): string {
  return pathOf(findTransferTarget(treeOf()(from), name));
}

function pathOf(target: ReturnType<typeof findTransferTarget>): string {
  return target.kind === 'found' ? target.agent.path : target.error;
}
