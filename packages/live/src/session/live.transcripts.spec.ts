import {
  callsLive,
  hears,
  ManualClock,
  says,
  speaks,
  untilAudio,
  untilResponse,
  untilSent,
} from '@adorn/testing';

import type { Event } from '@adorn/core';
import { isTurnEnd, KEY, look, settled, startLive, storedOf, until } from './live.fixture.js';

const QUESTION = 'user: How warm is it?';
const ANSWER = 'clerk: Nine degrees.';

/** The last piece of the answer. */
function hasSaidAll({ outputTranscription }: Event): boolean {
  return (outputTranscription as { readonly text?: string } | undefined)?.text === 'degrees.';
}

describe('the words of a spoken question', () => {
  it('stand before the answer, however it goes on beside their transcription', async () => {
    const { live, model, runner } = await startLive({}, [untilAudio(), speaks('Nine degrees.')]);
    await live.sendAudio(new Uint8Array(4));
    await until(live, hasSaidAll);
    await settled();
    expect(await storedOf(runner)).toEqual([]);
    model.connection.emit(hears('How warm is it?'));
    await until(live, isTurnEnd);
    await live.close();

    expect(await storedOf(runner)).toEqual([QUESTION, ANSWER]);
  });

  it('are not waited for longer than two seconds, and then stand where they arrive', async () => {
    const clock = new ManualClock();
    const { live, model, runner } = await startLive(
      {},
      [untilAudio(), speaks('Nine degrees.')],
      {},
      [],
      clock,
    );
    await live.sendAudio(new Uint8Array(4));
    await until(live, hasSaidAll);
    await settled();
    await clock.advance(2_000);
    await until(live, isTurnEnd);
    expect(await storedOf(runner)).toEqual([ANSWER]);
    model.connection.emit(hears('And tomorrow?'));
    await settled();
    await live.close();

    expect(await storedOf(runner)).toEqual([ANSWER, 'user: And tomorrow?']);
  });

  it.each<[string, (live: Awaited<ReturnType<typeof startLive>>['live']) => void]>([
    ['a message', (live) => live.sendText('Never mind.')],
    ['the end', (live) => void live.close()],
  ])('are not waited for by %s: the answer is stored first', async (_what, act) => {
    const { live, runner } = await startLive({}, [untilAudio(), speaks('Nine degrees.')]);
    await live.sendAudio(new Uint8Array(4));
    await until(live, hasSaidAll);
    await settled();
    act(live);
    await settled();
    await live.close();

    expect((await storedOf(runner))[0]).toBe(ANSWER);
  });

  it('stand before the call that they have led to, for every model that reads the conversation', async () => {
    const { live, model, runner } = await startLive({ tools: [look()] }, [
      untilAudio(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      hears('How warm is it?'),
      speaks('Nine degrees.'),
      untilSent(() => false),
    ]);
    await live.sendAudio(new Uint8Array(4));
    await until(live, isTurnEnd);
    await live.close();
    const second = runner.live({ ...KEY, model });
    await until(second, ({ live: notice }) => notice?.kind === 'connected');
    await second.close();

    const kinds = model.connection.setup.history.flatMap(({ parts = [] }) =>
      parts.map((part) => Object.keys(part)[0]),
    );
    expect(kinds).toEqual(['text', 'functionCall', 'functionResponse', 'text']);
  });

  it('stand before the answer to their utterance, where the provider names it, however late they come', async () => {
    const clock = new ManualClock();
    const { live, model, runner } = await startLive(
      {},
      [untilAudio(), { kind: 'speech', activity: 'end', utterance: 'u1' }, ...speaks('Nine degrees.')],
      {},
      [says('It is.')],
      clock,
    );
    await live.sendAudio(new Uint8Array(4));
    await until(live, hasSaidAll);
    await settled();
    await clock.advance(2_000);
    await until(live, isTurnEnd);
    model.connection.emit(
      { kind: 'inputTranscript', text: 'How warm ', utterance: 'u1' },
      { kind: 'inputTranscript', text: 'is it?', utterance: 'u1', finished: true },
    );
    await settled();
    await live.close();
    expect(await storedOf(runner)).toEqual([ANSWER, QUESTION]);
    const second = runner.live({ ...KEY, model });
    await until(second, ({ live: notice }) => notice?.kind === 'connected');
    await settled();
    await second.close();

    const texts = model.connection.setup.history.flatMap(({ parts = [] }) => parts.map(({ text }) => text));
    expect(texts).toEqual(['How warm is it?', 'Nine degrees.']);
    // They have their answer.
    expect(model.connection.texts).toEqual([]);
  });
});
