import { EventStreams, type UpdateStream } from './event-streams.js';

describe('streams of updates', () => {
  it('send each update as an event, and end', async () => {
    const response = await new EventStreams(1).open('ada', streamOf([{ a: 1 }, { b: 2 }]));

    expect(response?.headers.get('content-type')).toContain('text/event-stream');
    expect(await response?.text()).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n');
  });

  it('answer a fault before the first update plainly, or as an event where that is wanted', async () => {
    const streams = new EventStreams(1);
    const plain = await streams.open('ada', streamOf([], new Error('no')));
    const event = await streams.open('ada', { ...streamOf([], new Error('no')), alwaysStreams: true });

    expect([plain?.status, await plain?.json()]).toEqual([409, { fault: 'no' }]);
    expect([event?.status, await event?.text()]).toEqual([200, 'event: error\ndata: {"fault":"no"}\n\n']);
  });

  it('say a later fault as the last event', async () => {
    const response = await new EventStreams(1).open('ada', streamOf([{ a: 1 }], new Error('late')));

    expect(await response?.text()).toBe('data: {"a":1}\n\nevent: error\ndata: {"fault":"late"}\n\n');
  });

  it('are limited for each principal, however they end', async () => {
    const streams = new EventStreams(2);
    const first = await streams.open('ada', streamOf([{ a: 1 }]));
    const left = streamOf([{ a: 1 }, { b: 2 }]);
    const second = await streams.open('ada', left);
    const refused = streamOf([{ a: 1 }]);

    expect([await streams.open('ada', refused), refused.left.signal.aborted]).toEqual([undefined, true]);
    expect(await streams.open('bob', streamOf([{ a: 1 }]))).toBeDefined();
    await second?.body?.cancel();
    expect([
      left.left.signal.aborted,
      await streams.open('ada', streamOf([], new Error('no'))),
    ]).toMatchObject([true, { status: 409 }]);
    expect(await streams.open('ada', streamOf([{ a: 1 }]))).toBeDefined();
    expect(await streams.open('ada', streamOf([{ a: 1 }]))).toBeUndefined();
    await first?.text();
    expect(await streams.open('ada', streamOf([{ a: 1 }]))).toBeDefined();
    expect(await streams.open('ada', streamOf([{ a: 1 }]))).toBeUndefined();
  });
});

function streamOf(values: readonly object[], fault?: Error): UpdateStream {
  async function* updates(): AsyncGenerator<object, void, undefined> {
    yield* values;
    await Promise.resolve();
    if (fault) throw fault;
  }
  const failed = (error: unknown) => ({ status: 409, body: { fault: (error as Error).message } });
  return { updates: updates(), left: new AbortController(), failed };
}
