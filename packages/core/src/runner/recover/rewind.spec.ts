import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  ArtifactService,
  ContainerModule,
  createRunner,
  Event,
  FunctionTool,
  InMemoryArtifactService,
  LlmAgent,
  type PendingRequest,
  type RunConfig,
  type Runner,
} from '../../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const key = { appName: 'clerk', ...address };

describe('a rewind', () => {
  it('hides an invocation and all later ones from the model, and keeps them in the log', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('three'), says('again'));
    await say(runner, 'First.');
    const second = await say(runner, 'Second.');
    await say(runner, 'Third.');

    const rewound = await runner.rewind({ ...address, invocationId: idOf(second) });
    await say(runner, 'Instead.');

    expect(sent(model)).toEqual(['First.', 'one', 'Instead.']);
    expect((await stored(runner)).map(({ text }) => text)).toEqual([
      ...['First.', 'one', 'Second.', 'two', 'Third.', 'three'],
      ...['', 'Instead.', 'again'],
    ]);
    expect(rewound).toMatchObject({
      author: 'user',
      content: undefined,
      actions: { rewindBeforeInvocationId: idOf(second) },
    });
    expect((await stored(runner))[6]).toEqual(rewound);
  });

  it('may go further back than the one before it', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('three'), says('four'));
    const first = await say(runner, 'First.');
    const second = await say(runner, 'Second.');
    await runner.rewind({ ...address, invocationId: idOf(second) });
    await say(runner, 'Third.');

    await runner.rewind({ ...address, invocationId: idOf(first) });
    await say(runner, 'Fourth.');

    expect(sent(model)).toEqual(['Fourth.']);
  });

  it('to one that was undone puts back all that stood before it', async () => {
    const { runner, model } = await start(says('one'), says('two'), says('three'), says('four'));
    const first = await say(runner, 'First.');
    const second = await say(runner, 'Second.');
    await runner.rewind({ ...address, invocationId: idOf(first) });
    await say(runner, 'Third.');

    await runner.rewind({ ...address, invocationId: idOf(second) });
    await say(runner, 'Fourth.');

    expect(sent(model)).toEqual(['First.', 'one', 'Fourth.']);
  });

  it('is undone by a rewind to its own invocation', async () => {
    const { runner, model } = await start(
      callsTool('note', { key: 'mood', value: 'glad' }),
      says('one'),
      says('two'),
    );
    const first = await say(runner, 'First.');
    const rewound = await runner.rewind({ ...address, invocationId: idOf(first) });
    expect(await stateOf(runner)).toEqual({});

    await runner.rewind({ ...address, invocationId: rewound.invocationId });
    await say(runner, 'Second.');

    expect(sent(model)).toEqual(['First.', undefined, undefined, 'one', 'Second.']);
    expect(await stateOf(runner)).toEqual({ mood: 'glad' });
  });

  it('hands the conversation back to the agent that had it', async () => {
    const { runner } = await start(
      says('clerk here'),
      callsTool('transfer_to_agent', { agent_name: 'helper' }),
      says('helper here'),
      says('who?'),
    );
    await say(runner, 'First.');
    const second = await say(runner, 'Help.');
    expect(second.at(-1)?.author).toBe('helper');

    await runner.rewind({ ...address, invocationId: idOf(second) });

    expect((await say(runner, 'Hello?')).at(-1)?.author).toBe('clerk');
  });

  describe('of the state', () => {
    it('restores the keys of the session, and leaves those of the user and the application', async () => {
      const { runner } = await start(says('one'), says('two'));
      await eventsOf(runner.run({ ...address, message: 'First.', stateDelta: { a: 1, b: 1, c: null } }));
      const events = await eventsOf(
        runner.run({
          ...address,
          message: 'Second.',
          stateDelta: { a: 2, b: null, c: 3, d: 4 },
        }),
      );
      const shared = { stateDelta: { 'user:u': 2, 'app:p': 2 } };
      const written = new Event({ invocationId: idOf(events), author: 'clerk', actions: shared });
      const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
      await runner.sessions.appendEvent(session!, written);

      const { actions } = await runner.rewind({ ...address, invocationId: idOf(events) });

      expect(actions.stateDelta).toEqual({ a: 1, b: 1, c: null, d: null });
      expect(await stateOf(runner)).toEqual({ a: 1, b: 1, 'user:u': 2, 'app:p': 2 });
    });

    it('leaves what no undone event wrote, such as what a session was made with', async () => {
      const { runner } = await start(says('one'), says('two'));
      await runner.sessions.createSession(key, { city: 'Oslo' });
      await eventsOf(runner.run({ ...address, message: 'First.', stateDelta: { a: 1 } }));
      await runner.sessions.updateSession(key, { a: 2 });
      const second = await say(runner, 'Second.');

      const { actions } = await runner.rewind({ ...address, invocationId: idOf(second) });

      expect(actions.stateDelta).toEqual({});
      expect(await stateOf(runner)).toEqual({ city: 'Oslo', a: 2 });
    });
  });

  describe('of state that was written without an event', () => {
    it('restores keys from createSession that an undone event overwrote or removed', async () => {
      const { runner } = await start(says('one'), says('two'));
      await runner.sessions.createSession(key, { city: 'Oslo', size: 1, zero: 0 });
      const stateDelta = { city: 'Rome', size: null, zero: 1, later: 1 };
      const first = await eventsOf(runner.run({ ...address, message: 'First.', stateDelta }));

      const { actions } = await runner.rewind({ ...address, invocationId: idOf(first) });

      expect(actions.stateDelta).toEqual({ city: 'Oslo', size: 1, zero: 0, later: null });
      expect(await stateOf(runner)).toEqual({ city: 'Oslo', size: 1, zero: 0 });
    });

    it('restores each key to its latest write before the invocation, by event or by updateSession', async () => {
      const { runner } = await start(says('one'), says('two'), says('three'));
      await runner.sessions.createSession(key, { a: 0, b: 0, c: 0 });
      const tell = (message: string, stateDelta: Record<string, unknown>) =>
        eventsOf(runner.run({ ...address, message, stateDelta }));
      const first = await tell('First.', { a: 1, b: 1 });
      await runner.sessions.updateSession(key, { b: 2, c: null });
      const second = await tell('Second.', { a: 3, b: 3, c: 3 });
      await runner.sessions.updateSession(key, { a: 4, d: 4 });
      await tell('Third.', { a: 5, b: 5, c: 5 });

      await runner.rewind({ ...address, invocationId: idOf(second) });
      expect(await stateOf(runner)).toEqual({ a: 1, b: 2, d: 4 });

      await runner.rewind({ ...address, invocationId: idOf(first) });
      expect(await stateOf(runner)).toEqual({ a: 0, b: 0, c: 0, d: 4 });
    });

    it('is itself undone by a rewind to its invocation', async () => {
      const { runner } = await start(says('one'));
      await runner.sessions.createSession(key, { city: 'Oslo' });
      const stateDelta = { city: 'Rome' };
      const first = await eventsOf(runner.run({ ...address, message: 'First.', stateDelta }));
      const rewound = await runner.rewind({ ...address, invocationId: idOf(first) });

      await runner.rewind({ ...address, invocationId: rewound.invocationId });

      expect(await stateOf(runner)).toEqual({ city: 'Rome' });
    });

    it('restores a value of which the agent wrote a longer copy', async () => {
      const push = new FunctionTool({
        name: 'push',
        description: '',
        run(_args, { state }) {
          state.set('list', [...state.get<string[]>('list', []), 'tea']);
        },
      });
      const model = new ScriptedModel(
        callsTool('push'),
        says('one'),
        callsTool('push'),
        says('two'),
        callsTool('push'),
        says('three'),
      );
      @agent({ name: 'clerk', description: '', tools: [push] })
      class Clerk extends LlmAgent {}
      const runner = await createRunner(Clerk, { model });
      await runner.sessions.createSession(key, { list: [] });
      const first = await say(runner, 'First.');
      const second = await say(runner, 'Second.');

      await runner.rewind({ ...address, invocationId: idOf(second) });
      expect(await stateOf(runner)).toEqual({ list: ['tea'] });
      await runner.rewind({ ...address, invocationId: idOf(first) });
      expect(await stateOf(runner)).toEqual({ list: [] });
      await say(runner, 'Third.');
      expect(await stateOf(runner)).toEqual({ list: ['tea'] });
    });

    it('keeps a key with any name', async () => {
      const { runner } = await start(callsTool('note', { key: '__proto__', value: 2 }), says('one'));
      await runner.sessions.createSession(key, JSON.parse('{"__proto__": 1}') as Record<string, unknown>);
      const first = await say(runner, 'First.');

      await runner.rewind({ ...address, invocationId: idOf(first) });

      const state = (await runner.sessions.getSession(key))?.state ?? {};
      expect(Object.entries(state)).toEqual([['__proto__', 1]]);
    });
  });

  it('saves files again as they were, but not those of the user, and leaves those that are new', async () => {
    const { runner, artifacts } = await start(
      callsTools(save('a.txt', 'a0'), save('user:b.txt', 'b0'), save('d.txt', 'd0')),
      says('one'),
      callsTools(save('a.txt', 'a1'), save('user:b.txt', 'b1'), save('c.txt', 'c0')),
      says('two'),
    );
    await say(runner, 'First.');
    const second = await say(runner, 'Second.');

    const { actions } = await runner.rewind({ ...address, invocationId: idOf(second) });

    const load = async (name: string) => (await artifacts.load(key, name))?.text;
    expect(actions.artifactDelta).toEqual({ 'a.txt': 2 });
    expect(await artifacts.versions(key, 'a.txt')).toEqual([0, 1, 2]);
    expect(await Promise.all(['a.txt', 'user:b.txt', 'c.txt'].map(load))).toEqual(['a0', 'b1', 'c0']);
  });

  it('saves no file again whose earlier version was deleted since', async () => {
    const { runner, artifacts } = await start(
      callsTools(save('a.txt', 'a0'), save('b.txt', 'b0')),
      says('one'),
      callsTools(save('a.txt', 'a1'), save('b.txt', 'b1')),
      says('two'),
    );
    await say(runner, 'First.');
    const second = await say(runner, 'Second.');
    await artifacts.delete(key, 'a.txt');

    const { actions } = await runner.rewind({ ...address, invocationId: idOf(second) });

    expect(actions.artifactDelta).toEqual({ 'b.txt': 2 });
    expect(await artifacts.list(key)).toEqual(['b.txt']);
  });

  describe('of requests', () => {
    it('takes back those that were asked', async () => {
      const { runner } = await start(callsTool('pay'), says('one'));
      const events = await say(runner, 'Pay.');
      const [request] = await runner.pending(address);
      if (request === undefined) throw new Error('nothing is pending');

      await runner.rewind({ ...address, invocationId: idOf(events) });

      expect(await runner.pending(address)).toEqual([]);
      await expect(eventsOf(runner.approve(request))).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    });

    it('opens those again whose rejection is undone, as they were: nothing had run', async () => {
      const { runner, paid } = await start(callsTool('pay'), says('refused'));
      await say(runner, 'Pay.');
      const requests = await runner.pending(address);
      await eventsOf(runner.reject(requests[0] as PendingRequest, { invocationId: 'rejection' }));

      await runner.rewind({ ...address, invocationId: 'rejection' });

      expect([paid, await runner.pending(address)]).toEqual([[], requests]);
    });

    it('opens those again whose answer is undone, to be answered once', async () => {
      const { runner, model, paid } = await start(callsTool('pay', {}, 'c1'), says('paid'), says('refused'));
      await say(runner, 'Pay.');
      const [request] = await runner.pending(address);
      if (request === undefined) throw new Error('nothing is pending');
      await eventsOf(runner.approve(request, { invocationId: 'approval' }));

      await runner.rewind({ ...address, invocationId: 'approval' });

      expect(await runner.pending(address)).toEqual([{ ...request, mayHaveTakenEffect: true }]);
      const answers = await Promise.allSettled([
        eventsOf(runner.reject(request, { reason: 'No.' })),
        eventsOf(runner.reject(request, { reason: 'No!' })),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(paid).toHaveLength(1);
      expect(await runner.pending(address)).toEqual([]);
      expect(model.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toMatchObject({
        error: expect.stringContaining('tool call was rejected after the tool had begun') as string,
        reason: expect.stringMatching(/^No[.!]$/) as string,
        outcome: 'unknown',
      });
    });
  });

  describe('is refused', () => {
    it('to an invocation that is not in the session', async () => {
      const { runner } = await start(says('one'));
      await say(runner, 'First.');

      await expect(runner.rewind({ ...address, invocationId: 'e-9' })).rejects.toMatchObject({
        code: 'INVOCATION_NOT_FOUND',
        message:
          'No event of the session "s1" has the invocationId "e-9". Pass the invocationId of one of its ' +
          'events.',
      });
      expect(await stored(runner)).toHaveLength(2);
    });

    it('in a session that is not there', async () => {
      const { runner } = await start();

      await expect(runner.rewind({ ...address, invocationId: 'e-9' })).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      });
    });

    it('while a run of the session is active where runs are refused then, and not because of one elsewhere', async () => {
      const { runner } = await startWith({ whileActive: 'refuse' }, says('one'), says('two'));
      const first = await say(runner, 'First.');
      const going = runner.run({ ...address, message: 'Second.', invocationId: 'e-2' });
      await going.next();
      const elsewhere = { ...address, sessionId: 's2' };

      await expect(runner.rewind({ ...address, invocationId: idOf(first) })).rejects.toMatchObject({
        code: 'INVOCATION_ACTIVE',
        message:
          'The invocation "e-2" is active. A session runs one invocation at a time. Wait until it has ' +
          "ended, call runner.cancel, or set whileActive: 'queue'.",
      });
      await expect(runner.rewind({ ...elsewhere, invocationId: 'e-9' })).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      });
      await going.return();
      await expect(runner.rewind({ ...address, invocationId: idOf(first) })).resolves.toBeDefined();
    });

    it('where another process said something while it saved files', async () => {
      const { runner, artifacts } = await start(
        callsTools(save('a.txt', 'a0')),
        says('one'),
        callsTools(save('a.txt', 'a1')),
        says('two'),
      );
      await say(runner, 'First.');
      const second = await say(runner, 'Second.');
      artifacts.beforeSave = async () => {
        const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
        const content = { role: 'user', parts: [{ text: 'three' }] };
        if (session === undefined) throw new Error('There is no session.');
        await runner.sessions.appendEvent(
          session,
          new Event({ author: 'user', content }, { invocationId: 'e-3' }),
        );
      };

      await expect(runner.rewind({ ...address, invocationId: idOf(second) })).rejects.toMatchObject({
        code: 'SESSION_CONFLICT',
      });
      expect((await stored(runner)).at(-1)?.text).toBe('three');
    });
  });
});

