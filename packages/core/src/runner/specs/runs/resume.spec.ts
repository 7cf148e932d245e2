import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { FunctionToolFields, ToolSource } from '../../../backend.js';
import { OUTCOME_UNKNOWN } from '../../../gates/outcome.js';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
  StaticToolset,
  type ToolContext,
} from '../../../index.js';
import { PENDING_RESPONSE } from '../../../events/placeholder-response.js';

describe('a call whose process died while it ran', () => {
  it.each<[string, Partial<FunctionToolFields>]>([
    ['declared idempotent', { idempotent: true }],
    ['that only reads', { effect: 'read' }],
  ])('runs again with the same key if its tool is %s', async (_what, fields) => {
    const keys: string[] = [];
    const run = (_args: unknown, { idempotencyKey }: ToolContext) => keys.push(idempotencyKey);
    const first = await start({ ...fields, run }, callsTool('pay', { cents: 5 }, 'c1'), says('Paid.'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const again = await start({ ...fields, run }, says('Paid.'));
    await crash(again.store, ...(await until(first.store, isCall)));

    const events = await eventsOf(again.runner.resume(address));

    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(responsesIn(events)).toEqual([{ id: 'c1', name: 'pay', response: { result: 2 } }]);
    expect(events.at(-1)?.text).toBe('Paid.');
  });

  it('has a key of its own, in another session and for another call', async () => {
    const keys = new Set<string>();
    const run = (_args: unknown, { idempotencyKey }: ToolContext) => keys.add(idempotencyKey);
    const { runner } = await start(
      { run },
      callsTool('pay', {}, 'c1'),
      callsTool('pay', {}, 'c2'),
      says('Paid.'),
      callsTool('pay', {}, 'c1'),
      says('Paid.'),
    );

    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    await eventsOf(runner.run({ ...address, sessionId: 's2', message: 'Pay.' }));

    expect(keys.size).toBe(3);
    expect([...keys].every((key) => /^[\w-]{43}$/.test(key))).toBe(true);
  });

  it('does not run again otherwise: the model is told that the outcome is unknown', async () => {
    const ran: unknown[] = [];
    const { runner, store, model } = await start({ run: () => ran.push(1) }, says('I do not know.'));
    await crash(store, user('Pay.'), call('c1'));

    const events = await eventsOf(runner.resume(address));

    expect(ran).toEqual([]);
    expect(responsesIn(events)).toMatchObject([{ id: 'c1', response: { outcome: 'unknown' } }]);
    expect(model.requests[0]?.contents).toHaveLength(3);
    expect(events.at(-1)?.text).toBe('I do not know.');
  });

  it('runs again if it only reads, also as the tool of a toolset', async () => {
    const look = new FunctionTool({ name: 'pay', description: '', effect: 'read', run: () => 'paid before' });
    const { runner, store } = await start({ tools: [new StaticToolset([look])] }, says('It is paid.'));
    await crash(store, user('Is it paid?'), call('c1'));

    const events = await eventsOf(runner.resume(address));

    expect(responsesIn(events)).toEqual([{ id: 'c1', name: 'pay', response: { result: 'paid before' } }]);
  });

  it('has an unknown outcome also where its toolset does not list the tool any more', async () => {
    const { runner, store, model } = await start({ tools: [new StaticToolset([])] }, says('I do not know.'));
    await crash(store, user('Pay.'), call('c1'));

    const events = await eventsOf(runner.resume(address));

    expect(responsesIn(events)).toEqual([{ id: 'c1', name: 'pay', response: OUTCOME_UNKNOWN }]);
    expect(model.requests).toHaveLength(1);
  });

  it('runs again before a new message is answered, and the model reads both', async () => {
    const ran: unknown[] = [];
    const fields = { effect: 'read' as const, run: () => ran.push(1) };
    const { runner, store, model } = await start(fields, says('Both.'));
    await crash(store, user('Look.'), call('c1'));

    await eventsOf(runner.run({ ...address, message: 'And?' }));

    expect(ran).toEqual([1]);
    expect(model.requests[0]?.contents.map(({ parts = [] }) => Object.keys(parts[0] ?? {})[0])).toEqual([
      'text',
      'functionCall',
      'functionResponse',
      'text',
    ]);
  });

  it('waits for a yes if it died before one was given, and needs no second one if it died after it', async () => {
    const ran: unknown[] = [];
    const fields = { idempotent: true, confirm: true, run: () => ran.push(1) };
    const first = await start(fields, callsTool('pay', {}, 'c1'), says('Paid.'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const [request] = await first.runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    await eventsOf(first.runner.approve(request));
    ran.length = 0;

    const unasked = await start(fields);
    await crash(unasked.store, ...(await until(first.store, isCall)));
    await eventsOf(unasked.runner.resume(address));
    const approved = await start(fields, says('Paid.'));
    const isApproval = (event: Event): boolean =>
      event.author === 'user' && event.functionResponses.length > 0;
    await crash(approved.store, ...(await until(first.store, isApproval)));
    expect(await approved.runner.pending(address)).toEqual([]);

    await eventsOf(approved.runner.resume(address));

    expect(ran).toEqual([1]);
    expect(await unasked.runner.pending(address)).toMatchObject([{ kind: 'confirmation', tool: 'pay' }]);
    expect(await approved.runner.pending(address)).toEqual([]);
  });

  it.each<[string, unknown, number]>([
    ['runs again where idempotent says so', true, 1],
    ['does not run where idempotent says no', false, 0],
    ['does not run where idempotent throws', new Error('no idea'), 0],
  ])('%s, which gets its checked arguments', async (_what, decision, runs) => {
    const ran: unknown[] = [];
    const asked: unknown[] = [];
    const { runner, store } = await start(
      {
        parameters: { type: 'object', properties: { cents: { type: 'number' } } },
        run: () => ran.push(1),
        idempotent: (args, { functionCallId }) => {
          asked.push([args, functionCallId]);
          if (decision instanceof Error) throw decision;
          return decision as boolean;
        },
      },
      says('Done.'),
    );
    await crash(store, user('Pay.'), call('c1', { cents: '5' }));

    const events = await eventsOf(runner.resume(address));

    expect(asked).toEqual([[{ cents: 5 }, 'c1']]);
    expect(ran).toHaveLength(runs);
    expect(responsesIn(events)).toMatchObject([
      { id: 'c1', response: runs === 1 ? { result: 1 } : { outcome: 'unknown' } },
    ]);
    expect(events.at(-1)?.text).toBe('Done.');
  });

  it.each<[string, Partial<FunctionToolFields>, number]>([
    ['a reading tool runs again', { effect: 'read' }, 1],
    ['a tool with reconcile is reconciled', { reconcile: () => 'paid before' }, 0],
  ])('of %s without the question whether it is idempotent', async (_what, fields, runs) => {
    const ran: unknown[] = [];
    const asked: unknown[] = [];
    const idempotent = (): boolean => {
      asked.push(1);
      return false;
    };
    const { runner, store } = await start({ run: () => ran.push(1), idempotent, ...fields }, says('Done.'));
    await crash(store, user('Pay.'), call('c1'));

    await eventsOf(runner.resume(address));

    expect([asked, ran]).toEqual([[], Array.from({ length: runs }, () => 1)]);
  });

  it('that was approved and not interrupted runs, also if idempotent says no', async () => {
    const ran: unknown[] = [];
    const fields = { confirm: true, idempotent: () => false, run: () => ran.push(1) };
    const { runner } = await start(fields, callsTool('pay', {}, 'c1'), says('Paid.'));
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    await eventsOf(runner.approve(request));

    expect(ran).toEqual([1]);
  });

  it('that was approved, and that idempotent refuses, asks nobody for an approval again', async () => {
    const fields = { confirm: true, idempotent: () => false, run: () => 'paid' };
    const first = await start(fields, callsTool('pay', {}, 'c1'), says('Paid.'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const [request] = await first.runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    await eventsOf(first.runner.approve(request));
    const { runner, store } = await start(fields, says('I do not know.'));
    const isApproval = (event: Event): boolean =>
      event.author === 'user' && event.functionResponses.length > 0;
    await crash(store, ...(await until(first.store, isApproval)));

    await eventsOf(runner.resume(address));

    expect(await runner.pending(address)).toEqual([]);
  });

  it('is left to reconcile where its tool has it, whatever idempotent says', async () => {
    const fields = { idempotent: () => false, reconcile: () => 'found', run: () => 'paid' };
    const { runner, store } = await start(fields, says('Done.'));
    await crash(store, user('Pay.'), call('c1'));

    const events = await eventsOf(runner.resume(address));

    expect(responsesIn(events)).toMatchObject([{ response: { result: 'found' } }]);
  });

  it.each<[string, unknown, readonly unknown[], number]>([
    ['has the result that reconcile finds', { paid: 5 }, [{ paid: 5 }], 0],
    ['runs again if reconcile finds nothing', undefined, [{ result: 1 }], 1],
  ])('%s', async (_what, found, responses, runs) => {
    const ran: unknown[] = [];
    const asked: unknown[] = [];
    const fields: Partial<FunctionToolFields> = {
      run: () => ran.push(1),
      reconcile: (args, { idempotencyKey }) => {
        asked.push([args, idempotencyKey.length]);
        return found;
      },
    };
    const { runner, store } = await start(fields, says('Done.'));
    await crash(store, user('Pay.'), call('c1', { cents: 5 }));

    const events = await eventsOf(runner.resume(address));

    expect(asked).toEqual([[{ cents: 5 }, 43]]);
    expect(responsesIn(events).map(({ response }) => response)).toEqual(responses);
    expect(ran).toHaveLength(runs);
  });

  it('does not run if reconcile fails: its outcome stays unknown', async () => {
    const ran: unknown[] = [];
    const fields = { run: () => ran.push(1), reconcile: () => Promise.reject(new Error('no answer')) };
    const { runner, store } = await start(fields, says('I do not know.'));
    await crash(store, user('Pay.'), call('c1'));

    const events = await eventsOf(runner.resume(address));

    expect(ran).toEqual([]);
    expect(responsesIn(events)).toMatchObject([{ response: { outcome: 'unknown' } }]);
  });

  it('is never reconciled in an ordinary run', async () => {
    const asked: unknown[] = [];
    const fields = { run: () => 'paid', reconcile: () => asked.push(1) };
    const { runner } = await start(fields, callsTool('pay'), says('Paid.'));

    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    expect(asked).toEqual([]);
  });
});

describe('calls of one answer whose process died', () => {
  it('run again if they may, also where a person is asked about another and the outcome of a third is unknown', async () => {
    const ran: unknown[] = [];
    const { runner, store, model } = await start({ idempotent: true, run: () => ran.push(1) });
    const parts = [
      { functionCall: { id: 'c1', name: 'pay', args: {} } },
      { functionCall: { id: 'c2', name: 'gone', args: {} } },
      { functionCall: { id: 'c3', name: 'pay', args: {} } },
    ];
    await crash(
      store,
      user('Pay.'),
      event({ author: 'clerk', content: { role: 'model', parts } }),
      asks('c3'),
    );

    const events = await eventsOf(runner.resume(address));

    expect(ran).toEqual([1]);
    expect(responsesIn(events)).toMatchObject([
      { id: 'c2', response: { outcome: 'unknown' } },
      { id: 'c3', response: PENDING_RESPONSE },
      { id: 'c1', response: { result: 1 } },
    ]);
    expect(model.requests).toEqual([]);
  });
});

describe('runner.resume', () => {
  it('has the model answer the message whose run died before it', async () => {
    const { runner, store, model } = await start({}, says('Hello.'));
    await crash(store, user('Hello?'));

    const result = await runner.resume(address);

    expect(result).toMatchObject({ status: 'answered', text: 'Hello.' });
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Hello?' }] }]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
    expect(session?.events.map(({ author }) => author)).toEqual(['user', 'clerk']);
  });

  it('shows the agent the message of the interrupted run as that of its user', async () => {
    const store = new InMemorySessionService();
    const seen: unknown[] = [];
    const Clerk = defineAgent({
      name: 'clerk',
      instruction: ({ userContent }) => {
        seen.push(userContent?.parts);
        return 'Help.';
      },
    });
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
    const config = { takeOverAfter: 0 };
    const runner = await createRunner(Clerk, { model: new ScriptedModel(says('Hello.')), modules, config });
    await crash(store, user('Hello?'));

    await runner.resume(address);

    expect(seen).toEqual([[{ text: 'Hello?' }]]);
  });

  it('continues under the id of the interrupted run if that is passed', async () => {
    const { runner, store } = await start({}, says('Hello.'));
    await crash(store, user('Hello?'));

    const events = await eventsOf(runner.resume({ ...address, invocationId: 'e-1' }));

    expect(events.map(({ invocationId }) => invocationId)).toEqual(['e-1']);
  });

  it('is refused for a run that is not the last, naming it', async () => {
    const { runner, store, model } = await start({});
    await crash(store, user('Hello?'));

    await expect(eventsOf(runner.resume({ ...address, invocationId: 'e-0' }))).rejects.toMatchObject({
      code: 'NOTHING_TO_RESUME',
      message: expect.stringContaining('which is "e-1"'),
    });
    expect(model.requests).toEqual([]);
  });

  it.each<[string, readonly ScriptedStep[], Partial<FunctionToolFields>]>([
    ['has an answer', [says('Hello.')], {}],
    ['waits for a person', [callsTool('pay')], { confirm: true }],
    ['waits for a result', [callsTool('pay')], { longRunning: true }],
  ])('is refused where the last run %s', async (_what, steps, fields) => {
    const { runner } = await start(fields, ...steps);
    await eventsOf(runner.run({ ...address, message: 'Go on.' }));

    await expect(eventsOf(runner.resume(address))).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it('stores the pending response of a question that a log of an earlier version ends with, and asks no model', async () => {
    const first = await start({ confirm: true }, callsTool('pay', {}, 'c1'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const { runner, store, model } = await start({ confirm: true }, says('Paid.'));
    await crash(store, ...(await until(first.store, isQuestion)));

    const resumed = await eventsOf(runner.resume(address));

    expect(responsesIn(resumed)).toMatchObject([{ id: 'c1', willContinue: true }]);
    expect(model.requests).toEqual([]);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    const events = await eventsOf(runner.approve(request));
    expect(responsesIn(events)).toContainEqual(expect.objectContaining({ response: { result: 'paid' } }));
  });

  it('is refused for a session that does not exist, which it does not create', async () => {
    const { runner } = await start({});

    await expect(eventsOf(runner.resume(address))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await runner.sessions.getSession({ appName: runner.appName, ...address })).toBeUndefined();
  });

  it('is refused for a session without events', async () => {
    const { runner, store } = await start({});
    await crash(store);

    await expect(eventsOf(runner.resume(address))).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it.each([{ message: 'Hello?' }, { by: 'eve' }, { session: 's1' }])(
    'refuses the option %j',
    async (option) => {
      const { runner } = await start({});

      await expect(eventsOf(runner.resume({ ...address, ...option }))).rejects.toMatchObject({
        code: 'RUN_CONFIG_INVALID',
      });
    },
  );
});

describe('a question whose process died before its call was answered as pending', () => {
  it('is told to the model as pending with the next message, and can still be approved', async () => {
    const first = await start({ confirm: true }, callsTool('pay', {}, 'c1'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const { runner, store, model } = await start({ confirm: true }, says('Wait.'), says('Paid.'));
    await crash(store, ...(await until(first.store, isQuestion)));

    const events = await eventsOf(runner.run({ ...address, message: 'And?' }));
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    const approved = await eventsOf(runner.approve(request));

    const pending = { id: 'c1', name: 'pay', response: PENDING_RESPONSE };
    expect(responsesIn(events)).toEqual([{ ...pending, willContinue: true }]);
    expect(responsesIn(approved)).toContainEqual({ id: 'c1', name: 'pay', response: { result: 'paid' } });
    expect(model.requests.map(({ contents }) => JSON.stringify(contents).includes('unknown'))).toEqual([
      false,
      false,
    ]);
    const [asked] = model.requests;
    expect(JSON.stringify(asked?.contents)).toContain('"status":"pending"');
  });

  it('is not told twice', async () => {
    const { runner } = await start({ confirm: true }, callsTool('pay', {}, 'c1'), says('Wait.'));
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    const events = await eventsOf(runner.run({ ...address, message: 'And?' }));

    expect(responsesIn(events)).toEqual([]);
  });

  it('gets no pending response where the message answers it', async () => {
    const first = await start({ confirm: true }, callsTool('pay', {}, 'c1'));
    await eventsOf(first.runner.run({ ...address, message: 'Pay.' }));
    const { runner, store } = await start({ confirm: true }, says('Paid.'));
    await crash(store, ...(await until(first.store, isQuestion)));
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    const events = await eventsOf(runner.approve(request));

    expect(responsesIn(events)).toEqual([{ id: 'c1', name: 'pay', response: { result: 'paid' } }]);
  });

  it('stands in one response event with the lost calls of the same answer, and resume asks no model before it is answered', async () => {
    const { runner, store, model } = await start({}, says('Both are known.'));
    const parts = ['c1', 'c2'].map((id) => ({ functionCall: { id, name: 'pay', args: {} } }));
    await crash(
      store,
      user('Pay twice.'),
      event({ author: 'clerk', content: { role: 'model', parts } }),
      asks('c2'),
    );

    const events = await eventsOf(runner.resume(address));

    expect(events.map(({ functionResponses }) => functionResponses)).toMatchObject([
      [
        { id: 'c1', response: { outcome: 'unknown' } },
        { id: 'c2', response: PENDING_RESPONSE, willContinue: true },
      ],
    ]);
    expect(model.requests).toEqual([]);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    await eventsOf(runner.reject(request));
    expect(model.requests).toHaveLength(1);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

async function start(
  { tools, ...fields }: Partial<FunctionToolFields> & { readonly tools?: readonly ToolSource[] },
  ...steps: readonly ScriptedStep[]
): Promise<{ runner: Runner; store: InMemorySessionService; model: ScriptedModel }> {
  const store = new InMemorySessionService();
  const model = new ScriptedModel(...steps);
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object' },
    run: () => 'paid',
    ...fields,
  });
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
  const runner = await createRunner(defineAgent({ name: 'clerk', model, tools: tools ?? [pay] }), {
    appName: 'clerk',
    modules,
    config: { takeOverAfter: 0 },
  });
  return { runner, store, model };
}

function user(text: string): Event {
  return event({ author: 'user', content: { role: 'user', parts: [{ text }] } });
}

function call(id: string, args: Record<string, unknown> = {}): Event {
  const parts = [{ functionCall: { id, name: 'pay', args } }];
  return event({ author: 'clerk', content: { role: 'model', parts } });
}

/** Asks a person whether a call of `pay` may run. */
function asks(callId: string): Event {
  const id = `request-${callId}`;
  const originalFunctionCall = { id: callId, name: 'pay', args: {} };
  const args = { originalFunctionCall, toolConfirmation: { hint: 'Pay?', confirmed: false } };
  const parts = [{ functionCall: { id, name: 'adk_request_confirmation', args } }];
  return event({ author: 'clerk', content: { role: 'user', parts }, longRunningToolIds: [id] });
}

function event(body: ConstructorParameters<typeof Event>[0]): Event {
  return new Event(body, { invocationId: 'e-1', timestamp: 1 });
}

/** The log of a process that died after these events. */
async function crash(store: SessionService, ...events: readonly Event[]): Promise<void> {
  let session = await store.createSession({ appName: 'clerk', ...address });
  for (const one of events) session = await store.appendEvent(session, one);
}

/** The events of the session up to the first of a kind. */
async function until(store: SessionService, isLast: (event: Event) => boolean): Promise<Event[]> {
  const session = await store.getSession({ appName: 'clerk', ...address });
  const events = [...(session?.events ?? [])];
  return events.slice(0, events.findIndex(isLast) + 1);
}

function isCall({ functionCalls }: Event): boolean {
  return functionCalls.length > 0;
}

function isQuestion({ longRunningToolIds }: Event): boolean {
  return longRunningToolIds.length > 0;
}

function responsesIn(events: readonly Event[]) {
  return events.flatMap(({ functionResponses }) => functionResponses);
}
