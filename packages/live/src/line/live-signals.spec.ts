import { ManualClock } from '@adorn/testing';

import type { LiveEvent } from '@adorn/core/backend';
import { LiveSignalCounter } from './live-signals.js';

describe('the signals of a live line', () => {
  it('are those of a conversation in which nothing has happened, before the first connection', async () => {
    const { counter, clock } = counting();
    await clock.advance(1_000);

    expect(counter.signals).toEqual({
      isUserSpeaking: false,
      isModelSpeaking: false,
      turns: 0,
      interruptions: 0,
      silenceMs: 0,
      elapsedMs: 0,
      leftMs: undefined,
      totalTokens: undefined,
    });
  });

  it('measure time and silence from the first connection on, also after another one', async () => {
    const { counter, clock } = counting();
    counter.connected();
    await clock.advance(500);
    expect(counter.signals).toMatchObject({ elapsedMs: 500, silenceMs: 500 });
    counter.connected();
    await clock.advance(500);

    expect(counter.signals).toMatchObject({ elapsedMs: 1_000, silenceMs: 1_000 });
  });

  it.each<[number, LiveEvent]>([
    [250, { kind: 'text', text: 'Yes.' }],
    [250, { kind: 'inputTranscript', text: 'Yes.' }],
    [250, { kind: 'outputTranscript', text: 'Yes.' }],
    [250, { kind: 'speech', activity: 'end' }],
    [0, { kind: 'speech', activity: 'start' }],
    [750, { kind: 'turnComplete' }],
    [750, { kind: 'generationComplete' }],
    [750, { kind: 'usage', usage: {} }],
    [750, { kind: 'goAway', timeLeftMs: 1_000 }],
  ])('say %p ms of silence, 250 ms after an event $kind', async (silenceMs, event) => {
    const { counter, clock } = counting();
    counter.connected();
    await clock.advance(500);
    counter.note(event);
    await clock.advance(250);

    expect(counter.signals.silenceMs).toBe(silenceMs);
  });

  it('say that the user speaks, until he has ended', () => {
    const { counter } = counting();
    const heard = (['start', 'end'] as const).map((activity) => {
      counter.noteActivity(activity);
      return counter.signals.isUserSpeaking;
    });

    expect(heard).toEqual([true, false]);
  });

  it('say that the model speaks until all of its pieces have been played, one after another', async () => {
    const { counter, clock } = counting();
    counter.connected();
    counter.noteSpeech(250);
    counter.noteSpeech(250);
    await clock.advance(375);
    expect(counter.signals).toMatchObject({ isModelSpeaking: true, silenceMs: 0 });
    await clock.advance(125);
    expect(counter.signals).toMatchObject({ isModelSpeaking: false, silenceMs: 0 });
    await clock.advance(500);
    expect(counter.signals.silenceMs).toBe(500);
    counter.noteSpeech(250);
    await clock.advance(125);
    expect(counter.signals.isModelSpeaking).toBe(true);
    await clock.advance(125);

    expect(counter.signals.isModelSpeaking).toBe(false);
  });

  it('count interruptions, which end what is played, and are no news in a silence', async () => {
    const { counter, clock } = counting();
    counter.connected();
    counter.noteSpeech(1_000);
    await clock.advance(500);
    counter.noteInterruption();
    expect(counter.signals).toMatchObject({ interruptions: 1, isModelSpeaking: false, silenceMs: 0 });
    await clock.advance(250);
    counter.noteInterruption();

    expect(counter.signals).toMatchObject({ interruptions: 2, silenceMs: 250 });
  });

  it('count the turns, and know the tokens that the provider told last', () => {
    const { counter } = counting();
    counter.note({ kind: 'turnComplete' });
    counter.note({ kind: 'turnComplete' });
    counter.note({ kind: 'usage', usage: { totalTokenCount: 57 } });
    counter.note({ kind: 'usage', usage: {} });

    expect(counter.signals).toMatchObject({ turns: 2, totalTokens: 57 });
  });

  it('count down to the announced end of the connection, and forget it with another one', async () => {
    const { counter, clock } = counting();
    counter.connected();
    counter.note({ kind: 'goAway', timeLeftMs: 1_000 });
    await clock.advance(250);
    expect(counter.signals.leftMs).toBe(750);
    await clock.advance(1_000);
    expect(counter.signals.leftMs).toBe(0);
    counter.connected();

    expect(counter.signals.leftMs).toBeUndefined();
  });
});

function counting(): { clock: ManualClock; counter: LiveSignalCounter } {
  const clock = new ManualClock();
  return { clock, counter: new LiveSignalCounter(clock) };
}
