import {
  callsLive,
  callsTool,
  drops,
  endsTurn,
  goesAway,
  hears,
  isResumable,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilResponse,
  untilSent,
  untilText,
} from '@adorn/testing';

import { agent, defineAgent, Event, FunctionTool, LlmAgent } from '@adorn/core';
import type { LiveDirection } from '@adorn/core/backend';
import { createRunner, gate, isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } } },
  run: ({ a }: { a?: number }) => (a ?? 0) + 1,
});

describe('a connection that is continued by its handle', () => {
  it('is told what was stored since the handle, calls and responses as text', async () => {
    const { live, model } = await startLive({ tools: [add] }, [
      isResumable('h1'),
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
      untilResponse('c1'),
      speaks('It is two.'),
      drops(),
    ]);
    live.sendText('Add one and one.');
    await until(live, isResumed);
    await settled();
    await live.close();

    expect(model.connection.sent.slice(0, 1)).toEqual([
      {
        kind: 'text',
        text: 'Add one and one.\n[You called add with {"a":1}.]\n[add returned {"result":2}.]\nIt is two.',
        respond: false,
      },
    ]);
  });

  it('is asked to answer what the user has said last, if nobody has', async () => {
    const { live, model } = await startLive({}, [isResumable('h1'), untilText(), drops()]);
    live.sendText('Hello?');
    await until(live, isResumed);
    await settled();
    await live.close();

    expect(model.connection.sent.slice(0, 1)).toEqual([{ kind: 'text', text: 'Hello?', respond: true }]);
  });

  it.each<[string, LiveStep, string[]]>([
    ['what is older than the newest handle', isResumable('h2'), []],
    [
      'nothing less for a handle that became invalid',
      { kind: 'resumption', handle: undefined },
      ['Hello.\nHello Ada.'],
    ],
  ])('is told again: %s', async (_what, step, told) => {
    const { live, model } = await startLive({}, [
      isResumable('h1'),
      untilText(),
      speaks('Hello Ada.'),
      step,
      drops(),
    ]);
    live.sendText('Hello.');
    await until(live, isResumed);
    await settled();
    await live.close();

    expect(model.connection.contexts).toEqual(told);
    expect(model.connection.texts).toEqual([]);
  });

  it('is not told a second time what an earlier connection was told before its handle', async () => {
    const { live, model } = await startLive({}, [
      isResumable('h1'),
      untilText(),
      speaks('Hello Ada.'),
      drops(),
      untilSent(({ kind }) => kind === 'text'),
      isResumable('h2'),
      drops(),
    ]);
    live.sendText('Hello.');
    await until(live, isResumed);
    await until(live, isResumed);
    await settled();
    await live.close();

    expect(model.connections.map(({ contexts }) => contexts)).toEqual([[], ['Hello.\nHello Ada.'], []]);
  });
});

describe('a connection that is lost before the model has answered', () => {
  it('is followed by one that is asked to, also if that knows the message by its handle', async () => {
    const { live, model } = await startLive({}, [untilText(), isResumable('h1'), drops()]);
    live.sendText('Hello?');
    await until(live, isResumed);
    await settled();
    await live.close();

    expect(model.connection.sent[0]).toEqual({ kind: 'text', text: '', respond: true });
  });

  it.each([
    ['by its handle', [isResumable('h1')]],
    ['with the history', []],
  ])('is followed, %s, by one that has the prompt which nobody has answered', async (_way, handle) => {
    const { live, model } = await startLive({}, [
      ...handle,
      untilText(),
      drops(),
      untilText(),
      speaks('Hello.'),
      drops(),
    ]);
    live.prompt('Greet the caller.');
    await until(live, isTurnEnd);
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(model.connections.map(({ texts }) => texts)).toEqual([
      ['Greet the caller.'],
      ['Greet the caller.'],
      [],
    ]);
  });

  it('is not if the model has ended its turn without a word', async () => {
    const { live, model } = await startLive({}, [isResumable('h1'), untilText(), endsTurn(), drops()]);
    live.sendText('Note it.');
    await until(live, isResumed);
    await settled();
    await live.close();

    expect([model.connection.contexts, model.connection.texts]).toEqual([['Note it.'], []]);
  });

  it('is not for a result that the model does not speak of', async () => {
    const { promise, open } = gate<number>();
    const note = new FunctionTool({
      name: 'note',
      description: 'Notes.',
      parameters: { type: 'object' },
      background: { scheduling: 'silent' },
      run: () => promise,
    });
    const { live, model } = await startLive({ tools: [note] }, [
      untilText(),
      callsLive('note', {}, 'c1'),
      untilResponse('c1'),
      speaks('I note it.'),
      isResumable('h1'),
      untilResponse('c1'),
      drops(),
    ]);
    live.sendText('Note it.');
    await until(live, isTurnEnd);
    open(1);
    await until(live, isResumed);
    await settled();
    await live.close();

    expect([model.connection.contexts, model.connection.texts]).toEqual([
      ['[note returned {"result":1}.]'],
      [],
    ]);
  });
});

