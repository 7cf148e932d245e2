import { createRunner, defineAgent, Tool, type ToolContext } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';

import { ScriptedModel } from '../scripted/scripted.model.js';
import { LiveReader } from './live-reader.js';
import {
  callsLive,
  drops,
  endsTurn,
  type LiveStep,
  speaks,
  untilResponse,
  untilState,
  untilText,
  untilYield,
} from './live-step.js';
import { ScriptedLive } from './scripted.live.js';

/** Yields how loud the caller is, and writes it to the state. */
class Listener extends Tool {
  readonly name = 'listen';
  readonly description = 'Listens.';

  override get takesLiveInput(): boolean {
    return true;
  }

  declaration() {
    return { name: 'listen', description: 'Listens.', parametersJsonSchema: { type: 'object' } };
  }

  async *run(_args: unknown, { liveInput, state }: ToolContext): AsyncGenerator<number, void, undefined> {
    for await (const { byteLength } of liveInput.audio) {
      state.set('mood', byteLength / 1_000);
      yield byteLength;
    }
  }
}

const Clerk = defineAgent({ name: 'clerk', instruction: 'Be kind.', tools: [new Listener()] });

const LISTENS = [untilText(), callsLive('listen', {}, 'c1'), untilResponse('c1'), speaks('I listen.')];

describe('LiveReader', () => {
  it('reads to a connection, also one after a loss, to the end of a turn, and of one without words', async () => {
    await using call = await started([untilText(), speaks('One.'), drops(), untilText(), endsTurn()]);

    expect((await call.reader.toConnected()).live).toMatchObject({ kind: 'connected' });
    call.live.sendText('Hello?');
    expect((await call.reader.toTurnEnd()).text).toBe('One.');
    await call.reader.toConnected();
    call.live.sendText('Hello?');
    expect((await call.reader.toTurnEnd()).text).toBe('');
    expect(call.reader.events.filter(({ live }) => live?.kind === 'connected')).toHaveLength(2);
  });

  it('reads to what a tool yields while it runs, and to what it has written', async () => {
    await using call = await started(LISTENS);
    call.live.sendText('Listen.');
    await call.reader.toTurnEnd();

    void call.live.sendAudio(new Uint8Array(300));
    const { functionResponses } = await call.reader.toYield('listen');
    expect(functionResponses).toMatchObject([{ name: 'listen', response: { result: 300 } }]);
    expect(await call.reader.toState('mood')).toBe(0.3);
    void call.live.sendAudio(new Uint8Array(900));
    expect(await call.reader.toState('mood', 0.9)).toBe(0.9);
    void call.live.sendAudio(new Uint8Array(960));
    expect(await call.reader.toState('mood', (mood: unknown) => Number(mood) > 0.95)).toBe(0.96);
  });

  it('fails with the conversation if the session ends before', async () => {
    await using call = await started([untilText(), speaks('One.')]);
    call.live.sendText('Hello?');
    await call.reader.toTurnEnd();
    await call.live.close();

    await expect(call.reader.toYield('listen')).rejects.toThrow(
      /^The run has ended before a yield of listen\. [^]*clerk: One\./,
    );
  });

  it('fails after a while with what the script waits for, and reads on from there', async () => {
    await using call = await started([untilText(), speaks('One.')], 500);
    await call.reader.toConnected();

    await expect(call.reader.toTurnEnd()).rejects.toMatchObject({
      code: 'STEP_NOT_REACHED',
      message: expect.stringMatching(
        /^The session has not come to the end of a turn within 500 ms\. [^]*The scripted live model waits for text, 1 more of 1\./,
      ) as string,
    });
    call.live.sendText('Hello?');
    await expect(call.reader.toState('mood')).rejects.toThrow('a value of state.mood');
  });

  it('refuses a timeout that is none', () => {
    expect(() => new LiveReader({ [Symbol.asyncIterator]: jest.fn() }, { timeout: 0 })).toThrow('timeout');
  });
});

describe('the script of a model that follows its session', () => {
  it('waits for what a tool has written and yielded, before and after it stands there', async () => {
    await using call = await started([
      ...LISTENS,
      untilState('mood', 0.9),
      speaks('Slow down.'),
      untilYield('listen'),
      untilYield('listen'),
      untilYield('listen'),
      speaks('Good bye.'),
    ]);
    call.live.sendText('Listen.');
    await call.reader.toTurnEnd();
    for (const bytes of [300, 900]) void call.live.sendAudio(new Uint8Array(bytes));

    expect((await call.reader.toTurnEnd()).text).toBe('Slow down.');
    for (const bytes of [400, 500]) void call.live.sendAudio(new Uint8Array(bytes));
    expect((await call.reader.toTurnEnd()).text).toBe('Good bye.');
    call.model.assertDone();
  });

  it('has steps left when the session ends before, and says for what it has waited', async () => {
    const call = await started([untilState('mood'), speaks('Never.')]);
    await call.reader.toConnected();
    await call[Symbol.asyncDispose]();
    await settled();

    expect(() => {
      call.model.assertDone();
    }).toThrow(/^Unused steps of the script: 5 [^]*waits for state\.mood\. The run has ended before/);
  });

  it('says that it reads no session', async () => {
    const model = new ScriptedLive(untilYield(), speaks('Never.'));
    const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules: [liveSessions] });
    const live = runner.live({ model });
    await new LiveReader(live).toConnected();
    await settled();

    expect(() => {
      model.assertDone();
    }).toThrow('waits for a yield. It reads no session: call model.follow(live) behind runner.live.');
    await runner.close();
  });
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

interface Call extends AsyncDisposable {
  readonly live: LiveSession;
  readonly model: ScriptedLive;
  readonly reader: LiveReader;
}

async function started(steps: readonly LiveStep[], timeout?: number): Promise<Call> {
  const model = new ScriptedLive(...steps);
  const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules: [liveSessions] });
  const live = runner.live({ model });
  const reader = model.follow(live, timeout === undefined ? {} : { timeout });
  return { live, model, reader, [Symbol.asyncDispose]: () => runner.close() };
}
