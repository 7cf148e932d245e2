import fc from 'fast-check';

import type { Step, Tree } from './agent-tree.fixture.js';

/** What the model of an agent does at one of its calls. The number picks a target. */
interface Deed {
  readonly kind: (typeof DEEDS)[number] | (typeof IN_BACKGROUND)[number] | (typeof GATED)[number];
  readonly pick: number;
}

/** A tree without names. */
type Sketch =
  | {
      readonly kind: 'agent';
      readonly deeds: readonly Deed[];
      readonly isCalled: boolean;
      readonly subAgents: readonly Sketch[];
      readonly tools: readonly Sketch[];
    }
  | {
      readonly kind: (typeof WORKFLOWS)[number] | 'race' | 'loop' | 'map';
      readonly of: readonly Sketch[];
      readonly maxIterations?: number;
    };

const WORKFLOWS = ['sequence', 'parallel', 'fallback', 'route', 'custom'] as const;
const DEEDS = [
  ...(['says', 'publishes', 'publishes', 'transfers', 'transfers'] as const),
  ...(['asks', 'asks', 'publishesAndTransfers', 'exits', 'fails'] as const),
];
/** Deeds whose results come when the model may have been asked already. */
const IN_BACKGROUND = ['watches', 'watchesAndPublishes'] as const;

/** Deeds that wait for a person, also beside agents that wait, and end neither branches nor agents. */
const GATED = ['says', 'publishes', 'pays', 'posts', 'asks', 'paysAndAsks', 'postsAndAsks'] as const;

/** Trees whose calls wait for persons, several at a time and in agents that are tools. Nothing but an answer ends a wait. */
export const treesWithGates = treesOf(['sequence', 'parallel'], GATED);
/** Trees that write the same events whoever waits for a person. */
export const trees = treesOf(WORKFLOWS, DEEDS);
/** Trees also with races and background calls: what they write depends on who is first. */
export const treesWithRaces = treesOf([...WORKFLOWS, 'race', 'race'], [...DEEDS, ...IN_BACKGROUND]);

function treesOf(
  kinds: readonly ((typeof WORKFLOWS)[number] | 'race')[],
  does: readonly Deed['kind'][],
): fc.Arbitrary<Tree> {
  const deeds = fc.array(fc.record({ kind: fc.constantFrom(...does), pick: fc.nat(20) }), {
    minLength: 1,
    maxLength: 4,
  });
  const { sketch } = fc.letrec<{ sketch: Sketch }>((tie) => {
    const some = (minLength: number, maxLength: number): fc.Arbitrary<Sketch[]> =>
      fc.array(tie('sketch'), { minLength, maxLength });
    return {
      sketch: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.record({
          kind: fc.constant('agent' as const),
          deeds,
          isCalled: fc.boolean(),
          subAgents: fc.constant([]),
          tools: fc.constant([]),
        }),
        fc.record({
          kind: fc.constant('agent' as const),
          deeds,
          isCalled: fc.boolean(),
          subAgents: some(0, 2),
          tools: some(0, 2),
        }),
        fc.record({ kind: fc.constantFrom(...kinds), of: some(1, 3) }),
        fc.record({
          kind: fc.constant('loop' as const),
          of: some(1, 2),
          maxIterations: fc.integer({ min: 1, max: 3 }),
        }),
        fc.record({ kind: fc.constant('map' as const), of: some(1, 1) }),
      ),
    };
  });
  return sketch.map(named);
}

/** Gives the agents names, and the transfers and the calls of agents their targets. */
function named(sketch: Sketch): Tree {
  const total = sizeOf(sketch);
  let count = 0;
  const name = (one: Sketch, hasParent = false): Tree => {
    const own = `a${String(count++)}`;
    if (one.kind !== 'agent') return { ...one, name: own, of: one.of.map((each) => name(each)) };
    const subAgents = one.subAgents.map((each) => name(each, true));
    const tools = one.tools.map((each) => name(each));
    const targets = {
      // A called agent without agents of its own has no tool for transfers.
      agents: (hasParent && !one.isCalled) || subAgents.length > 0 ? total : 0,
      tools: tools.map((tool) => tool.name),
    };
    const steps = one.deeds.map((deed, index) => stepOf(deed, `${own} ${String(index)}`, targets));
    return { kind: 'agent', name: own, steps, subAgents, tools, isCalled: one.isCalled };
  };
  return name(sketch);
}

function sizeOf(sketch: Sketch): number {
  const below = sketch.kind === 'agent' ? [...sketch.subAgents, ...sketch.tools] : sketch.of;
  return below.reduce((size, one) => size + sizeOf(one), 1);
}

interface Targets {
  /** How many agents the tree has, which a transfer may name: also one that cannot be reached. 0 for no transfers. */
  readonly agents: number;
  readonly tools: readonly string[];
}

function stepOf({ kind, pick }: Deed, text: string, { agents, tools }: Targets): Step {
  const transfers =
    agents === 0 ? [] : [{ call: 'transfer_to_agent', args: { agent_name: `a${String(pick % agents)}` } }];
  const tool = tools[pick % Math.max(1, tools.length)];
  const asks = tool === undefined ? [] : [{ call: tool, args: { request: text } }];
  switch (kind) {
    case 'says':
      return text;
    case 'publishes':
      return { call: 'publish' };
    case 'transfers':
      return transfers[0] ?? text;
    case 'asks':
      return tool === undefined ? text : { call: tool, args: { request: text } };
    case 'publishesAndTransfers':
      return { calls: [{ call: 'publish' }, ...transfers] };
    case 'pays':
      return { call: 'pay' };
    case 'posts':
      return { call: 'post' };
    case 'paysAndAsks':
      return { calls: [{ call: 'pay' }, ...asks] };
    case 'postsAndAsks':
      return { calls: [{ call: 'post' }, ...asks] };
    case 'watches':
      return { call: 'watch' };
    case 'watchesAndPublishes':
      return { calls: [{ call: 'watch' }, { call: 'publish' }] };
    case 'exits':
      return { call: 'exit_loop' };
    case 'fails':
      return { fails: text };
  }
}
