import fc from 'fast-check';

import type { FunctionResponse } from '../../backend.js';
import { PROPERTY_TIMEOUT } from '../../gates/property-runs.fixture.js';
import { isRequestName } from '../../events/pending-request.js';
import type { Event } from '../../index.js';
import { effectiveEvents } from '../../log/effective-events.js';
import type { Tree } from './agent-tree.fixture.js';
import { expectAnswered, expectSound, Stage, type Way } from './random-stage.fixture.js';
import { trees, treesWithGates, treesWithRaces } from './random-trees.fixture.js';

/** Which of the pending requests is answered next. */
const picks = fc.array(fc.nat(7), { minLength: 1, maxLength: 6 });
/** How many events each process stores before it dies. */
const deaths = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });

/** How the next process goes on. */
const ways = fc.constantFrom<Way>('resume', 'recover');

const TO_NOBODY = { call: 'transfer_to_agent', args: { agent_name: 'a0' } };

/** A tree, the order of the answers and the lives of the processes that went wrong once. */
const FOUND: [Tree, number[], number[], Way][] = [
  [
    {
      kind: 'agent',
      name: 'a0',
      steps: [{ call: 'a1', args: { request: 'Go.' } }],
      tools: [{ kind: 'map', name: 'a1', of: [{ kind: 'agent', name: 'a2', steps: [{ call: 'publish' }] }] }],
    },
    [0],
    [10, 4, 1, 1],
    'resume',
  ],
  [
    {
      kind: 'map',
      name: 'a0',
      of: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [{ call: 'a2', args: { request: 'Go.' } }, 'a1 1'],
          tools: [{ kind: 'agent', name: 'a2', steps: [{ call: 'exit_loop' }] }],
        },
      ],
    },
    [0],
    [8],
    'recover',
  ],
  [
    {
      kind: 'map',
      name: 'a0',
      of: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [
            { call: 'transfer_to_agent', args: { agent_name: 'a0' } },
            { call: 'transfer_to_agent', args: { agent_name: 'a2' } },
          ],
          subAgents: [
            {
              kind: 'agent',
              name: 'a2',
              steps: [
                { call: 'transfer_to_agent', args: { agent_name: 'a0' } },
                { call: 'transfer_to_agent', args: { agent_name: 'a0' } },
                'a2 2',
              ],
            },
          ],
        },
      ],
    },
    [0],
    [7],
    'recover',
  ],
  // A tool's own tool is no further run of it.
  [
    {
      kind: 'agent',
      name: 'a0',
      steps: ['Go.', 'Go on.', 'End.'].map((request) => ({ call: 'a1', args: { request } })),
      tools: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [{ call: 'a2', args: { request: 'Go.' } }, 'a1 1'],
          tools: [
            {
              kind: 'loop',
              name: 'a2',
              maxIterations: 1,
              of: [{ kind: 'agent', name: 'a3', steps: [{ call: 'publish' }, 'a3 1'] }],
            },
          ],
        },
      ],
    },
    [0],
    [],
    'resume',
  ],
  // Items that hand over to nobody, each three times: no count that they share ends the run.
  [
    {
      kind: 'map',
      name: 'a0',
      of: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [{ call: 'publish' }, ...Array.from({ length: 3 }, () => TO_NOBODY)],
          subAgents: [{ kind: 'agent', name: 'a2' }],
        },
      ],
    },
    [0],
    [],
    'resume',
  ],
];

/** A call that waits in an agent that is a tool, beside a call that nobody was asked about when the process died. */
const FOUND_AT_GATES: [Tree, number[], number[], Way][] = [4, 5, 6, 7, 8, 9].map((life) => [
  {
    kind: 'agent',
    name: 'a0',
    steps: [{ calls: [{ call: life < 7 ? 'pay' : 'post' }, { call: 'a1', args: { request: 'Go.' } }] }],
    tools: [{ kind: 'agent', name: 'a1', steps: [{ call: 'pay' }] }],
  },
  [0],
  [life < 7 ? life : life - 3],
  life % 2 === 0 ? 'resume' : 'recover',
]);

