import { drops, speaks, untilText } from '@adorn/testing';

import { isTurnEnd, settled, shownOf, startLive, storedOf, until } from './live.fixture.js';

describe('the events of a live session', () => {
  it('are not lost or repeated by a provider that reports an error, a cut turn, or nothing at all', async () => {
    const { runner, live, model } = await startLive({}, [
      untilText(),
      { kind: 'error', code: 'QUOTA', message: 'Slow down.', fatal: false },
      { kind: 'outputTranscript', text: 'Half of ' },
      drops(),
      { kind: 'turnComplete' },
      untilText(),
      { kind: 'speech', activity: 'start' },
      { kind: 'usage', usage: { totalTokenCount: 7 } },
      speaks('A whole one.'),
    ]);
    live.sendText('Hello.');
    await until(live, (event) => event.live?.kind === 'disconnected');
    await until(live, (event) => event.live?.kind === 'connected');
    await settled();
    live.sendText('Are you there?');
    const events = await until(live, ({ text }) => text === 'A whole one.');
    await live.close();

    expect(events.some(({ voiceActivity }) => voiceActivity !== undefined)).toBe(true);
    expect(events.at(-1)?.usageMetadata).toEqual({ totalTokenCount: 7 });
    expect(await storedOf(runner)).toEqual([
      'user: Hello.',
      'clerk ! QUOTA',
      'clerk: Half of',
      'user: Are you there?',
      'clerk: A whole one.',
    ]);
    model.assertDone();
  });

  it('end with a fatal error of the provider', async () => {
    const { live } = await startLive({}, [
      untilText(),
      { kind: 'error', code: 'KEY_INVALID', message: 'The key is not valid.', fatal: true },
    ]);
    live.sendText('Hello.');

    const { status, events } = await live.ended;
    expect(status).toBe('failed');
    expect(events.map(shownOf)).toEqual(['user: Hello.', 'clerk ! KEY_INVALID']);
  });

  it('tell of a microphone that fails, and the conversation goes on', async () => {
    const { live } = await startLive({}, [untilText(), speaks('Go on.')]);
    await live.sendAudio(
      // eslint-disable-next-line require-yield -- it fails at once
      (async function* (): AsyncGenerator<Uint8Array, void, undefined> {
        throw new Error('no device');
      })(),
    );
    live.sendText('By text, then.');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(events.map(({ live: news }) => news).filter((news) => news?.kind === 'inputFailed')).toEqual([
      { kind: 'inputFailed', message: 'no device' },
    ]);
  });

  it('are dropped, and nothing fails, when something is sent after the end', async () => {
    const { live, model } = await startLive({}, []);
    await until(live, (event) => event.live?.kind === 'connected');
    await live.close();
    live.sendText('Too late.');
    await live.sendAudio(new Uint8Array(2));
    live.interrupt();
    await live.close();

    expect(model.connection.sent.map(({ kind }) => kind)).toEqual(['close']);
    expect((await live.ended).status).toBe('answered');
  });

  it('refuse options that do not exist', async () => {
    const { runner } = await startLive({}, []);

    expect(() => runner.live({ vioce: 'Kore' } as object)).toThrow('vioce');
  });
});
