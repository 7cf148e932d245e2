import { ProgressBar } from './progress-bar.js';

describe('a progress bar', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('stands below what is printed, once something takes longer than a second', () => {
    const lines = written(true, [500, 2_000, 3_000]);

    expect(lines).toEqual([
      'case 1\n',
      'case 2\n',
      `${'█'.repeat(16)}${'░'.repeat(8)} 2 of 3, about 1 s left`,
      '\r\u001b[K',
      'case 3\n',
    ]);
  });

  it('is not written to a file or a pipe', () => {
    expect(written(false, [500, 2_000, 3_000])).toEqual(['case 1\n', 'case 2\n', 'case 3\n']);
  });

  it('fits into a narrow terminal', () => {
    const columns = process.env['COLUMNS'];
    process.env['COLUMNS'] = '20';
    try {
      const bars = written(true, [500, 2_000, 3_000]).filter((line) => line.includes(' of '));
      expect(bars).toEqual(['2 of 3, about 1 s l']);
    } finally {
      if (columns === undefined) delete process.env['COLUMNS'];
      else process.env['COLUMNS'] = columns;
    }
  });

  it('counts what has no known end', () => {
    const pieces: string[] = [];
    const bar = new ProgressBar({ isTTY: true, write: (piece: string) => pieces.push(piece) });
    for (now of [500, 1_500, 1_510, 1_700]) bar.step();
    bar.clear();

    expect(pieces).toEqual(['2 done', '\r\u001b[K4 done', '\r\u001b[K']);
  });

  function written(isTTY: boolean, times: readonly number[]): string[] {
    const lines: string[] = [];
    const output = { isTTY, write: (text: string) => lines.push(text) };
    const bar = new ProgressBar(output, times.length);
    times.forEach((time, index) => {
      now = time;
      bar.step(() => output.write(`case ${String(index + 1)}\n`));
    });
    return lines;
  }
});
