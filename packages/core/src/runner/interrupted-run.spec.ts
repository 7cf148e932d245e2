import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  type EventFields,
  FunctionTool,
  InMemorySessionService,
  ParallelAgent,
  type Session,
  SessionService,
} from '../index.js';
import { RECOVERY_ATTEMPT } from '../log/invocation-chains.js';
import {
  hasInterrupted,
  hasRunUnderWay,
  interruptedCalls,
  interruptedMessage,
  isPausedOnBranch,
  isPauseOfBranch,
  onlyWaits,
} from './interrupted-run.js';

const KEY = { appName: 'clerk', userId: 'ada', sessionId: 's1' };

const look = new FunctionTool({ name: 'look', description: '', effect: 'read', run: () => 'fine' });
const repeat = new FunctionTool({ name: 'repeat', description: '', idempotent: true, run: () => 'done' });
const pay = new FunctionTool({ name: 'pay', description: '', run: () => 'paid' });
const check = new FunctionTool({
  name: 'check',
  description: '',
  reconcile: () => undefined,
  run: () => 'paid',
});
const Clerk = defineAgent({ name: 'clerk', tools: [look, repeat, pay, check] });

const NONE = { again: [], unknown: [], pending: [] };

type Made = Partial<EventFields>;

const SUMMARY: Made = {
  actions: {
    compaction: {
      startTimestamp: 0,
      endTimestamp: 1,
      compactedContent: { role: 'model', parts: [{ text: 'S' }] },
    },
  },
};

const USER: Made = { author: 'user', nodeInfo: undefined };

const ATTEMPT: Made = { author: 'user', customMetadata: { [RECOVERY_ATTEMPT]: 1 } };

describe('the message that an interrupted run answers', () => {
  it.each<[string, Made[]]>([
    ['is the last one', [hears('Hello?')]],
    ['is the one before the calls', [hears('Hello?'), calls('c1'), responds('c1')]],
    ['is not the one of a run before', [hears('Hi.'), answers('Hi.'), hears('Hello?'), calls('c1')]],
    ['is not an answer', [hears('Hello?'), asks('r1'), pends('c1'), { ...responds('r1'), ...USER }]],
    [
      'is not what an agent was given',
      [hears('Hello?'), { ...hears('Item 1'), nodeInfo: { path: 'clerk' } }],
    ],
    ['is not what an agent said in a log without paths', [hears('Hello?'), calls('c1', { author: 'clerk' })]],
    ['is in front of a recovery attempt', [hears('Hello?'), ATTEMPT]],
    ['is in front of a summary', [hears('Hello?'), SUMMARY]],
    ['is in front of the pause of a branch', [hears('Hello?'), { ...asks('r1'), branch: 'a' }]],
    ['is in front of a pending response on a branch', [hears('Hello?'), { ...pends('c1'), branch: 'a' }]],
  ])('%s', async (_what, log) => {
    const { root, session } = await logged(...log);

    expect(interruptedMessage(root, session, undefined, NONE)?.parts).toEqual([{ text: 'Hello?' }]);
    expect(interruptedMessage(root, session, 'e-1', NONE)?.parts).toEqual([{ text: 'Hello?' }]);
  });

  it('is none where the run began with an answer', async () => {
    const { root, session } = await logged({ ...responds('r1'), ...USER });

    expect(interruptedMessage(root, session, undefined, NONE)).toBeUndefined();
  });

  it('is that of the run, also where an agent that runs as a tool was interrupted', async () => {
    const inner = { ...calls('c2'), invocationId: 'e-1.sub.c1', isolationScope: 'x/c1' };
    const { root, session } = await logged(hears('Hello?'), calls('c1'), inner);

    expect(interruptedMessage(root, session, 'e-1', NONE)?.parts).toEqual([{ text: 'Hello?' }]);
  });

  it('is looked for behind a question where calls were interrupted beside it', async () => {
    const { root, session } = await logged(hears('Hello?'), callsOf('look', 'pay'), asks('r-pay'));
    const interrupted = interruptedCalls(root, session, { answers: [] });

    expect(hasInterrupted(interrupted)).toBe(true);
    expect(interruptedMessage(root, session, undefined, interrupted)?.parts).toEqual([{ text: 'Hello?' }]);
  });

  it.each<[string, Made[]]>([
    ['there is no event', []],
    ['the run has an answer', [hears('Hello?'), answers('Hi.')]],
    ['the run has an answer, and was summarised', [hears('Hello?'), answers('Hi.'), SUMMARY]],
    ['the run waits for a person', [hears('Pay.'), asks('r1'), pends('c1')]],
    ['the run died behind its question', [hears('Pay.'), asks('r1')]],
  ])('is refused where %s', async (_what, log) => {
    const { root, session } = await logged(...log);

    expect(() => interruptedMessage(root, session, undefined, NONE)).toThrow(
      'The last run of the session "s1" has ended, or waits for an answer.',
    );
  });

  it('is refused for another run than the last', async () => {
    const { root, session } = await logged(hears('Hello?'), ATTEMPT);

    expect(() => interruptedMessage(root, session, 'e-0', NONE)).toThrow(
      'The run "e-0" is not the last one of its session, which is "e-1".',
    );
  });
});