describe('a connection that begins without the memory of the one before', () => {
  it('gets the whole history, and nothing of it again', async () => {
    const { live, model } = await startLive({}, [untilText(), speaks('Hello Ada.'), drops()]);
    live.sendText('Hello.');
    await until(live, (event) => event.live?.kind === 'disconnected');
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(textsOf(model)).toEqual(['Hello.', 'Hello Ada.']);
    expect(model.connection.sent.map(({ kind }) => kind)).toEqual(['close']);
  });

  it('is asked to answer what the user was heard to say last, which is stored first', async () => {
    const { live, model, runner } = await startLive({}, [hears('How late is it?'), drops()]);
    await until(live, (event) => event.live?.kind === 'disconnected');
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(model.connections).toHaveLength(2);
    expect([textsOf(model), model.connection.texts]).toEqual([[], ['How late is it?']]);
    expect(await storedOf(runner)).toEqual(['user: How late is it?']);
  });

  it('knows what the model had begun to say on the one before, which is stored first', async () => {
    const { live, model, runner } = await startLive({}, [untilText(), ...speech('One two'), drops()]);
    live.sendText('Count.');
    await until(live, (event) => event.live?.kind === 'disconnected');
    await until(live, isConnected);
    await settled();
    await live.close();

    expect([textsOf(model), model.connection.texts]).toEqual([['Count.', 'One two'], []]);
    expect(await storedOf(runner)).toEqual(['user: Count.', 'clerk: One two']);
  });

  it('is told what the one before has still said while it was replaced', async () => {
    const { live, model, runner } = await startLive({}, [goesAway(60_000), ...speaks('Goodbye.')]);
    await until(live, isConnected);
    await until(live, isConnected);
    await settled();
    await live.close();

    expect([textsOf(model), model.connection.contexts]).toEqual([[], ['Goodbye.']]);
    expect(await storedOf(runner)).toEqual(['clerk: Goodbye.']);
  });

  it.each<[string, readonly LiveStep[]]>([
    ['before the answer', [hears('Please arrange it.'), ...speaks('Noted.')]],
    ['within the answer', [...speech('Noted.'), hears('Please arrange it.'), endsTurn()]],
    [
      'before and within the answer',
      [hears('Please '), ...speech('Noted.'), hears('arrange it.'), endsTurn()],
    ],
    ['at the end of an answer without a word', [hears('Please arrange it.'), endsTurn()]],
  ])('is asked to answer what the user said to the answer of a result: %s', async (_when, answer) => {
    const { live, model, runner } = await renewingLive(
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
      untilResponse('c1'),
      ...answer,
    );
    live.sendText('Add.');
    await until(live, isConnected);
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(model.connection.texts).toEqual(['Please arrange it.']);
    expect((await storedOf(runner)).at(-1)).toBe('user: Please arrange it.');
  });

  it('is not asked to answer speech whose transcript came behind the call that it led to', async () => {
    const { live, model, runner } = await renewingLive(
      callsLive('add', { a: 1 }, 'c1'),
      untilResponse('c1'),
      hears('Add one and one.'),
      ...speaks('It is two.'),
    );
    await until(live, isConnected);
    await until(live, isConnected);
    await settled();
    await live.close();

    expect([textsOf(model).slice(-2), model.connection.texts]).toEqual([
      ['Add one and one.', 'It is two.'],
      [],
    ]);
    expect((await storedOf(runner)).slice(-2)).toEqual(['user: Add one and one.', 'clerk: It is two.']);
  });

  it('is asked to answer what the user wrote while the one before was speaking', async () => {
    const { live, model } = await renewingLive(
      untilText(),
      ...speech('One two '),
      untilText(),
      ...speech('three.'),
      endsTurn(),
    );
    live.sendText('Count.');
    await until(live, ({ outputTranscription }) => outputTranscription !== undefined);
    live.sendText('Backwards!');
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(model.connection.texts).toEqual(['Backwards!']);
  });

  it('is asked to answer a result that the one before has not seen', async () => {
    const Expert = defineAgent({ name: 'expert', description: 'Knows.', instruction: 'Know all.' });
    const { live, model } = await startLive({ subAgents: [Expert] }, [
      untilText(),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 't1'),
      untilText(),
      speaks('I am the expert.'),
    ]);
    live.sendText('An expert, please.');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(events.at(-1)?.author).toBe('expert');
    expect(model.connections).toHaveLength(2);
    expect(model.connection.texts).toHaveLength(1);
  });
});

