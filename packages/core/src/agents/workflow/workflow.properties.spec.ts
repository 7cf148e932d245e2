import { callsTool, says, type ScriptedStep } from '@adorn/testing';
import fc from 'fast-check';

import { type AgentClass, type Event, loop, parallel, sequence } from '../../index.js';
import { Conversation, Desk, lines } from './workflow.fixture.js';

/** What an agent of the tree does in one of its runs. */
type Deed = 'says' | 'publishes' | 'exits' | 'fails';

type Tree =
  | { readonly kind: 'agent'; readonly deeds: readonly Deed[] }
  | { readonly kind: 'sequence' | 'parallel'; readonly children: readonly Tree[] }
  | { readonly kind: 'loop'; readonly children: readonly Tree[]; readonly maxIterations: number };

const deeds = fc.array(fc.constantFrom<Deed>('says', 'says', 'publishes', 'publishes', 'exits', 'fails'), {
  minLength: 1,
  maxLength: 4,
});

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const children = fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
  return {
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({ kind: fc.constant('agent' as const), deeds }),
      fc.record({ kind: fc.constantFrom('sequence' as const, 'parallel' as const), children }),
      fc.record({
        kind: fc.constant('loop' as const),
        children,
        maxIterations: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  };
});

describe('a random tree of sequences, parallel agents and loops', () => {
  it('writes the same events with pauses, each answered in a process of its own, as without', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), async (shape, picks) => {
        const [plain, paused] = [new Desk(false), new Desk(true)];
        const whole = new Conversation(build(shape, plain));
        const broken = new Conversation(build(shape, paused));

        const { status, text } = await answerOf(whole);
        const after = await answerOf(broken, picks);

        expect(after).toEqual({ status, text });
        expect(byPath(await broken.stored())).toEqual(byPath(await whole.stored()));
        expect(paused.ran).toEqual(plain.ran);
        expect(await broken.pending()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

/** A root is always a workflow. */
function build(shape: Tree, desk: Desk): AgentClass<unknown> {
  let agents = 0;
  const built = (one: Tree): AgentClass<unknown> => {
    if (one.kind === 'agent') return desk.agent(`a${String(agents++)}`, ...one.deeds.flatMap(steps), ...REST);
    const children = one.children.map(built);
    if (one.kind === 'loop') return loop(...children, { maxIterations: one.maxIterations });
    return one.kind === 'sequence' ? sequence(...children) : parallel(...children);
  };
  return sequence(built(shape), { name: 'top' });
}

/** More runs than a tree can ask of one agent. */
const REST: readonly ScriptedStep[] = Array.from({ length: 30 }, () => says('rest'));

function steps(deed: Deed, index: number): ScriptedStep[] {
  switch (deed) {
    case 'says':
      return [says(`said ${String(index)}`)];
    case 'publishes':
      return [callsTool('publish'), says(`published ${String(index)}`)];
    case 'exits':
      return [callsTool('exit_loop')];
    case 'fails':
      return [
        () => {
          throw new TypeError('No paper.');
        },
      ];
  }
}

/** Answers requests, in the order that the picks give, until none is left. */
async function answerOf(conversation: Conversation, picks: readonly number[] = []) {
  const first = await conversation.open();
  let result = await first.run({ ...Conversation.address, message: 'Go.' });
  for (let round = 0; ; round++) {
    const pending = await conversation.pending();
    const request = pending[(picks[round % picks.length] ?? 0) % Math.max(1, pending.length)];
    if (request === undefined) return { status: result.status, text: result.text };
    result = await (await conversation.open()).approve(request);
  }
}

/** What each run wrote, without the pauses. Runs on several branches write in any order. */
function byPath(events: readonly Event[]): Record<string, string[]> {
  const written: Record<string, string[]> = {};
  for (const event of events) {
    const { nodeInfo, author, branch = '', functionCalls, functionResponses, actions } = event;
    if (author === 'user' || functionCalls[0]?.name?.startsWith('adk_') === true) continue;
    if (functionResponses[0]?.willContinue === true) continue;
    const end = actions.endOfAgent === true ? ' end' : '';
    (written[`${nodeInfo?.path ?? ''} ${branch}`] ??= []).push(`${lines([event]).join('')}${end}`);
  }
  return written;
}
