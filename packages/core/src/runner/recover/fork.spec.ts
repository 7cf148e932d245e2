import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  agentTool,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  LlmAgent,
  type Runner,
} from '../../index.js';
import type { FunctionResponse } from '../../events/genai-types.js';
import { COVERED_SEQS } from '../../log/compaction-event.js';
import { FORKED_FROM } from './fork.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('runner.fork', () => {
  it('copies the conversation up to and including an event, and leaves the original as it is', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('instead'));
    const first = await runner.run({ ...address, message: 'First.' });
    await runner.run({ ...address, message: 'Second.' });
    const before = await logOf(runner);

    const copy = await runner.fork({ ...address, at: first.events.at(-1)?.id });
    expect(await runner.ask('Instead.', copy)).toBe('instead');

    expect(copy).toEqual({ appName: 'clerk', userId: 'ada', sessionId: expect.any(String) as string });
    expect(textsOf(model)).toEqual(['First.', 'one', 'Instead.']);
    expect(await logOf(runner)).toEqual(before);
  });

  it('takes an invocation for its last event, and the whole conversation by default', async () => {
    const { runner } = await start(says('one'), says('two'));
    const first = await runner.run({ ...address, message: 'First.' });
    await runner.run({ ...address, message: 'Second.' });

    const some = await runner.fork({ ...address, at: first.events[0]?.invocationId });
    const all = await runner.fork({ ...address, to: { userId: 'bob', sessionId: 's2' } });

    expect((await logOf(runner, some)).map(({ text }) => text)).toEqual(['First.', 'one', '']);
    expect((await logOf(runner, all)).map(({ text }) => text)).toEqual([
      'First.',
      'one',
      'Second.',
      'two',
      '',
    ]);
    expect(all).toEqual({ appName: 'clerk', userId: 'bob', sessionId: 's2' });
  });

  it('says in the log where the copy comes from', async () => {
    const { runner } = await start(says('one'));
    const { events } = await runner.run({ ...address, message: 'First.' });

    const log = await logOf(runner, await runner.fork(address));

    expect(log.at(-1)).toMatchObject({
      author: 'user',
      content: undefined,
      customMetadata: { [FORKED_FROM]: { ...address, eventId: events.at(-1)?.id } },
    });
  });

  it('restores the state of the session as of the event, with what was written without an event', async () => {
    const { runner } = await start(
      callsTool('note', { key: 'mood', value: 'glad' }),
      says('one'),
      callsTool('note', { key: 'mood', value: 'sad' }),
      callsTool('note', { key: 'city', value: 'Paris' }),
      callsTool('note', { key: 'user:seen', value: 'yes' }),
      says('two'),
    );
    await runner.sessions.createSession({ appName: 'clerk', ...address }, { city: 'Oslo' });
    const first = await runner.run({ ...address, message: 'First.' });
    await runner.sessions.updateSession({ appName: 'clerk', ...address }, { city: 'Rome' });
    const second = await runner.run({ ...address, message: 'Second.' });

    const at = first.events.at(-1)?.id;
    const early = await runner.fork({ ...address, at, to: { userId: 'bob' } });
    const late = await runner.fork({ ...address, to: { userId: 'bob' } });

    expect(await stateOf(runner, early)).toEqual({ mood: 'glad', city: 'Rome' });
    expect(await stateOf(runner, late)).toEqual({ mood: 'sad', city: 'Paris' });
    await runner.rewind({ ...late, invocationId: second.events[0]?.invocationId ?? '' });
    expect(await stateOf(runner, late)).toEqual({ mood: 'glad', city: 'Rome' });
  });

  it('copies the artifacts of the session under their versions, and no later one', async () => {
    const { runner } = await start(
      callsTool('draw', { name: 'map', text: 'v0' }),
      callsTool('draw', { name: 'map', text: 'v1' }),
      says('one'),
      callsTool('draw', { name: 'map', text: 'v2' }),
      callsTool('draw', { name: 'map', text: 'v3' }),
      callsTool('draw', { name: 'late', text: 'v0' }),
      callsTool('draw', { name: 'user:photo', text: 'mine' }),
      says('two'),
    );
    await runner.sessions.createSession({ appName: 'clerk', ...address });
    await runner.artifacts.save({ appName: 'clerk', ...address }, 'upload', { text: 'by hand' });
    const first = await runner.run({ ...address, message: 'First.' });
    await runner.run({ ...address, message: 'Second.' });

    const copy = await runner.fork({ ...address, at: first.events.at(-1)?.id, to: { userId: 'bob' } });

    expect(await runner.artifacts.list(copy)).toEqual(['map', 'upload']);
    expect(await runner.artifacts.versions(copy, 'map')).toEqual([0, 1]);
    expect(await runner.artifacts.load(copy, 'map', 0)).toEqual({ text: 'v0' });
    expect(await runner.artifacts.load(copy, 'map')).toEqual({ text: 'v1' });
  });

  it('goes back before a rewind, and respects one that was copied', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('a'), says('b'));
    await runner.run({ ...address, message: 'First.' });
    const second = await runner.run({ ...address, message: 'Second.' });
    await runner.rewind({ ...address, invocationId: second.events[0]?.invocationId ?? '' });

    const undone = await runner.fork({ ...address, at: second.events.at(-1)?.id });
    const rewound = await runner.fork(address);

    await runner.ask('Third.', undone);
    expect(textsOf(model)).toEqual(['First.', 'one', 'Second.', 'two', 'Third.']);
    await runner.ask('Third.', rewound);
    expect(textsOf(model)).toEqual(['First.', 'one', 'Third.']);
  });

  it('shows the model the summary that was copied, and the events before it where the copy ends earlier', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('a'), says('b'));
    const key = { appName: 'clerk', ...address };
    const first = await runner.run({ ...address, message: 'First.' });
    const compaction = {
      startTimestamp: 0,
      endTimestamp: 1,
      compactedContent: { role: 'user', parts: [{ text: 'SUM' }] },
    };
    const customMetadata = { [COVERED_SEQS]: { start: 0, end: 1 } };
    const summary = new Event({
      author: 'user',
      invocationId: 'e-s',
      actions: { compaction },
      customMetadata,
    });
    const session = await runner.sessions.getSession(key);
    if (session !== undefined) await runner.sessions.appendEvent(session, summary);

    await runner.ask('Second.', await runner.fork(address));
    expect(textsOf(model)).toEqual(['[Summary of earlier conversation]', 'SUM', 'Second.']);

    await runner.ask('Second.', await runner.fork({ ...address, at: first.events.at(-1)?.id }));
    expect(textsOf(model)).toEqual(['First.', 'one', 'Second.']);
  });

  it('closes a call that waits for an approval: only the original can run it', async () => {
    const { runner, model, ran } = await start(callsTool('refund'), says('Asked.'), says('Done.'));
    await runner.run({ ...address, message: 'Refund.' });
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('Nothing is pending.');

    const copy = await runner.fork(address);

    expect(await runner.pending(copy)).toEqual([]);
    await expect(runner.approve({ ...request, ...copy })).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
    await runner.ask('And now?', copy);
    expect(ran()).toBe(0);
    expect(JSON.stringify(model.requests.at(-1)?.contents)).toContain('the conversation was copied while');
    expect((await runner.approve(request)).status).toBe('answered');
    expect(ran()).toBe(1);
  });

  it('does not run an approved call again that was open when the conversation was copied', async () => {
    const { runner, ran } = await start(callsTool('refund'), says('Done.'), says('Fine.'));
    await runner.run({ ...address, message: 'Refund.' });
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('Nothing is pending.');
    const approved = await runner.approve(request);
    const log = await logOf(runner);
    const answer = log.find(
      ({ invocationId, author }) => author === 'user' && invocationId === approved.events[0]?.invocationId,
    );

    const copy = await runner.fork({ ...address, at: answer?.id });

    await expect(runner.resume(copy)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
    expect(await runner.recover()).toEqual([]);
    await runner.ask('And now?', copy);
    expect(ran()).toBe(1);
  });

  it('asks again in the copy for a tool that was approved for the whole session', async () => {
    const { runner } = await start(callsTool('refund'), says('Done.'), callsTool('refund'), says('Done.'));
    await runner.run({ ...address, message: 'Refund.' });
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('Nothing is pending.');
    await runner.approve(request, { remember: 'session' });

    const copy = await runner.fork(address);

    const given = (await logOf(runner)).flatMap(({ functionResponses }) => functionResponses);
    const copied = (await logOf(runner, copy)).flatMap(({ functionResponses }) => functionResponses);
    expect(given.filter(({ response }) => response?.['remember'] === 'session')).toHaveLength(1);
    expect(copied).toEqual(given.map(withoutRemember));
    expect((await runner.run({ ...copy, message: 'Refund.' })).status).toBe('paused');
  });

  it('closes the calls of an agent that runs as a tool', async () => {
    const ran: string[] = [];
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      parameters: { type: 'object', properties: {} },
      confirm: true,
      run: () => ran.push('paid'),
    });
    const inner = defineAgent({
      name: 'inner',
      description: 'Pays.',
      tools: [pay],
      model: new ScriptedModel(callsTool('pay'), says('Paid.')),
    });
    const outer = defineAgent({
      name: 'outer',
      description: '',
      tools: [agentTool(inner)],
      model: new ScriptedModel(callsTool('inner', { request: 'Pay.' }), says('Other.'), says('Done.')),
    });
    await using runner = await createRunner(outer);
    await runner.run({ ...address, message: 'Pay.' });
    expect(await runner.pending(address)).toHaveLength(1);

    const copy = await runner.fork(address);

    expect(await runner.pending(copy)).toEqual([]);
    expect(await runner.ask('And now?', copy)).toBe('Other.');
    expect(ran).toEqual([]);
    const [request] = await runner.pending(address);
    if (request !== undefined) await runner.approve(request);
    expect(ran).toEqual(['paid']);
  });

  it('goes on with the agent that a conversation was handed to', async () => {
    const billing = defineAgent({
      name: 'billing',
      description: 'Bills.',
      model: new ScriptedModel(says('Billing.'), says('Still billing.')),
    });
    const front = defineAgent({
      name: 'front',
      description: '',
      subAgents: [billing],
      model: new ScriptedModel(callsTool('transfer_to_agent', { agentName: 'billing' })),
    });
    await using runner = await createRunner(front);
    await runner.ask('Hi.', address);

    expect(await runner.ask('Again.', await runner.fork(address))).toBe('Still billing.');
  });

  it('refuses an event that is not there, a session that is, and a misspelt option, and copies nothing', async () => {
    const { runner } = await start(says('one'), says('two'));
    await runner.run({ ...address, message: 'First.' });
    await runner.run({ ...address, sessionId: 's2', message: 'First.' });
    await runner.artifacts.save({ appName: 'clerk', ...address }, 'map', { text: 'v0' });

    const refusedWith = (code: string) => ({ code });
    await expect(runner.fork({ ...address, at: 'nope', to: { sessionId: 's3' } })).rejects.toMatchObject(
      refusedWith('FORK_POINT_NOT_FOUND'),
    );
    await expect(runner.fork({ ...address, to: { sessionId: 's2' } })).rejects.toMatchObject(
      refusedWith('SESSION_EXISTS'),
    );
    await expect(runner.fork({ userId: 'ada', sessionId: 'nope' })).rejects.toMatchObject(
      refusedWith('SESSION_NOT_FOUND'),
    );
    const misspelt = { ...address, to: { session: 's3' } };
    await expect(runner.fork(misspelt as never)).rejects.toMatchObject(refusedWith('RUN_CONFIG_INVALID'));
    const all = await runner.sessions.listSessions({ appName: 'clerk', userId: 'ada' });
    expect(all.map(({ id }) => id).sort()).toEqual(['s1', 's2']);
    expect(await runner.artifacts.list({ appName: 'clerk', userId: 'ada', sessionId: 's2' })).toEqual([]);
  });

  it('leaves no artifacts behind if the session cannot be stored', async () => {
    const { runner } = await start(says('one'));
    await runner.run({ ...address, message: 'First.' });
    await runner.artifacts.save({ appName: 'clerk', ...address }, 'map', { text: 'v0' });
    const failure = new Error('disk full');
    jest.spyOn(runner.sessions, 'importSession').mockRejectedValue(failure);

    await expect(runner.fork({ ...address, to: { sessionId: 's2' } })).rejects.toBe(failure);

    expect(await runner.artifacts.list({ appName: 'clerk', userId: 'ada', sessionId: 's2' })).toEqual([]);
  });
});

