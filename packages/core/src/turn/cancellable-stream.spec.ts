import { CancellableStream, Cancellation } from '../invocation/cancellation.js';

const END = { done: true, value: undefined };

describe('CancellableStream', () => {
  it('closes its source where its reader stops, and has nothing to do with the cancellation any more', async () => {
    const source = counting();
    const cancellation = new Cancellation();

    for await (const number of new CancellableStream(source, cancellation)) if (number === 2) break;

    expect(source.closed).toBe(1);
    cancellation.cancel();
    expect(source.closed).toBe(1);
  });

  it('rejects who waits when the invocation is cancelled, and closes its source', async () => {
    const source = counting();
    const cancellation = new Cancellation();
    const stream = new CancellableStream(
      { ...source, next: () => new Promise<never>(() => undefined) },
      cancellation,
    );
    const waiting = stream.next();

    cancellation.cancel();

    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(stream.next()).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('takes a cancellation before anybody waits, and a source that fails to close or cannot be closed', async () => {
    for (const close of [undefined, () => Promise.reject(new Error('No.'))]) {
      const cancellation = new Cancellation();
      const source = { next: () => Promise.resolve({ value: 1 }), ...(close && { return: close }) };
      const stream = new CancellableStream(source, cancellation);

      cancellation.cancel();

      await expect(stream.next()).rejects.toMatchObject({ code: 'CANCELLED' });
    }
  });

  it('ends where its source ends, or has no way to be closed', async () => {
    const cancellation = new Cancellation();
    const source = { next: () => Promise.resolve({ done: true as const, value: undefined }) };

    const stream = new CancellableStream<number>(source, cancellation);

    await expect(stream.next()).resolves.toEqual(END);
    await expect(stream.return()).resolves.toEqual(END);
  });
});

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
