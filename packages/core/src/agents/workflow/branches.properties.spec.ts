import { says, ScriptedModel } from '@adorn/testing';
import fc from 'fast-check';

import type { Content } from '../../events/genai-types.js';
import { type AgentClass, createRunner, defineAgent, type Event, workflow } from '../../index.js';
import { logOf } from '../../events/session.js';
import { History } from '../../log/history/history.js';
import { sessionOf } from '../../log/session-log.fixture.js';

/** A tree of workflows whose leaves are agents. */
type Tree =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'sequence' | 'parallel' | 'loop' | 'map'; readonly children: readonly Tree[] };

/** Where a run stands: the workflow runs above it, from the root, each with the index of the child that it is in. */
interface Run {
  readonly agent: string;
  readonly above: readonly { readonly run: string; readonly kind: Tree['kind']; readonly child: number }[];
}

const ROUNDS = 2;

describe('what an agent on a branch reads', () => {
  it('is all that had ended before its branch began, and nothing of what runs beside it', async () => {
    await fc.assert(
      fc.asyncProperty(aTree(), fc.integer({ min: 1, max: 3 }), async (tree, turns) => {
        const named = withNames(tree);
        const { read } = await play(named, turns);
        const runs = Array.from({ length: turns }, (_, turn) => runsOf(named, turn)).flat();

        expect(read.size).toBe(runs.length);
        const numbers = numbered(runs);
        for (const [index, run] of runs.entries()) {
          const seen = runs
            .filter((other, at) => at < index && !areBeside(run, other))
            .map((one) => numbers.get(one));
          expect([...(read.get(numbers.get(run) ?? '') ?? [])].sort()).toEqual([...seen].sort());
        }
      }),
    );
  });

  it('is the same in another process, which reads the log anew', async () => {
    await fc.assert(
      fc.asyncProperty(aTree(), fc.integer({ min: 1, max: 3 }), async (tree, turns) => {
        const { events, requests } = await play(withNames(tree), turns);

        for (const { said, contents } of requests) {
          const at = events.findIndex(({ text }) => text === said);
          const { author, nodeInfo, branch } = events[at] as Event;
          const viewer = { name: author, path: (nodeInfo?.path ?? '').replace(/@\d+/g, '') };
          const anew = History.of(sessionOf(...events.slice(0, at)), viewer, { branch });
          expect(anew.contents).toEqual(contents.filter(({ parts }) => !isGoOn(parts?.[0]?.text)));
        }
      }),
    );
  });
});

function isGoOn(text: string | undefined): boolean {
  return text?.startsWith('Continue with the previous request') === true;
}

function aTree(): fc.Arbitrary<Tree> {
  return fc.letrec<{ tree: Tree; inner: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant<Tree>({ kind: 'agent', name: '' }),
      tie('inner'),
    ),
    inner: fc.record({
      kind: fc.constantFrom('sequence' as const, 'parallel' as const, 'loop' as const, 'map' as const),
      children: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
  })).inner;
}

/** The tree with a name for each agent; a map has one child. */
function withNames(tree: Tree, next = { number: 0 }): Tree {
  if (tree.kind === 'agent') return { kind: 'agent', name: `a${String(next.number++)}` };
  const children = tree.kind === 'map' ? tree.children.slice(0, 1) : tree.children;
  return { kind: tree.kind, children: children.map((child) => withNames(child, next)) };
}

/** Plays the tree for some turns: what each run read of others, and its whole request. */
async function play(tree: Tree, turns: number) {
  const read = new Map<string, Set<string>>();
  const requests: { readonly said: string; readonly contents: readonly Content[] }[] = [];
  const counts = new Map<string, number>();
  const model = new ScriptedModel(
    ...Array.from(
      { length: 400 },
      () => (request: { config: { systemInstruction?: unknown }; contents: unknown }) => {
        const name = /I am (\w+)/.exec(String(request.config.systemInstruction))?.[1] ?? '';
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        const said = `<${name}.${String(count)}>`;
        read.set(said, new Set(JSON.stringify(request.contents).match(/<a\d+\.\d+>/g)));
        requests.push({ said, contents: request.contents as readonly Content[] });
        return says(said);
      },
    ),
  );
  await using runner = await createRunner(classOf(tree), { model });
  const address = { userId: 'ada', sessionId: 's' };
  for (let turn = 0; turn < turns; turn++)
    await runner.run({ ...address, message: 'Go.', stateDelta: { items: ['one'] } });
  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  return { read, requests, events: session ? logOf(session) : [] };
}

function classOf(tree: Tree, next = { number: 0 }): AgentClass<unknown> {
  if (tree.kind === 'agent')
    return defineAgent({ name: tree.name, description: tree.name, instruction: `I am ${tree.name}` });
  const name = `w${String(next.number++)}`;
  const children = tree.children.map((child) => classOf(child, next));
  if (tree.kind === 'loop') return workflow.loop(...children, { name, maxIterations: ROUNDS });
  if (tree.kind === 'parallel') return workflow.parallel(...children, { name });
  if (tree.kind === 'sequence') return workflow.sequence(...children, { name });
  return workflow.map(children[0]!, { itemsKey: 'items', outputKey: 'out', name });
}

/** The runs of the agents in one turn, in an order in which each stands behind all that ended before it. */
function runsOf(tree: Tree, turn: number): Run[] {
  return visit(tree, [{ run: `turn ${String(turn)}`, kind: 'sequence', child: turn }], String(turn));
}

function visit(tree: Tree, above: Run['above'], run: string): Run[] {
  if (tree.kind === 'agent') return [{ agent: tree.name, above }];
  const { kind, children } = tree;
  const rounds = kind === 'loop' ? ROUNDS : 1;
  return Array.from({ length: rounds * children.length }, (_, at) => {
    const child = children[at % children.length] as Tree;
    return visit(child, [...above, { run, kind, child: at }], `${run}/${String(at)}`);
  }).flat();
}

/** True if the nearest workflow run above both runs its children side by side. */
function areBeside({ above }: Run, other: Run): boolean {
  for (const [at, { run, kind, child }] of above.entries()) {
    const theirs = other.above[at];
    if (theirs?.run !== run) return false;
    if (theirs.child !== child) return kind === 'parallel' || kind === 'map';
  }
  return false;
}

/** What each run says: the name of its agent and the number of the run. */
function numbered(runs: readonly Run[]): Map<Run, string> {
  const counts = new Map<string, number>();
  return new Map(
    runs.map((run) => {
      const count = (counts.get(run.agent) ?? 0) + 1;
      counts.set(run.agent, count);
      return [run, `<${run.agent}.${String(count)}>`] as const;
    }),
  );
}
