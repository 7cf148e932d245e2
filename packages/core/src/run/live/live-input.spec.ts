import { LiveInput, LiveInputSource, type LiveInputPiece } from './live-input.js';

describe('what a tool of a live session hears', () => {
  it('is what is sent from its iteration on, in order', async () => {
    const source = new LiveInputSource();
    const heard = inputOf(source)[Symbol.asyncIterator]();
    source.publish(audioOf(1));
    source.publish({ kind: 'text', text: 'Stop.' });

    await expect(heard.next()).resolves.toEqual({ done: false, value: audioOf(1) });
    await expect(heard.next()).resolves.toEqual({ done: false, value: { kind: 'text', text: 'Stop.' } });

    const next = heard.next();
    source.publish(audioOf(2));
    source.publish(audioOf(3));

    await expect(next).resolves.toEqual({ done: false, value: audioOf(2) });
    await expect(heard.next()).resolves.toEqual({ done: false, value: audioOf(3) });
  });

  it('is a copy, which the sender does not change any more', async () => {
    const source = new LiveInputSource();
    const heard = inputOf(source)[Symbol.asyncIterator]();
    const data = new Uint8Array([1]);
    source.publish({ kind: 'audio', data });
    data[0] = 9;

    await expect(heard.next()).resolves.toEqual({ done: false, value: audioOf(1) });
  });

  it('is told by kind', async () => {
    const source = new LiveInputSource();
    const input = inputOf(source);
    const video = { kind: 'video', data: new Uint8Array([7]), mimeType: 'image/jpeg' } as const;
    const first = Promise.all([
      firstOf(input.audio),
      firstOf(input.video),
      firstOf(input.text),
      firstOf(input.activity),
    ]);
    source.publish({ kind: 'activity', activity: 'start' });
    source.publish({ kind: 'text', text: 'Stop.' });
    source.publish(video);
    source.publish(audioOf(1));

    await expect(first).resolves.toEqual([new Uint8Array([1]), video, 'Stop.', 'start']);
  });

  it('is heard only while somebody iterates', async () => {
    const source = new LiveInputSource();
    expect(source.isHeard).toBe(false);
    const heard = inputOf(source)[Symbol.asyncIterator]();
    expect(source.isHeard).toBe(true);
    await heard.return?.();

    expect(source.isHeard).toBe(false);
    await expect(heard.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('ends with the call, and with the session, for those who wait too', async () => {
    const call = new AbortController();
    const source = new LiveInputSource();
    const [own, other] = [new LiveInput(source, call.signal), inputOf(source)].map((input) =>
      input[Symbol.asyncIterator](),
    );
    const waiting = [own?.next(), other?.next()];
    call.abort();

    await expect(waiting[0]).resolves.toEqual({ done: true, value: undefined });
    expect(source.isHeard).toBe(true);

    source.end();

    await expect(waiting[1]).resolves.toEqual({ done: true, value: undefined });
    expect(source.isHeard).toBe(false);
  });

  it('is nothing after the end of the session', async () => {
    const source = new LiveInputSource();
    source.end();

    await expect(allOf(inputOf(source).text)).resolves.toEqual([]);
    expect(source.isHeard).toBe(false);
  });

  it('is nothing after the end of the call', async () => {
    const source = new LiveInputSource();
    const heard = new LiveInput(source, AbortSignal.abort())[Symbol.asyncIterator]();

    expect(source.isHeard).toBe(false);
    await expect(heard.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('loses its oldest pieces where the reader is 256 behind', async () => {
    const source = new LiveInputSource();
    const heard = inputOf(source)[Symbol.asyncIterator]();
    for (let index = 0; index < 258; index++) source.publish({ kind: 'text', text: String(index) });
    const first = await heard.next();
    source.end();
    let left = 0;
    while ((await heard.next()).done !== true) left++;

    expect(first.value).toEqual({ kind: 'text', text: '2' });
    expect(left).toBe(255);
  });

  it('is the message of the user in a text run', async () => {
    const signal = new AbortController().signal;
    const told = new LiveInput(undefined, signal, 'Hello');

    await expect(allOf(told)).resolves.toEqual([{ kind: 'text', text: 'Hello' }]);
    await expect(allOf(told.text)).resolves.toEqual(['Hello']);
    await expect(allOf(told.audio)).resolves.toEqual([]);
    await expect(allOf(new LiveInput(undefined, signal))).resolves.toEqual([]);
  });
});

function inputOf(source: LiveInputSource): LiveInput {
  return new LiveInput(source, new AbortController().signal);
}

function audioOf(byte: number): LiveInputPiece {
  return { kind: 'audio', data: new Uint8Array([byte]) };
}

async function firstOf<Value>(values: AsyncIterable<Value>): Promise<Value | undefined> {
  for await (const value of values) return value;
  return undefined;
}

async function allOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