class WatchedArtifacts extends InMemoryArtifactService {
  beforeSave = () => Promise.resolve();

  override async save(...file: Parameters<InMemoryArtifactService['save']>): Promise<number> {
    await this.beforeSave();
    return super.save(...file);
  }
}

function start(...steps: readonly ScriptedStep[]) {
  return startWith({}, ...steps);
}

async function startWith(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const paid: string[] = [];
  @agent({ description: 'Helps.' })
  class Helper extends LlmAgent {}
  const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => paid.push('paid') });
  @agent({ description: '', tools: [note, keep, pay], subAgents: [Helper] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const artifacts = new WatchedArtifacts();
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(ArtifactService).toConstantValue(artifacts);
    }),
  ];
  return { paid, model, artifacts, runner: await createRunner(Clerk, { model, modules, config }) };
}

const note = new FunctionTool({
  name: 'note',
  description: '',
  parameters: { type: 'object' },
  run({ key, value }: Record<string, unknown>, { state }) {
    state.set(String(key), value);
  },
});

const keep = new FunctionTool({
  name: 'keep',
  description: '',
  parameters: { type: 'object' },
  run: ({ name, text }: Record<string, unknown>, context) =>
    context.saveArtifact(String(name), { text: String(text) }),
});

function save(name: string, text: string) {
  return { id: `keep ${name}`, name: 'keep', args: { name, text } };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

function idOf([event]: readonly Event[]): string {
  return event?.invocationId ?? '';
}

/** What the model was sent last: the text of each content, undefined for calls and responses. */
function sent(model: ScriptedModel) {
  return model.requests.at(-1)?.contents.map(({ parts }) => parts?.[0]?.text);
}

async function stored(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

async function stateOf(runner: Runner) {
  return { ...(await runner.sessions.getSession({ appName: 'clerk', ...address }))?.state };
}
