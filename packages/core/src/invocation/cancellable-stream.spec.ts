import { CancellableStream, Cancellation, type ItemReader } from './cancellation.js';

describe('CancellableStream', () => {
  it('gives what its reader makes of each item, and asks on for items of which it makes nothing', async () => {
    const stream = new CancellableStream(counting(), new Cancellation(), {
      failed: fail,
      read: (number: number) => (number % 2 === 0 ? `item ${String(number)}` : undefined),
    });

    expect([await stream.next(), await stream.next()]).toEqual(['item 2', 'item 4']);
  });

  it('closes its source when it is closed, once, and has nothing to do with the cancellation any more', async () => {
    const source = counting();
    const cancellation = new Cancellation();
    const texts = new Texts();
    const stream = new CancellableStream(source, cancellation, texts);
    await stream.next();

    stream.close();
    stream.close();
    cancellation.cancel();

    expect([source.closed, texts.failures, await stream.next()]).toEqual([1, [], undefined]);
  });

  it('ends for who waits when the invocation is cancelled, and closes its source', async () => {
    const source = { ...counting(), next: () => new Promise<never>(() => undefined) };
    const cancellation = new Cancellation();
    const texts = new Texts();
    const stream = new CancellableStream(source, cancellation, texts);
    const waiting = stream.next();

    cancellation.cancel();

    expect([await waiting, await stream.next(), source.closed]).toEqual([undefined, undefined, 1]);
    expect(texts.failures).toMatchObject([{ code: 'CANCELLED' }]);
  });

  it('takes a cancellation before anybody waits, and a source that fails to close or cannot be closed', async () => {
    const refuse = (): never => {
      throw new Error('No.');
    };
    for (const close of [undefined, () => Promise.reject(new Error('No.')), refuse]) {
      const cancellation = new Cancellation();
      const source = { next: () => Promise.resolve({ value: 1 }), ...(close && { return: close }) };
      const texts = new Texts();
      const stream = new CancellableStream(source, cancellation, texts);

      cancellation.cancel();

      expect([await stream.next(), texts.failures.length]).toEqual([undefined, 1]);
    }
  });

  it('ends where it is made for an invocation that was cancelled before', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel();
    const source = counting();
    const texts = new Texts();

    expect(await new CancellableStream(source, cancellation, texts).next()).toBeUndefined();

    expect([texts.failures.length, source.closed]).toEqual([1, 1]);
  });

  it.each<[string, () => Promise<IteratorResult<number, void>>]>([
    ['rejects', () => Promise.reject(new Error('Broken.'))],
    [
      'throws',
      () => {
        throw new Error('Broken.');
      },
    ],
  ])('ends where its source %s, and tells why', async (_how, next) => {
    const texts = new Texts();

    expect(await new CancellableStream({ next }, new Cancellation(), texts).next()).toBeUndefined();

    expect(texts.failures).toMatchObject([{ message: 'Broken.' }]);
  });

  it('ends where its reader throws, and closes the source', async () => {
    const source = counting();
    const texts = new Texts();
    const stream = new CancellableStream<number, string>(source, new Cancellation(), {
      read: () => {
        throw new Error('Unreadable.');
      },
      failed: (error) => {
        texts.failed(error);
      },
    });

    expect([await stream.next(), source.closed]).toEqual([undefined, 1]);
    expect(texts.failures).toMatchObject([{ message: 'Unreadable.' }]);
  });

  it('ends where its source ends', async () => {
    const cancellation = new Cancellation();
    const texts = new Texts();
    const source = { next: () => Promise.resolve({ done: true as const, value: undefined }) };
    const stream = new CancellableStream<number, string>(source, cancellation, texts);

    expect(await stream.next()).toBeUndefined();

    cancellation.cancel();
    expect([await stream.next(), texts.failures]).toEqual([undefined, []]);
  });
});

/** Shows each number as a text. */
class Texts implements ItemReader<number, string> {
  readonly failures: unknown[] = [];

  read(number: number): string {
    return String(number);
  }

  failed(error: unknown): void {
    this.failures.push(error);
  }
}

/** Nothing is to fail. */
function fail(error: unknown): void {
  throw error;
}

/** Counts for ever, and how often it was closed. */
function counting() {
  let number = 0;
  return {
    closed: 0,
    next: () => Promise.resolve({ value: ++number }),
    return() {
      this.closed++;
      return Promise.resolve({ done: true as const, value: undefined });
    },
  };
}
