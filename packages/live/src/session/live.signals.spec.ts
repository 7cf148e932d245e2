import {
  endsTurn,
  goesAway,
  hears,
  isResumable,
  type LiveStep,
  ManualClock,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilAudio,
  untilText,
} from '@adorn/testing';

import { agent, Clock, ContainerModule, LlmAgent, type Runner } from '@adorn/core';
import type { LiveDirection, LiveSession } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

/** 20 ms of speech. */
const PIECE = new Uint8Array(640);

describe('the signals of a live session', () => {
  it('say who speaks, how long nobody has, how long the session lasts, and what was counted', async () => {
    const clock = new ManualClock();
    const usage = { kind: 'usage', usage: { totalTokenCount: 57 } } as const;
    const script = [untilText(), speech('One two three four.')];
    const { live, model } = await startLive({ tools: [] }, script, {}, [], clock);
    expect(live.signals).toMatchObject({
      isConnected: false,
      turns: 0,
      elapsedMs: 0,
      totalTokens: undefined,
    });
    live.sendText('Count.');
    await until(
      live,
      ({ outputTranscription: said }) => said !== undefined && 'text' in said && said.text === 'four.',
    );
    await clock.advance(30);

    expect(live.signals).toEqual({
      isConnected: true,
      isUserSpeaking: false,
      isModelSpeaking: true,
      turns: 0,
      interruptions: 0,
      silenceMs: 0,
      elapsedMs: expect.closeTo(30) as number,
      leftMs: undefined,
      totalTokens: undefined,
      isResumable: false,
    });

    model.connection.emit(usage, isResumable('h-1'), goesAway(10_000), { kind: 'interrupted' });
    await settled();
    await clock.advance(500);

    expect(live.signals).toMatchObject({
      isModelSpeaking: false,
      turns: 0,
      interruptions: 1,
      silenceMs: expect.closeTo(500) as number,
      leftMs: expect.closeTo(9_500) as number,
      totalTokens: 57,
      isResumable: true,
    });

    // At the end of the turn, the connection is replaced.
    model.connection.emit(endsTurn());
    await settled();

    expect(live.signals).toMatchObject({ turns: 1, leftMs: undefined, isConnected: true });

    model.connection.emit({ kind: 'speech', activity: 'start' });
    await settled();

    expect(live.signals).toMatchObject({ isUserSpeaking: true, silenceMs: 0 });
    await live.close();
    expect(live.signals.isConnected).toBe(false);
  });

  it('count an answer as spoken until it has been played, also after its turn has ended', async () => {
    const clock = new ManualClock();
    const script = [untilText(), speaks('One two three four.')];
    const { live } = await startLive({ tools: [] }, script, {}, [], clock);
    live.sendText('Count.');
    await until(live, isTurnEnd);

    await clock.advance(60);
    expect(live.signals).toMatchObject({ isModelSpeaking: true, turns: 1 });
    await clock.advance(60);
    expect(live.signals).toMatchObject({ isModelSpeaking: false, silenceMs: expect.closeTo(40) as number });
    await live.close();
  });

  it('follow what the application says of the user, and are seen by the agent at the end of a turn', async () => {
    const seen: LiveDirection['signals'][] = [];
    class Desk extends LlmAgent {
      override onLiveTurn({ signals }: LiveDirection): void {
        seen.push(signals);
      }
    }
    agent({ name: 'desk', instruction: 'Help.' })(Desk);
    const model = new ScriptedLive(untilText(), speaks('Yes.'));
    const runner = await createRunner(Desk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model, activity: 'manual' });
    live.sendActivity('start');
    expect(live.signals.isUserSpeaking).toBe(true);
    live.sendActivity('end');
    expect(live.signals.isUserSpeaking).toBe(false);
    live.sendText('Hello?');
    await until(live, isTurnEnd);
    await settled();

    expect(seen).toMatchObject([{ isConnected: true, turns: 1 }]);
    await runner.close();
  });
});

describe('a model that may stay silent', () => {
  async function start(
    staysSilent: boolean,
    ...script: readonly LiveStep[]
  ): Promise<{
    runner: Runner;
    live: LiveSession;
    model: ScriptedLive;
    clock: ManualClock;
    turns: string[];
  }> {
    const clock = new ManualClock();
    const turns: string[] = [];
    class Desk extends LlmAgent {
      override onLiveTurn(): void {
        turns.push('ended');
      }
    }
    agent({ name: 'clerk', instruction: 'Help.' })(Desk);
    const model = ScriptedLive.able({ staysSilent }, ...script);
    const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
    const runner = await createRunner(Desk, { model: new ScriptedModel(), modules });
    const live = runner.live({ ...KEY, model });
    void live.sendAudio(PIECE);
    return { runner, live, model, clock, turns };
  }

  it('ends the turn two seconds after the last words that it does not answer', async () => {
    const { runner, live, model, clock, turns } = await start(true, untilAudio(), hears('Well, '));
    await until(live, ({ inputTranscription }) => inputTranscription !== undefined);
    await clock.advance(1_900);
    model.connection.emit({ kind: 'inputTranscript', text: 'I said so to my wife.' });
    await settled();
    await clock.advance(1_900);
    expect(turns).toEqual([]);
    await clock.advance(100);
    await settled();

    expect(turns).toEqual(['ended']);
    expect(await storedOf(runner)).toEqual(['user: Well, I said so to my wife.']);
    await live.close();
  });

  it.each([
    ['begins to answer', speech('Yes.')],
    ['ends its turn', [endsTurn()]],
    ['hears that the user goes on', [{ kind: 'speech', activity: 'start' } as const]],
  ])('does not end it again when it %s in time', async (_what, events) => {
    const { live, model, clock, turns } = await start(true, untilAudio(), hears('Is it paid?'));
    await until(live, ({ inputTranscription }) => inputTranscription !== undefined);
    model.connection.emit(...events);
    await settled();
    const before = turns.length;
    await clock.advance(5_000);
    await settled();

    expect(turns).toHaveLength(before);
    await live.close();
  });

  it('is not waited for by a model that always answers, nor after the session has ended', async () => {
    const answering = await start(false, untilAudio(), hears('Is it paid?'));
    await until(answering.live, ({ inputTranscription }) => inputTranscription !== undefined);
    await answering.clock.advance(5_000);
    expect(answering.turns).toEqual([]);
    await answering.live.close();

    const silent = await start(true, untilAudio(), hears('Bye.'));
    await until(silent.live, ({ inputTranscription }) => inputTranscription !== undefined);
    await silent.live.close();
    expect(silent.clock.waiting).toBe(0);
  });
});
