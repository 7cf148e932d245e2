import { Cancellation, unlessCancelled } from './cancellation.js';

describe('unlessCancelled', () => {
  it('gives the result of what it waits for', async () => {
    await expect(unlessCancelled(Promise.resolve('done'), new Cancellation())).resolves.toBe('done');
  });

  it('throws what is thrown, whatever it is', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
    await expect(unlessCancelled(Promise.reject('a text'), new Cancellation())).rejects.toBe('a text');
  });

  it.each([
    ['while it waits', (cancellation: Cancellation) => void setImmediate(() => cancellation.cancel())],
    ['before it begins', (cancellation: Cancellation) => cancellation.cancel()],
  ])('throws as soon as the invocation is cancelled: %s', async (_when, cancel) => {
    const cancellation = new Cancellation();
    cancel(cancellation);

    await expect(unlessCancelled(new Promise(() => undefined), cancellation)).rejects.toMatchObject({
      code: 'CANCELLED',
      message: 'The invocation was cancelled before this was done.',
    });
  });

  it('throws that the outcome is unknown where a tool has run', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel();

    await expect(unlessCancelled(new Promise(() => undefined), cancellation, true)).rejects.toMatchObject({
      code: 'CANCELLED',
      isDuringCall: true,
    });
  });

  it.each([
    ['ended', () => Promise.resolve('done')],
    ['failed', () => Promise.reject(new Error('broken'))],
  ])('leaves no watcher on the invocation once it %s', async (_how, run) => {
    const cancellation = new Cancellation();
    const removed = jest.spyOn(cancellation, 'remove');
    const added = jest.spyOn(cancellation, 'add');

    await unlessCancelled(run(), cancellation).catch(() => undefined);

    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});
