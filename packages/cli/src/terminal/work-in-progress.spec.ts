import { WorkInProgress } from './work-in-progress.js';

describe('work in progress', () => {
  let now = 0;
  let written: string[];
  const terminal = { isTTY: true, columns: 40, write: (text: string) => written.push(text) };

  beforeEach(() => {
    now = 0;
    written = [];
    jest.useFakeTimers();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('shows a step before it begins, with the seconds so far, and removes it in the end', () => {
    {
      using working = new WorkInProgress(terminal);
      working.on('Reading');
      now = 2_500;
      working.on('Checking 1 of 2');
    }

    expect(written).toEqual(['Reading …', '\r\u001b[KChecking 1 of 2 … 2 s', '\r\u001b[K']);
  });

  it('counts the seconds of a step that waits', () => {
    using working = new WorkInProgress(terminal);
    working.on('Waiting');
    now = 1_000;
    jest.advanceTimersByTime(1_000);

    expect(written).toEqual(['Waiting …', '\r\u001b[KWaiting … 1 s']);
  });

  it('fits into the terminal, and gives it no commands', () => {
    using working = new WorkInProgress(terminal);
    working.on(`Reading \u001b[31m${'a'.repeat(100)}`);

    expect(written).toEqual([`Reading [31m${'a'.repeat(27)}`]);
  });

  it.each([
    ['a file or a pipe', { ...terminal, isTTY: false }, true],
    ['programs', terminal, false],
  ])('is not written for %s', (_what, output, isShown) => {
    using working = new WorkInProgress(output, isShown);
    working.on('Reading');

    expect(written).toEqual([]);
  });
});