/** A process that died behind the end of a race, and left a call of a loser; a loser whose tool is just about to ask. */
const FOUND_IN_RACES: [Tree, number[], number[], Way][] = [
  // A loser of a race that had called is withdrawn by the next process; in the next round its sibling reads its call.
  [
    {
      kind: 'loop',
      name: 'a0',
      maxIterations: 2,
      of: [
        {
          kind: 'race',
          name: 'a1',
          of: [
            { kind: 'agent', name: 'a2', steps: ['a2 0'] },
            { kind: 'map', name: 'a3', of: [{ kind: 'agent', name: 'a4', steps: [{ call: 'watch' }] }] },
          ],
        },
      ],
    },
    [0],
    [7],
    'resume',
  ],
  [
    {
      kind: 'race',
      name: 'a0',
      of: [
        {
          kind: 'sequence',
          name: 'a1',
          of: [{ kind: 'sequence', name: 'a2', of: [{ kind: 'agent', name: 'a3', steps: ['a3 0'] }] }],
        },
        { kind: 'agent', name: 'a4', steps: ['a4 0'] },
        {
          kind: 'loop',
          name: 'a5',
          maxIterations: 1,
          of: [
            { kind: 'map', name: 'a6', of: [{ kind: 'agent', name: 'a7', steps: [{ call: 'publish' }] }] },
          ],
        },
      ],
    },
    [0],
    [9, 3],
    'resume',
  ],
  [
    {
      kind: 'race',
      name: 'a0',
      of: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [{ call: 'a2', args: { request: 'Go.' } }],
          tools: [{ kind: 'agent', name: 'a2', steps: [{ call: 'publish' }] }],
        },
        { kind: 'agent', name: 'a3', steps: ['a3 0'] },
      ],
    },
    [0],
    [],
    'resume',
  ],
];

/** Branches of a tool: one waits for a person when the other spends the budget. A tool beside an agent that spends it. */
const FOUND_IN_BUDGETS: [Tree, number[], number, number][] = [
  [
    {
      kind: 'agent',
      name: 'a0',
      steps: [{ call: 'a1', args: { request: 'Go.' } }, 'a0 1'],
      tools: [{ kind: 'map', name: 'a1', of: [{ kind: 'agent', name: 'a2', steps: [{ call: 'publish' }] }] }],
    },
    [0],
    2,
    0,
  ],
  [
    {
      kind: 'race',
      name: 'a0',
      of: [
        {
          kind: 'agent',
          name: 'a1',
          steps: [{ call: 'a2', args: { request: 'Go.' } }, 'a1 1'],
          tools: [
            {
              kind: 'race',
              name: 'a2',
              of: ['a3', 'a4', 'a5'].map((name) => ({ kind: 'agent', name, steps: [`${name} 0`] })),
            },
          ],
        },
        {
          kind: 'sequence',
          name: 'a6',
          of: [{ kind: 'agent', name: 'a7', steps: [TO_NOBODY], subAgents: [{ kind: 'agent', name: 'a8' }] }],
        },
      ],
    },
    [0],
    5,
    0,
  ],
];

describe('a random tree of agents', () => {
  it(
    'writes the same events with pauses and dying processes as without',
    async () => {
      await fc.assert(
        fc.asyncProperty(trees, picks, deaths, ways, async (tree, order, lives, way) => {
          const whole = new Stage(tree, false);
          const broken = new Stage(tree, true, order, lives, way);

          const wanted = await whole.play();
          const result = await broken.play();

          if (result !== undefined) expect(result.status).toBe(wanted?.status);
          // A run that fails after a pause has only its own text: its first part was the text of another run.
          if (result?.status === 'answered') expect(result.text).toBe(wanted?.text);
          expect(byRun(await broken.stored())).toEqual(byRun(await whole.stored()));
          await expectSound(whole);
          await expectSound(broken);
          if (lives.length === 0) expect(broken.tree.published).toBe(whole.tree.published);
        }),
        { numRuns: 20, examples: FOUND },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'keeps every question that waits, and has no effect twice, wherever its processes die',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithGates, picks, deaths, ways, async (tree, order, lives, way) => {
          const stage = new Stage(tree, true, order, lives, way);

          await stage.play();

          expect(stage.lostRequests).toEqual([]);
          expect([...stage.tree.effects.values()].filter((times) => times > 1)).toEqual([]);
          expect(unaskedUnknowns(await stage.stored())).toEqual([]);
          await expectSound(stage);
        }),
        { numRuns: 30, examples: FOUND_AT_GATES },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'says of each request that a rewind opens again whether its call may have taken effect',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithGates, fc.nat(3), fc.nat(40), async (tree, answers, at) => {
          const stage = new Stage(tree, true);

          const pending = await stage.rewind(answers, at);

          const granted = grantedIn(await stage.stored());
          for (const { id, mayHaveTakenEffect } of pending)
            expect([id, mayHaveTakenEffect ?? false]).toEqual([id, granted.has(id)]);
        }),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'ends, also with races, and leaves no event without its place and no call without its answer',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithRaces, picks, deaths, ways, async (tree, order, lives, way) => {
          const stage = new Stage(tree, true, order, lives, way);

          await stage.play();

          await expectSound(stage);
        }),
        { numRuns: 20, examples: FOUND_IN_RACES },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'has each call answered where its agent sees it, also if beforeRun answers in place of the agents',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithRaces, async (tree) => {
          const stage = new Stage(tree, true);

          await stage.playClosed();

          await expectSound(stage);
        }),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'has each call answered where its agent sees it, also if the run is cancelled behind any event',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithRaces, picks, fc.nat(12), async (tree, order, events) => {
          const stage = new Stage(tree, true, order);

          await stage.playCancelled(events);

          await expectSound(stage);
        }),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'has each call answered where its agent sees it, also if its user says something else before an answer',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          treesWithRaces,
          picks,
          fc.array(fc.boolean(), { maxLength: 6 }),
          async (tree, order, says) => {
            const stage = new Stage(tree, true, order);

            await stage.play({}, says);

            await expectSound(stage);
          },
        ),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'has each call answered where its agent sees it, also in a copy that ends behind any event',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithRaces, fc.nat(3), fc.nat(40), async (tree, answers, at) => {
          const stage = new Stage(tree, true);

          const copied = await stage.playCopied(answers, at);

          expectAnswered(copied);
          await expectSound(stage);
        }),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'has each call answered where its agent sees it, also behind a rewind before any event',
    async () => {
      await fc.assert(
        fc.asyncProperty(treesWithRaces, fc.nat(3), fc.nat(40), async (tree, answers, at) => {
          const stage = new Stage(tree, true);

          await stage.playRewound(answers, at);

          expectAnswered([...effectiveEvents(await stage.stored())]);
          expect(stage.tree.requestFaults).toEqual([]);
        }),
        { numRuns: 20 },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'ends within its budgets of model calls and transfers, those of all its pauses together',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          treesWithRaces,
          picks,
          fc.nat(12),
          fc.nat(3),
          async (tree, order, calls, transfers) => {
            const stage = new Stage(tree, true, order);

            await stage.play({ maxLlmCalls: calls, maxTransfers: transfers });

            const events = await stage.stored();
            expect(stage.tree.modelCalls).toBeLessThanOrEqual(calls);
            expect(
              events.filter(({ actions }) => actions.transferToAgent !== undefined).length,
            ).toBeLessThanOrEqual(transfers);
            await expectSound(stage);
          },
        ),
        { numRuns: 20, examples: FOUND_IN_BUDGETS },
      );
    },
    PROPERTY_TIMEOUT,
  );
});

