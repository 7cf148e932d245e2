import {
  callsAllLive,
  callsLive,
  cancelsCalls,
  drops,
  goesAway,
  hears,
  isInterrupted,
  isResumable,
  ManualClock,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  twice,
  untilAudio,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { defineAgent, FunctionTool, type PendingRequest, type Runner } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import {
  createRunner,
  gate,
  isTurnEnd,
  KEY,
  settled,
  shownOf,
  startLive,
  storedOf,
  until,
} from './live.fixture.js';
import { PENDING_RESPONSE } from '../../../core/src/events/placeholder-response.js';

const NUMBERS = { type: 'object', properties: { a: { type: 'number' } } };

function add(run: (args: { a?: number }) => unknown = ({ a = 0 }) => a + 1, traits = {}): FunctionTool {
  return new FunctionTool({ name: 'add', description: 'Adds.', parameters: NUMBERS, run, ...traits });
}

describe('a live session', () => {
  it('sends a text and stores the transcript of the speech as the answer', async () => {
    const { runner, live, model } = await startLive({}, [untilText(), speaks('Hello Ada.')]);
    live.sendText('Hi.');

    const events = await until(live, isTurnEnd);

    const pieces = events.filter(({ audio }) => audio !== undefined);
    expect(pieces.map(({ partial, audio }) => [partial, audio?.byteLength])).toEqual([
      [true, 960],
      [true, 960],
    ]);
    expect(events.at(-1)).toMatchObject({ outputTranscription: { text: 'Hello Ada.', finished: true } });
    expect(model.connection.setup).toMatchObject({
      instruction: expect.stringContaining('Be kind.') as string,
    });
    await live.close();
    expect(await storedOf(runner)).toEqual(['user: Hi.', 'clerk: Hello Ada.']);
    expect(await live.ended).toMatchObject({ status: 'answered', text: 'Hello Ada.' });
    expect(model.connection.isClosed).toBe(true);
  });

  it('passes speech on at once, and stores what was heard', async () => {
    const { runner, live, model } = await startLive({}, [
      untilAudio(2),
      hears('How late is it?'),
      speaks('Noon.'),
    ]);
    void live.sendAudio(new Uint8Array([1, 2]));
    await live.sendAudio(
      (async function* () {
        yield await Promise.resolve(new Uint8Array([3, 4]));
      })(),
    );
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.sent.map(({ kind }) => kind)).toEqual(['audio', 'audio', 'endAudio', 'close']);
    expect(await storedOf(runner)).toEqual(['user: How late is it?', 'clerk: Noon.']);
  });

  it('answers each call once, with the name and id of the call', async () => {
    const { runner, live, model } = await startLive({ tools: [add()] }, [
      untilText(),
      callsAllLive(
        { id: 'c1', name: 'add', args: { a: 1 } },
        { name: 'add', args: { a: 2 } },
        { id: 'c3', name: 'nix' },
      ),
      untilResponse(undefined, 3),
      speaks('Done.'),
    ]);
    live.sendText('Add.');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses.map(({ id, name }) => [id, name]).toSorted()).toEqual([
      ['', 'add'],
      ['c1', 'add'],
      ['c3', 'nix'],
    ]);
    expect(model.connection.responses.find(({ id }) => id === 'c1')?.response).toEqual({ result: 2 });
    const stored = await storedOf(runner);
    expect(stored.filter((line) => line.includes('←'))).toHaveLength(3);
    expect(stored.at(-1)).toBe('clerk: Done.');
  });

  it('does not run a call twice that the provider sends twice', async () => {
    let runs = 0;
    const { live, model } = await startLive({ tools: [add(() => ++runs)] }, [
      untilText(),
      twice(callsLive('add', { a: 1 }, 'c1')),
      untilResponse('c1'),
      speaks('Done.'),
    ]);
    live.sendText('Add.');
    await until(live, isTurnEnd);

    expect(runs).toBe(1);
    expect(model.connection.responses).toHaveLength(1);
    await live.close();
  });

  it('stops a cancelled call and does not answer it, whatever its tool does later', async () => {
    const { promise, open } = gate();
    const signals: AbortSignal[] = [];
    const tool = new FunctionTool({
      name: 'add',
      description: 'Adds.',
      parameters: NUMBERS,
      run: async (_args, { signal }) => {
        signals.push(signal);
        await promise;
        return 'late';
      },
    });
    const { runner, live, model } = await startLive({ tools: [tool] }, [
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
      async () => {
        await settled(20);
        return [cancelsCalls('c1'), speaks('Never mind.')];
      },
    ]);
    live.sendText('Add.');
    await until(live, isTurnEnd);
    open();
    await settled();
    await live.close();

    expect(signals[0]?.aborted).toBe(true);
    expect(model.connection.responses).toEqual([]);
    const answers = (await storedOf(runner)).filter((line) => line.includes('←'));
    expect(answers).toEqual([expect.stringContaining('outcome unknown')]);
  });

  it('shows an interruption in the tick in which it arrives, and keeps what was heard of the answer', async () => {
    const clock = new ManualClock();
    const script = [untilText(), speech('One two three four.')];
    const { runner, live, model } = await startLive({ tools: [] }, script, {}, [], clock);
    live.sendText('Count.');
    await until(live, ({ audio }) => audio !== undefined);
    await settled();
    await clock.advance(1);
    const reading = live[Symbol.asyncIterator]();
    const shown: string[] = [];
    model.connection.emit(...isInterrupted());
    await Promise.resolve();
    await Promise.resolve();
    for (let step = await reading.next(); step.done !== true; step = await reading.next()) {
      shown.push(shownOf(step.value));
      if (isTurnEnd(step.value)) break;
    }
    await live.close();

    expect(shown.filter((line) => line.includes('interrupted'))[0]).toBe('clerk (interrupted)');
    expect(await storedOf(runner)).toEqual(['user: Count.', 'clerk: One (interrupted)']);
  });

  it('goes on while a background tool runs, and gives its result with its scheduling', async () => {
    const { promise, open } = gate<string>();
    const tool = add(() => promise, { background: { scheduling: 'interrupt' } });
    const { live, model } = await startLive({ tools: [tool] }, [
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
      untilResponse('c1'),
      speaks('I am looking.'),
      untilResponse('c1'),
      speaks('Found it.'),
    ]);
    live.sendText('Add.');
    await until(live, isTurnEnd);
    open('three');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.setup.backgroundTools).toEqual(['add']);
    expect(model.connection.responses).toEqual([
      { id: 'c1', name: 'add', response: { status: 'running', tool: 'add' }, willContinue: true },
      { id: 'c1', name: 'add', response: { result: 'three' }, scheduling: 'interrupt' },
    ]);
  });

  it.each<[string, (runner: Runner, live: LiveSession, request: PendingRequest) => Promise<unknown>]>([
    ['live', (_runner, live, request) => live.approve(request)],
    ['runner', async (runner, _live, request) => runner.approve(request)],
  ])(
    'answers a call as pending, goes on, and runs it when it is approved by %s.approve',
    async (_by, approve) => {
      const { runner, live, model } = await startLive({ tools: [add(undefined, { confirm: true })] }, [
        untilText(),
        callsLive('add', { a: 1 }, 'c1'),
        untilResponse('c1'),
        speaks('Shall I?'),
        untilResponse('c1'),
        speaks('Done.'),
      ]);
      live.sendText('Add.');
      await until(live, isTurnEnd);
      const [request] = await runner.pending(KEY);
      if (request === undefined) throw new Error('Nothing is pending.');

      await approve(runner, live, request);
      await until(live, isTurnEnd);

      await expect(live.approve(request)).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
      await live.close();
      expect(model.connection.responses.map(({ response }) => response)).toEqual([
        PENDING_RESPONSE,
        { result: 2 },
      ]);
    },
  );

  it('continues a dropped connection by its handle: no call runs twice, and nothing is lost', async () => {
    let runs = 0;
    const { promise, open } = gate();
    const tool = add(async () => {
      runs++;
      await promise;
      return runs;
    });
    const { runner, live, model } = await startLive({ tools: [tool] }, [
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
      isResumable('h1'),
      drops(),
      callsLive('add', { a: 1 }, 'c1'),
      untilResponse('c1'),
      speaks('One.'),
    ]);
    live.sendText('Add.');
    await until(live, (event) => event.live?.kind === 'connected' && event.live.resumed);
    void live.sendAudio(new Uint8Array(4));
    open();
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connections.map(({ setup }) => setup.resume)).toEqual([undefined, 'h1']);
    expect(runs).toBe(1);
    expect(await storedOf(runner)).toEqual([
      'user: Add.',
      'clerk → add {"a":1} (c1)',
      'clerk ← c1 {"result":1}',
      'clerk: One.',
    ]);
  });

  it('sends the history again where a connection cannot be continued, and asks again for what was owed', async () => {
    const { live, model } = await startLive({}, [untilText(), drops(), untilText(), speaks('Here.')]);
    live.sendText('Are you there?');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(events.flatMap(({ live: news }) => news?.kind ?? [])).toEqual([
      'connected',
      'disconnected',
      'connected',
    ]);
    expect(model.connections[1]?.texts).toEqual(['Are you there?']);
    expect(model.connections[1]?.setup.history).toEqual([]);
  });

  it('connects again before the provider goes away', async () => {
    const { live, model } = await startLive({}, [
      isResumable('h1'),
      goesAway(1_000),
      untilText(),
      speaks('Still here.'),
    ]);
    await until(live, (event) => event.live?.kind === 'connected' && event.live.resumed);
    live.sendText('Hello?');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connections.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    expect(model.connections[1]?.texts).toEqual(['Hello?']);
  });

  it('hands over to another agent on the same handle, with its instruction and tools', async () => {
    const Expert = defineAgent({ name: 'expert', instruction: 'Know all.', tools: [add()] });
    const { runner, live, model } = await startLive({ subAgents: [Expert] }, [
      isResumable('h1'),
      untilText(),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 't1'),
      untilText(),
      speaks('I am the expert.'),
      untilText(),
      speaks('Yes.'),
    ]);
    live.sendText('An expert, please.');
    await until(live, isTurnEnd);
    live.sendText('Really?');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connections[1]?.setup).toMatchObject({
      resume: 'h1',
      instruction: expect.stringContaining('Know all.') as string,
    });
    expect((await storedOf(runner)).slice(-3)).toEqual([
      'expert: I am the expert.',
      'user: Really?',
      'expert: Yes.',
    ]);
  });

  it('is continued by text, and continues a conversation by text', async () => {
    const { runner, live } = await startLive({}, [untilText(), speaks('It is noon.')], {}, [
      says('Twelve.'),
      says('As I said.'),
    ]);
    live.sendText('How late is it?');
    await until(live, isTurnEnd);
    await live.close();

    expect(await runner.ask('In numbers?', KEY)).toBe('Twelve.');

    const model = new ScriptedLive(untilText(), speaks('Bye.'));
    await using again = runner.live({ ...KEY, model });
    again.sendText('Thanks.');
    await until(again, isTurnEnd);
    expect(model.connection.setup.history.map(({ parts }) => parts?.[0]?.text)).toEqual([
      'How late is it?',
      'It is noon.',
      'In numbers?',
      'Twelve.',
    ]);
  });

  it('says what the model cannot do before anything is sent', async () => {
    const model = ScriptedLive.able({ voices: false }, speaks('Hello.'));
    const { live } = await startLive({}, [], { model, voice: 'Kore' });

    expect((await live.ended).events.map(shownOf)).toEqual(['clerk ! LIVE_NOT_SUPPORTED']);
    expect(model.connections).toEqual([]);
  });

  it('names the agent whose model has no live counterpart', async () => {
    const runner = await createRunner(defineAgent({ name: 'mute' }), { model: new ScriptedModel() });
    const { error } = await runner.live(KEY).ended;

    expect(error?.message).toContain('The agent "mute" cannot hold a live conversation');
  });

  it('drops video that the connection does not take, tells of it, and never drops speech', async () => {
    const { live, model } = await startLive({}, [isResumable('h1')]);
    await until(live, (event) => event.live?.kind === 'connected');
    model.connection.bufferedBytes = 10_000_000;
    for (let frame = 0; frame < 5; frame++) {
      live.sendVideo(new Uint8Array(2));
      void live.sendAudio(new Uint8Array(2));
    }
    model.connection.bufferedBytes = 0;
    live.sendVideo(new Uint8Array(3));
    const [first, second] = [await until(live, isDrop), await until(live, isDrop)];
    await live.close();

    expect([first.at(-1)?.live, second.at(-1)?.live]).toEqual([
      { kind: 'videoDropped', frames: 1 },
      { kind: 'videoDropped', frames: 4 },
    ]);
    expect(model.connection.sent.filter(({ kind }) => kind === 'audio')).toHaveLength(5);
    expect(model.connection.sent.filter(({ kind }) => kind === 'video')).toHaveLength(1);
  });

  it('ends with CANCELLED when it is cancelled, with no call unanswered', async () => {
    const { runner, live } = await startLive({ tools: [add(() => new Promise(() => undefined))] }, [
      untilText(),
      callsLive('add', { a: 1 }, 'c1'),
    ]);
    live.sendText('Add.');
    await until(live, ({ functionCalls }) => functionCalls.length > 0);
    live.cancel();
    await live.ended;

    const stored = await storedOf(runner);
    expect(stored.filter((line) => line.includes('←'))).toHaveLength(1);
    expect(stored.at(-1)).toBe('clerk ! CANCELLED');
  });
});

function isDrop({ live }: { live?: { kind: string } | undefined }): boolean {
  return live?.kind === 'videoDropped';
}