/** What somebody thinks of an answer, as the log has it. */
const FEEDBACK = new Event({
  author: 'user',
  invocationId: 'e-feedback',
  customMetadata: { 'adorn:feedback': { eventId: 'e', invocationId: 'e-1', by: { id: 'ada' }, score: 1 } },
});

describe('the first connection of a live session', () => {
  it.each<[string, Event[], string[], string[]]>([
    ['a message that nobody has answered: is asked to', [userSays('Are you there?')], [], ['Are you there?']],
    [
      'a message that nobody has answered, and feedback since: is asked to',
      [clerkSays('Hello.'), userSays('Are you there?'), FEEDBACK],
      ['Hello.'],
      ['Are you there?'],
    ],
    [
      'a conversation that was answered: waits for the user',
      [userSays('Are you there?'), clerkSays('Yes.')],
      ['Are you there?', 'Yes.'],
      [],
    ],
  ])('finds %s', async (_what, events, history, asked) => {
    const model = new ScriptedLive();
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model: new ScriptedModel() });
    const session = await runner.sessions.createSession({ appName: runner.appName, ...KEY });
    for (const event of events) await runner.sessions.appendEvent(session, event);
    const live = runner.live({ ...KEY, model });
    await until(live, isConnected);
    await settled();
    await live.close();

    expect(textsOf(model)).toEqual(history);
    expect(model.connection.texts).toEqual(asked);
  });
});

describe('a provider that goes away', () => {
  it('is left at once while nobody speaks, and at the end of the turn otherwise', async () => {
    const { live, model } = await startLive({}, [untilText(), isResumable('h1'), goesAway(60_000)]);
    live.sendText('Hello.');
    await until(live, isResumed);
    expect(model.connections).toHaveLength(2);
    model.connection.emit(...speech('One '), goesAway(60_000), isResumable('h2'));
    await until(live, (event) => event.live?.kind === 'goAway');
    await settled();

    expect(model.connections).toHaveLength(2);
    model.connection.emit(endsTurn());
    await until(live, isResumed);
    expect(model.connections).toHaveLength(3);
    await live.close();
  });
});

describe('a sub-agent that a live agent calls', () => {
  it('works by text, and its last answer is told to the model, which goes on', async () => {
    const Expert = defineAgent({
      name: 'expert',
      description: 'Knows.',
      tools: [add],
      delegation: 'call',
    });
    const model = new ScriptedLive(
      untilText(),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 't1'),
      untilText(),
      speaks('Two, says the expert.'),
    );
    const Clerk = defineAgent({ name: 'clerk', subAgents: [Expert] });
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(callsTool('add', { a: 1 }), says('It is two.')),
    });
    const live = runner.live({ ...KEY, model });
    live.sendText('How much is one and one?');
    const events = await until(live, ({ text }) => text === 'Two, says the expert.');
    await live.close();

    expect(model.connection.texts.at(-1)).toBe('[expert answered: It is two.]');
    expect(events.at(-1)?.author).toBe('clerk');
  });
});

/** A live session whose agent renews the connection at the end of its first turn. */
async function renewingLive(...script: readonly LiveStep[]) {
  let turns = 0;
  @agent({ name: 'clerk', description: 'Test.', instruction: 'Be kind.', tools: [add] })
  class Clerk extends LlmAgent {
    override onLiveTurn({ renew }: LiveDirection): void {
      if (++turns === 1) renew();
    }
  }
  const model = new ScriptedLive(...script);
  const runner = await createRunner(Clerk, { model: new ScriptedModel() });
  return { runner, model, live: runner.live({ ...KEY, model }) };
}

function isConnected({ live }: Event): boolean {
  return live?.kind === 'connected';
}

function isResumed({ live }: Event): boolean {
  return live?.kind === 'connected' && live.resumed;
}

function textsOf(model: ScriptedLive): (string | undefined)[] {
  return model.connection.setup.history.map(({ parts }) => parts?.[0]?.text);
}

function userSays(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'user', content: { role: 'user', parts: [{ text }] } });
}

function clerkSays(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}
