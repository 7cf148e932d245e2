import { setImmediate as pause } from 'node:timers/promises';

import { Cancellation, type ItemReader, showEach } from './cancellation.js';

describe('showEach', () => {
  it('shows what its reader makes of each item, and asks on for items of which it makes nothing', async () => {
    const shown: string[] = [];
    const stream = streamOf(counting(4), new Cancellation(), {
      failed: fail,
      read: (number: number) => (number % 2 === 0 ? `item ${String(number)}` : undefined),
    });

    await stream.each(noting(shown));

    expect(shown).toEqual(['item 2', 'item 4']);
  });

  it('asks for an item when the one before it is shown', async () => {
    const source = counting();
    const stream = streamOf(source, new Cancellation(), new Texts());
    const { show, showing } = holding();
    void stream.each(show);
    await pause();
    expect([showing.length, source.asked]).toEqual([1, 1]);

    showing[0]?.resolve();
    await pause();

    expect([showing.length, source.asked]).toEqual([2, 2]);
  });

  it('ends when the invocation is cancelled, and closes its source', async () => {
    const source = { ...counting(), next: () => new Promise<never>(() => undefined) };
    const cancellation = new Cancellation();
    const texts = new Texts();
    const ended = streamOf(source, cancellation, texts).each(noting([]));

    cancellation.cancel();

    await expect(ended).resolves.toBeUndefined();
    expect(source.closed).toBe(1);
    expect(texts.failures).toMatchObject([{ code: 'CANCELLED' }]);
  });

  it('ends, if it is cancelled while an item is shown, when the item has been shown', async () => {
    const source = counting();
    const cancellation = new Cancellation();
    const { show, showing } = holding();
    let hasEnded = false;
    const ended = streamOf(source, cancellation, new Texts())
      .each(show)
      .then(() => {
        hasEnded = true;
      });
    await pause();

    cancellation.cancel();
    await pause();
    expect([source.closed, hasEnded]).toEqual([1, false]);
    showing[0]?.resolve();
    await ended;

    expect([showing.length, source.asked]).toEqual([1, 1]);
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('Not taken.'))],
    [
      'throws',
      () => {
        throw new Error('Not taken.');
      },
    ],
  ])(
    'closes its source where what shows its items %s, and has nothing to do with the cancellation any more',
    async (_how, show) => {
      const source = counting();
      const cancellation = new Cancellation();
      const texts = new Texts();

      await expect(streamOf(source, cancellation, texts).each(show)).rejects.toThrow('Not taken.');
      cancellation.cancel();

      expect([source.closed, source.asked, texts.failures]).toEqual([1, 1, []]);
    },
  );

  it('rejects where an item could not be shown after a cancellation', async () => {
    const cancellation = new Cancellation();
    const { show, showing } = holding();
    const ended = streamOf(counting(), cancellation, new Texts()).each(show);
    await pause();

    cancellation.cancel();
    showing[0]?.reject(new Error('Not taken.'));

    await expect(ended).rejects.toThrow('Not taken.');
  });

  it('takes a cancellation before anybody waits, and a source that fails to close or cannot be closed', async () => {
    const refuse = (): never => {
      throw new Error('No.');
    };
    for (const close of [undefined, () => Promise.reject(new Error('No.')), refuse]) {
      const cancellation = new Cancellation();
      const source = { next: () => Promise.resolve({ value: 1 }), ...(close && { return: close }) };
      const texts = new Texts();
      const shown: string[] = [];
      const stream = streamOf(source, cancellation, texts);

      cancellation.cancel();
      await stream.each(noting(shown));

      expect([shown, texts.failures.length]).toEqual([[], 1]);
    }
  });

  it('ends where it is made for an invocation that was cancelled before', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel();
    const source = counting();
    const texts = new Texts();

    await streamOf(source, cancellation, texts).each(noting([]));

    expect([texts.failures.length, source.closed, source.asked]).toEqual([1, 1, 0]);
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

    await streamOf({ next }, new Cancellation(), texts).each(noting([]));

    expect(texts.failures).toMatchObject([{ message: 'Broken.' }]);
  });

  it('ends where its reader throws, and closes the source', async () => {
    const source = counting();
    const texts = new Texts();
    const stream = streamOf(source, new Cancellation(), {
      read: () => {
        throw new Error('Unreadable.');
      },
      failed: (error) => {
        texts.failed(error);
      },
    });

    await stream.each(noting([]));

    expect(source.closed).toBe(1);
    expect(texts.failures).toMatchObject([{ message: 'Unreadable.' }]);
  });

  it('ends where its source ends, and does not close it', async () => {
    const source = counting(0);
    const cancellation = new Cancellation();
    const texts = new Texts();

    await streamOf(source, cancellation, texts).each(noting([]));
    cancellation.cancel();

    expect([source.closed, texts.failures]).toEqual([0, []]);
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

function noting(shown: string[]): (text: string) => Promise<void> {
  return (text) => {
    shown.push(text);
    return Promise.resolve();
  };
}

/** Shows items for as long as the test wants. */
function holding() {
  const showing: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const show = () => new Promise<void>((resolve, reject) => showing.push({ resolve, reject }));
  return { show, showing };
}

/** Nothing is to fail. */
function fail(error: unknown): void {
  throw error;
}

/** Counts to the end, and how often it was asked and closed. */
function counting(end = Infinity) {
  return {
    closed: 0,
    asked: 0,
    next(): Promise<IteratorResult<number, void>> {
      this.asked++;
      return Promise.resolve(
        this.asked > end ? { done: true, value: undefined } : { done: false, value: this.asked },
      );
    },
    return() {
      this.closed++;
      return Promise.resolve({ done: true as const, value: undefined });
    },
  };
}

/** The stream of a source, as the specs read it. */
function streamOf<Item, Shown>(
  source: AsyncIterator<Item, void, undefined>,
  cancellation: Cancellation,
  reader: ItemReader<Item, Shown>,
) {
  return {
    each: (show: (shown: Shown) => Promise<void>) => showEach(source, cancellation, reader, show),
  };
}
