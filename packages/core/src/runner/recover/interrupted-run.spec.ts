import { sessionCompaction } from '@adorn/compaction';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EventFields } from '../../backend.js';
import {
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
  workflow,
  type Session,
  SessionService,
} from '../../index.js';
import { interruptedCalls, interruptedMessage } from './interrupted-run.js';
import { PENDING_RESPONSE } from '../../events/placeholder-response.js';

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

/** What an earlier version wrote before it recovered a run. */
const ATTEMPT: Made = { author: 'user', customMetadata: { 'adorn:recoveryAttempt': 1 } };

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
    const { session } = await logged(...log);

    expect(interruptedMessage(session)?.parts).toEqual([{ text: 'Hello?' }]);
  });

  it('is none in a log without messages', async () => {
    const { session } = await logged({ ...responds('r1'), ...USER });

    expect(interruptedMessage(session)).toBeUndefined();
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

    expect(interruptedCalls(root, session, { answers: [] })).toEqual(NONE);
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

  it.each(['pay', 'repeat', 'check'])(
    'are told as rejected if a person had rejected them: %s',
    async (name) => {
      const log = [
        hears('Go.'),
        calls('c1', at('clerk'), name),
        asks('r1', name),
        pends('c1'),
        rejects('r1'),
      ];
      const { runner } = await logged(...log);

      const events = await eventsOf(runner.resume({ userId: 'ada', sessionId: 's1' }));

      expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
        { name, response: { error: 'tool call was rejected', reason: 'Too much.' } },
      ]);
      expect(JSON.stringify(events)).not.toContain('unknown');
    },
  );

  it('have an unknown outcome if a person has rejected what may have happened before', async () => {
    const asked = asks('r1', 'pay', { mayHaveTakenEffect: true });
    const { runner } = await logged(hears('Go.'), calls('c1'), asked, pends('c1'), rejects('r1'));

    const events = await eventsOf(runner.resume({ userId: 'ada', sessionId: 's1' }));

    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { name: 'pay', response: { outcome: 'unknown', reason: 'Too much.' } },
    ]);
  });
});

describe('a message that continues an interrupted run', () => {
  const address = { userId: 'ada', sessionId: 's1' };
  const sign = new FunctionTool({ name: 'sign', description: '', confirm: true, run: () => 'signed' });
  const opener = defineAgent({ name: 'opener', description: '' });
  const clerk = defineAgent({ name: 'clerk', description: '', tools: [look, sign] });
  const Flow = workflow.sequence(opener, clerk, { name: 'flow' });
  const log = [hears('Go.'), ends('flow/opener'), calls('c1', at('flow/clerk'), 'look')];

  it('is of one chain with it: an answer to what the message asks runs no agent again that had ended', async () => {
    const { runner } = await loggedIn(Flow, log, callsTool('sign'), says('Signed.'));
    const { pending } = await runner.run({ ...address, message: 'Hello?' });

    const { status, events } = await runner.approve(pending[0] as PendingRequest);

    expect(status).toBe('answered');
    expect(events.filter(({ author }) => author === 'opener')).toEqual([]);
  });

  it('is of no chain with it if none of its calls runs again', async () => {
    const { runner } = await logged(hears('Go.'), calls('c1'));
    await runner.run({ ...address, message: 'Hello?' });

    const session = await runner.sessions.getSession(KEY);

    const message = session?.events.find(({ text }) => text === 'Hello?');
    expect(message?.customMetadata).toBeUndefined();
  });
});

function hears(text: string): Made {
  return { author: 'user', content: { role: 'user', parts: [{ text }] } };
}

function answers(text: string): Made {
  return { ...at('clerk'), content: { role: 'model', parts: [{ text }] }, turnComplete: true };
}

function at(path: string): Made {
  return { author: path.split('/').at(-1) ?? path, nodeInfo: { path } };
}

function ends(path: string): Made {
  return { ...at(path), actions: { endOfAgent: true } };
}

function calls(id: string, place: Made = at('clerk'), name = 'pay'): Made {
  return { ...place, content: { role: 'model', parts: [{ functionCall: { id, name, args: {} } }] } };
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
  const functionResponse = { id, name: 'pay', response: PENDING_RESPONSE, willContinue: true };
  return { ...at('clerk'), content: { role: 'user', parts: [{ functionResponse }] } };
}

/** A question to a person about the call of the same number. */
function asks(id: string, name = 'pay', more: object = {}): Made {
  const call = { id: id.replace('r', 'c'), name, args: {} };
  const args = { originalFunctionCall: call, toolConfirmation: { hint: 'Pay?', confirmed: false }, ...more };
  const parts = [{ functionCall: { id, name: 'adk_request_confirmation', args } }];
  return { ...at('clerk'), content: { role: 'user', parts }, longRunningToolIds: [id] };
}

function rejects(id: string): Made {
  const response = { confirmed: false, reason: 'Too much.' };
  const parts = [{ functionResponse: { id, name: 'adk_request_confirmation', response } }];
  return { ...USER, content: { role: 'user', parts } };
}

/** A session with these events, and a tree to which they belong. */
function logged(...log: readonly Made[]) {
  return loggedIn(Clerk, log, says('Done.'));
}

async function loggedIn(tree: AgentClass<unknown>, log: readonly Made[], ...steps: ScriptedStep[]) {
  const store = new InMemorySessionService();
  let session: Session = await store.createSession(KEY);
  for (const made of log)
    session = await store.appendEvent(session, new Event({ author: 'clerk', invocationId: 'e-1', ...made }));
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  const runner = await createRunner(tree, {
    appName: 'clerk',
    model: new ScriptedModel(...steps),
    modules: [...modules, sessionCompaction],
    config: { takeOverAfter: 0 },
  });
  return { runner, root: runner.root, session };
}
