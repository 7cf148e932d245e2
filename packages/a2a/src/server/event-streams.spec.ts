import { EventStreams, type UpdateStream } from './event-streams.js';

/** A stream of one update, which then waits until its reader leaves. */
function waitingStream(): UpdateStream {
  const left = new AbortController();
  async function* updates(): AsyncGenerator<object, void, undefined> {
    yield { first: true };
    await new Promise<void>((resolve) => {
      left.signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }
  return { updates: updates(), left, failed: () => ({ status: 500, body: {} }) };
}

describe('the streams of a principal', () => {
  it('give a place back once, also if the reader leaves while it waits for an update', async () => {
    const streams = new EventStreams(2);
    const leaving = await streams.open('ada', waitingStream());
    await streams.open('ada', waitingStream());
    expect(await streams.open('ada', waitingStream())).toBeUndefined();

    const reader = leaving?.body?.getReader();
    await reader?.read();
    const waiting = reader?.read();
    await reader?.cancel();
    await waiting;
    await new Promise(setImmediate);

    expect(await streams.open('ada', waitingStream())).toBeDefined();
    expect(await streams.open('ada', waitingStream())).toBeUndefined();
  });
});