function withoutRemember({ response = {}, ...given }: FunctionResponse): FunctionResponse {
  const { remember: _dropped, ...kept } = response;
  return { ...given, response: kept };
}

async function start(...steps: ScriptedStep[]) {
  let refunds = 0;
  const tools = [
    new FunctionTool({
      name: 'refund',
      description: 'Refunds.',
      parameters: { type: 'object', properties: {} },
      confirm: true,
      idempotent: true,
      run: () => {
        refunds++;
        return 'refunded';
      },
    }),
    new FunctionTool({
      name: 'note',
      description: 'Notes.',
      parameters: { type: 'object', properties: { key: { type: 'string' }, value: { type: 'string' } } },
      run: ({ key, value }: Readonly<Record<string, unknown>>, { state }) => {
        state.set(String(key), value);
      },
    }),
    new FunctionTool({
      name: 'draw',
      description: 'Draws.',
      parameters: { type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } } },
      run: ({ name, text }: Readonly<Record<string, unknown>>, context) =>
        context.saveArtifact(String(name), { text: String(text) }),
    }),
  ];
  @agent({ name: 'clerk', description: '', tools })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model });
  return { runner, model, ran: () => refunds };
}

async function logOf(runner: Runner<unknown>, key: { userId: string; sessionId: string } = address) {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...key });
  return session?.events ?? [];
}

async function stateOf(runner: Runner<unknown>, key: { userId: string; sessionId: string }) {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...key });
  return { ...session?.state };
}

function textsOf(model: ScriptedModel): (string | undefined)[] {
  const { contents = [] } = model.requests.at(-1) ?? {};
  return contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text));
}