/** Calls of `pay` that were told as of unknown outcome although nobody had approved them, so that they cannot have run. */
function unaskedUnknowns(events: readonly Event[]): FunctionResponse[] {
  const granted = grantedIn(events);
  const asked = new Map(
    events.flatMap(({ pending }) => pending.map(({ functionCallId, id }) => [functionCallId, id] as const)),
  );
  return events
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name, response }) => name === 'pay' && response?.['outcome'] === 'unknown')
    .filter(({ id = '' }) => !granted.has(asked.get(id) ?? ''));
}

/** The ids of the requests that were approved, also by answers that a rewind undid. */
function grantedIn(events: readonly Event[]): ReadonlySet<string> {
  const answers = events
    .filter(({ author }) => author === 'user')
    .flatMap(({ functionResponses }) => functionResponses);
  return new Set(answers.flatMap(({ id = '', response }) => (response?.['confirmed'] === true ? [id] : [])));
}

/** What each run did, calls with their final responses, without pauses. Runs on several branches write in any order. */
function byRun(events: readonly Event[]): Record<string, unknown[]> {
  const responses = finalResponses(events);
  const done: Record<string, unknown[]> = {};
  for (const { author, branch = '', nodeInfo, content, actions, errorCode } of events) {
    const place = branch.split('.').map((part) => (responses.has(part) ? 'call' : part));
    const run = (done[`${author} ${nodeInfo?.path ?? ''} ${place.join('.')}`] ??= []);
    for (const { text, functionCall } of content?.parts ?? []) {
      if (text !== undefined) run.push(text);
      const { id = '', name, args } = functionCall ?? {};
      if (functionCall !== undefined && !isRequestName(name)) run.push([name, args, responses.get(id)]);
    }
    const { transferToAgent, escalate, endOfAgent } = actions;
    for (const deed of [{ transferToAgent }, { escalate }, { endOfAgent }, { errorCode }])
      if (Object.values(deed)[0] !== undefined) run.push(deed);
  }
  return done;
}

function finalResponses(events: readonly Event[]): ReadonlyMap<string, unknown> {
  const final = events
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ willContinue }) => willContinue !== true);
  return new Map(final.map(({ id = '', response }) => [id, withoutPause(response)]));
}

/** A transfer beside a call that waits is deferred; without the pause it is done at once. */
function withoutPause(response: FunctionResponse['response']): unknown {
  return response?.['status'] === 'deferred' ? { status: 'transferred', agent: response['agent'] } : response;
}