describe('the pause of a branch', () => {
  it.each<[string, Made, boolean]>([
    ['a question on a branch', { ...asks('r1'), branch: 'a' }, true],
    ['a pending response on a branch', { ...pends('c1'), branch: 'a' }, true],
    ['a question on a branch of an agent that runs as a tool', scoped('c1.a', asks('r1')), true],
    ['a question of an agent that runs as a tool', scoped('c1', asks('r1')), false],
    ['a question beside a call', { ...beside(asks('r1'), calls('c1')), branch: 'a' }, false],
    ['a question without a branch', asks('r1'), false],
    ['an interim result of a user', { ...pends('c1'), branch: 'a', author: 'user' }, false],
    ['a final response', { ...responds('c1'), branch: 'a' }, false],
    ['a call', { ...calls('c1'), branch: 'a' }, false],
    ['a text', { ...answers('Hi.'), branch: 'a' }, false],
  ])('is %s, or not', async (_what, made, isPause) => {
    const { session } = await logged(hears('Go.'), made);
    const { session: summarised } = await logged(hears('Go.'), made, SUMMARY, ATTEMPT);

    expect(isPauseOfBranch(session.events[1] as Event)).toBe(isPause);
    expect([isPausedOnBranch(session), isPausedOnBranch(summarised)]).toEqual([isPause, isPause]);
  });

  it('is not the end of a session without events', async () => {
    expect(isPausedOnBranch((await logged()).session)).toBe(false);
  });
});

describe('a run of which branches wait for a person', () => {
  const first = { author: 'a', nodeInfo: { path: 'both/a' }, branch: 'a' };
  const second = { author: 'b', nodeInfo: { path: 'both/b' }, branch: 'b' };
  const done = { ...answers('Done.'), actions: { endOfAgent: true } };

  it.each<[string, Made[], boolean, boolean]>([
    ['has no event', [], false, false],
    [
      'waits on one branch, while another is under way',
      [asks('r1', first), calls('c2', second)],
      false,
      true,
    ],
    [
      'waits on one branch, and the other has ended',
      [asks('r1', first), { ...done, ...second }],
      true,
      false,
    ],
    ['waits on both branches', [asks('r1', first), asks('r2', second)], true, false],
    ['does not wait', [calls('c1', first)], false, true],
    [
      'waits, and a later message is under way',
      [asks('r1', first), { ...hears('And?'), invocationId: 'e-2' }],
      false,
      false,
    ],
  ])('%s', async (_what, log, waits, isUnderWay) => {
    const { root, session } = await logged(...(log.length === 0 ? [] : [hears('Go.')]), ...log);

    expect([onlyWaits(root, session), hasRunUnderWay(root, session)]).toEqual([waits, isUnderWay]);
  });
});

