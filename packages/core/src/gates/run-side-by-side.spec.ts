import { runSideBySide } from './tool-dispatcher.js';

describe('runSideBySide', () => {
  it('runs so many at once and no more, and gives the results in the order of the items', async () => {
    const { begun, end, run } = manualJobs();
    const results = runSideBySide(['a', 'b', 'c', 'd'], 2, never, run);

    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await end('d');
    await end('a');

    await expect(results).resolves.toEqual(['a done', 'b done', 'c done', 'd done']);
  });

  it('keeps to the limit where there is one item more', async () => {
    const { begun, end, run } = manualJobs();
    const results = runSideBySide(['a', 'b', 'c'], 2, never, run);

    expect(begun).toEqual(['a', 'b']);
    for (const item of ['a', 'b', 'c']) await end(item);

    await expect(results).resolves.toEqual(['a done', 'b done', 'c done']);
  });

  it('starts all of them before any has ended where they are no more than the limit', async () => {
    const { begun, end, run } = manualJobs();
    const results = runSideBySide(['a', 'b', 'c'], 3, never, run);

    expect(begun).toEqual(['a', 'b', 'c']);
    for (const item of ['c', 'b', 'a']) await end(item);

    await expect(results).resolves.toEqual(['a done', 'b done', 'c done']);
  });

  it('lets one that runs alone wait for all before it, and all after it wait for it', async () => {
    const { begun, end, run } = manualJobs();
    const results = runSideBySide(['a', 'b', 'alone', 'c', 'd'], 8, (item) => item === 'alone', run);

    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'alone']);
    await end('alone');
    expect(begun).toEqual(['a', 'b', 'alone', 'c', 'd']);
    await end('d');
    await end('c');

    await expect(results).resolves.toEqual(['a done', 'b done', 'alone done', 'c done', 'd done']);
  });

  it.each([0, -1])('runs one after another where the limit is %d', async (limit) => {
    const { begun, end, run } = manualJobs();
    const results = runSideBySide(['a', 'b'], limit, never, run);

    expect(begun).toEqual(['a']);
    await end('a');
    await end('b');

    await expect(results).resolves.toEqual(['a done', 'b done']);
  });

  it.each([8, 0, -1])('gives nothing for nothing, with a limit of %d', async (limit) => {
    await expect(runSideBySide([], limit, never, () => Promise.resolve(1))).resolves.toEqual([]);
  });
});

function never(): boolean {
  return false;
}

/** Jobs that end when they are told to. */
function manualJobs() {
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const run = (item: string): Promise<string> => {
    begun.push(item);
    return new Promise((resolve) => {
      endings.set(item, () => {
        resolve(`${item} done`);
      });
    });
  };
  const end = (item: string): Promise<void> => {
    endings.get(item)?.();
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, end, run };
}
