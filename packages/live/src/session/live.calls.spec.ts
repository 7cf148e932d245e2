import {
  callsAllLive,
  callsLive,
  cancelsCalls,
  drops,
  isResumable,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  type FunctionCall,
  LlmAgent,
  type Runner,
  Tool,
  type ToolContext,
} from '@adorn/core';
import {
  createRunner,
  gate,
  isTurnEnd,
  KEY,
  look,
  settled,
  startLive,
  storedOf,
  until,
} from './live.fixture.js';

describe('a call that a provider sends again', () => {
  it('is answered again from the log on another connection, once on each, and does not run', async () => {
    let runs = 0;
    const { live, model } = await startLive({ tools: [look(() => ++runs)] }, [
      untilText(),
      isResumable('h1'),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      drops(),
      callsLive('look', {}, 'c1'),
      callsLive('look', {}, 'c1'),
      speaks('One.'),
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.close();

    expect(runs).toBe(1);
    expect(model.connections.map(({ responses }) => responses)).toEqual([
      [{ id: 'c1', name: 'look', response: { result: 1 } }],
      [{ id: 'c1', name: 'look', response: { result: 1 } }],
    ]);
  });

  it('is not answered again if it was cancelled, or has no answer yet', async () => {
    const { live, model } = await startLive({ tools: [look(() => new Promise(() => undefined))] }, [
      untilText(),
      isResumable('h1'),
      callsLive('look', { at: 1 }, 'c1'),
      callsLive('look', { at: 2 }, 'c2'),
      async () => {
        await settled(20);
        return [cancelsCalls('c1'), drops()];
      },
      callsLive('look', { at: 1 }, 'c1'),
      callsLive('look', { at: 2 }, 'c2'),
      speaks('Nothing yet.'),
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);

    expect(model.connection.responses).toEqual([]);
    await live.close();
  });
});

describe('a call that is cancelled before it arrives', () => {
  it('is stored and answered in the log, and its tool does not run', async () => {
    let runs = 0;
    const { live, model, runner } = await startLive({ tools: [look(() => ++runs)] }, [
      untilText(),
      cancelsCalls('c1'),
      callsLive('look', {}, 'c1'),
      speaks('Never mind.'),
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.close();

    expect(runs).toBe(0);
    expect(model.connection.responses).toEqual([]);
    expect((await storedOf(runner)).filter((line) => line.includes('←'))).toHaveLength(1);
  });
});

describe('stop_streaming', () => {
  class Listener extends Tool {
    readonly description = 'Listens.';
    isOver = false;

    constructor(readonly name: string) {
      super();
    }

    override get takesLiveInput(): boolean {
      return true;
    }

    declaration() {
      return { name: this.name, description: 'Listens.', parametersJsonSchema: { type: 'object' } };
    }

    async *run(_args: unknown, context: ToolContext): AsyncGenerator<string, string, undefined> {
      try {
        for await (const piece of context.liveInput) if (piece.kind === 'text') yield piece.text;
        return 'nothing more';
      } finally {
        this.isOver = true;
      }
    }
  }

  it('ends the tool that it names and no other, and says if that does not run', async () => {
    const [ear, eye] = [new Listener('ear'), new Listener('eye')];
    const { live, model, runner } = await startLive({ tools: [ear, eye] }, [
      untilText(),
      callsAllLive({ id: 'e1', name: 'ear', args: {} }, { id: 'e2', name: 'eye', args: {} }),
      untilResponse(undefined, 2),
      () => settled(5).then(() => callsLive('stop_streaming', { function_name: 'ear' }, 's1')),
      untilResponse('s1'),
      callsLive('stop_streaming', { function_name: 'nose' }, 's2'),
      untilResponse('s2'),
      speaks('Stopped.'),
    ]);
    live.sendText('Listen.');
    await until(live, isTurnEnd);

    expect([ear.isOver, eye.isOver]).toEqual([true, false]);
    const responses = new Map(model.connection.responses.map(({ id, response }) => [id, response]));
    expect(responses.get('s1')).toEqual({ status: 'stopped', tool: 'ear' });
    expect(responses.get('s2')).toEqual({ status: 'not_running', tool: 'nose' });
    await live.close();
    expect(await storedOf(runner)).toContain('clerk ← s2 {"status":"not_running","tool":"nose"}');
  });

  it('is not needed by a tool that ends itself: its last result is read when the model is idle', async () => {
    const ear = new Listener('ear');
    const { promise, open } = gate();
    ear.run = async function* () {
      yield 'first';
      await promise;
      return 'nothing more';
    };
    const { live, model } = await startLive({ tools: [ear] }, [
      untilText(),
      callsLive('ear', {}, 'e1'),
      untilResponse('e1'),
      speaks('I listen.'),
      untilResponse('e1'),
      speaks('That was all.'),
    ]);
    live.sendText('Listen.');
    await until(live, isTurnEnd);
    open();
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses.at(-1)).toMatchObject({ id: 'e1', scheduling: 'when_idle' });
  });

  it('hears what the user says and what the user writes', async () => {
    const ear = new Listener('ear');
    const { live, model } = await startLive({ tools: [ear] }, [
      untilText(),
      callsLive('ear', {}, 'e1'),
      untilResponse('e1'),
      speaks('I listen.'),
    ]);
    live.sendText('Listen.');
    await until(live, isTurnEnd);
    live.sendText('Written.');
    live.steer('For the model alone.');
    await settled();
    model.connection.emit({ kind: 'inputTranscript', text: 'Spoken.' });
    const events = await until(
      live,
      ({ functionResponses: [one] }) => one?.response?.['result'] === 'Spoken.',
    );
    await live.close();

    const heard = events.flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
    expect(heard).toEqual([{ result: 'Written.' }, { result: 'Spoken.' }]);
  });
});

describe('a tool that steers', () => {
  it('ends the live session by escalating, after its response was stored', async () => {
    const leave = look((_args, context) => {
      context.actions.escalate = true;
      return 'bye';
    });
    const { live, runner } = await startLive({ tools: [leave] }, [untilText(), callsLive('look', {}, 'c1')]);
    live.sendText('Leave.');

    expect((await live.ended).status).toBe('answered');
    expect((await storedOf(runner)).at(-1)).toBe('clerk ← c1 {"result":"bye"}');
  });

  it('ends the session with an error after too many calls that are not valid', async () => {
    const { live, runner } = await startLive(
      { tools: [look(undefined)] },
      [untilText(), callsLive('nix', {}, 'c1'), callsLive('nix', {}, 'c2'), callsLive('nix', {}, 'c3')],
      { config: { maxInvalidCalls: 2 } },
    );
    live.sendText('Go.');
    await live.ended;

    expect((await storedOf(runner)).at(-1)).toBe('clerk ! INVALID_CALL_LIMIT');
  });
});

describe('the callbacks of the calls of a live session', () => {
  it('read the state of the conversation', async () => {
    const seen: unknown[] = [];
    class Clerk extends LlmAgent {
      override onToolCall(_calls: readonly FunctionCall[], context: CallbackContext): undefined {
        seen.push(['call', context.state.get('level'), context.agentName]);
      }

      override beforeToolResponse(
        _response: Readonly<Record<string, unknown>>,
        _call: FunctionCall,
        context: CallbackContext,
      ): undefined {
        seen.push(['response', context.state.get('level'), context.agentName]);
      }
    }
    agent({ name: 'clerk', tools: [look()] })(Clerk);
    const model = new ScriptedLive(
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      speaks('One.'),
    );
    await using runner: Runner<unknown> = await createRunner(Clerk, { model: new ScriptedModel() });
    await runner.sessions.createSession({ appName: runner.appName, ...KEY }, { level: 3 });
    const live = runner.live({ ...KEY, model });
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.close();

    expect(seen).toEqual([
      ['call', 3, 'clerk'],
      ['response', 3, 'clerk'],
    ]);
    expect(model.connection.responses[0]?.response).toEqual({ result: 1 });
  });
});