describe('the calls of a run that was interrupted', () => {
  it('run again if that does no harm; the others have an unknown outcome', async () => {
    const names = ['look', 'repeat', 'pay', 'check', 'gone'];
    const { root, session } = await logged(hears('Go.'), callsOf(...names));

    const { again, unknown, pending } = interruptedCalls(root, session, { answers: [] });

    expect(again.map(({ open }) => open.call.name)).toEqual(['look', 'repeat', 'check']);
    expect(again.every(({ kind, isInterrupted }) => kind === 'again' && isInterrupted === true)).toBe(true);
    expect(unknown.map(({ call }) => call.name)).toEqual(['pay', 'gone']);
    expect(pending).toEqual([]);
  });

  it('are those that the message does not answer', async () => {
    const { root, session } = await logged(hears('Go.'), callsOf('look', 'pay'));
    const { again, unknown } = interruptedCalls(root, session, { answers: [] });
    const answered = unknown.map((open) => ({ open, kind: 'result' as const }));

    expect(interruptedCalls(root, session, { answers: [...again, ...answered] })).toEqual(NONE);
  });

  it('are none where all have their responses', async () => {
    const { root, session } = await logged(hears('Go.'), calls('c1'), responds('c1'));

    const interrupted = interruptedCalls(root, session, { answers: [] });

    expect([interrupted, hasInterrupted(interrupted)]).toEqual([NONE, false]);
  });

  it('are answered in one event, in their order, without those that run again', async () => {
    const { runner } = await logged(hears('Go.'), callsOf('pay', 'look', 'gone'));

    const [first, second] = await eventsOf(runner.resume({ userId: 'ada', sessionId: 's1' }));

    expect(first?.content?.parts?.map(({ functionResponse }) => functionResponse?.name)).toEqual([
      'pay',
      'gone',
    ]);
    expect(first).toMatchObject({ author: 'clerk', nodeInfo: { path: 'clerk' }, content: { role: 'user' } });
    expect(second?.functionResponses.map(({ name }) => name)).toEqual(['look']);
  });
});

function hears(text: string): Made {
  return { author: 'user', content: { role: 'user', parts: [{ text }] } };
}

function answers(text: string): Made {
  return { ...at('clerk'), content: { role: 'model', parts: [{ text }] }, turnComplete: true };
}

function at(path: string): Made {
  return { author: path, nodeInfo: { path } };
}

function calls(id: string, place: Made = at('clerk')): Made {
  return { ...place, content: { role: 'model', parts: [{ functionCall: { id, name: 'pay', args: {} } }] } };
}

function callsOf(...names: string[]): Made {
  const parts = names.map((name) => ({ functionCall: { id: `c-${name}`, name, args: {} } }));
  return { ...at('clerk'), content: { role: 'model', parts } };
}

function responds(id: string): Made {
  const parts = [{ functionResponse: { id, name: 'pay', response: { result: 'paid' } } }];
  return { ...at('clerk'), content: { role: 'user', parts } };
}

function pends(id: string): Made {
  const functionResponse = { id, name: 'pay', response: { status: 'pending' }, willContinue: true };
  return { ...at('clerk'), content: { role: 'user', parts: [{ functionResponse }] } };
}

/** A question to a person about the call of the same number. */
function asks(id: string, place: Made = at('clerk')): Made {
  const call = { id: id.replace('r', 'c'), name: 'pay', args: {} };
  const args = { originalFunctionCall: call, toolConfirmation: { hint: 'Pay?', confirmed: false } };
  const parts = [{ functionCall: { id, name: 'adk_request_confirmation', args } }];
  return { ...place, content: { role: 'user', parts }, longRunningToolIds: [id] };
}

/** The parts of both in one event. */
function beside(first: Made, second: Made): Made {
  const parts = [first, second].flatMap(({ content }) => content?.parts ?? []);
  return { ...first, content: { role: 'user', parts } };
}

function scoped(branch: string, made: Made): Made {
  return { ...made, branch, isolationScope: 'x/c1' };
}

/** A session with these events, and a tree to which they belong. */
async function logged(...log: readonly Made[]) {
  const isParallel = log.some(({ author }) => author === 'a' || author === 'b');
  @agent({
    name: 'both',
    description: '',
    subAgents: ['a', 'b'].map((name) => defineAgent({ name, tools: [pay] })),
  })
  class Both extends ParallelAgent {}
  const store = new InMemorySessionService();
  let session: Session = await store.createSession(KEY);
  for (const made of log)
    session = await store.appendEvent(session, new Event({ author: 'clerk', invocationId: 'e-1', ...made }));
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  const root: AgentClass<unknown> = isParallel ? Both : Clerk;
  const runner = await createRunner(root, {
    appName: 'clerk',
    model: new ScriptedModel(says('Done.')),
    modules,
    config: { takeOverAfter: 0 },
  });
  return { runner, root: runner.root, session };
}
