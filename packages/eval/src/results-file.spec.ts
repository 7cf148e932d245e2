import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDesk, RefundModel, refundCase, setOfCases } from './desk.fixture.js';
import { evaluate, type EvaluateOptions } from './evaluate.js';
import type { EvalReport } from './eval-report.js';
import { noDoubleEffect } from './gates/no-double-effect.js';

const METRIC = { name: 'good', description: '', threshold: 1, score: () => 1 };

describe('results in a file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adorn-eval-'));
    file = join(folder, 'results.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are written as they come, and a second start goes on behind them', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const first = await played({
      signal: stop.signal,
      onCase: ({ run }) => {
        seen.push(run);
        if (run === 2) stop.abort(new Error('Enough.'));
      },
    });
    expect([first.report.status, first.paid]).toEqual(['error', 2]);
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(3);

    const second = await played({ onCase: ({ run }) => seen.push(run) });

    expect(second.report.status).toBe('passed');
    expect(second.report.caseResults.map(({ run }) => run)).toEqual([1, 2, 3, 4]);
    expect([second.paid, seen]).toEqual([2, [1, 2, 3, 4, 3, 4]]);
    expect((await played()).paid).toBe(0);
  });

  it('lose the torn line of a killed process, and nothing else', async () => {
    await played({ runs: 2 });
    await appendFile(file, '{"case":"torn","res');

    expect((await played({ runs: 3 })).paid).toBe(1);
    expect((await played({ runs: 3 })).paid).toBe(0);
  });

  it('of a case that was edited, or had an error, are not taken', async () => {
    await played({ runs: 1 });
    const edited = setOfCases(refundCase({ rubrics: [{ rubricContent: { textProperty: 'Kind.' } }] }));
    expect((await played({ runs: 1 }, edited)).paid).toBe(1);

    await rm(file);
    const broken = {
      ...METRIC,
      score: () => {
        throw new Error('Down.');
      },
    };
    expect((await played({ runs: 1, metrics: [broken] })).report.status).toBe('error');
    expect((await played({ runs: 1 })).report.status).toBe('passed');
  });

  it.each<[string, string]>([
    ['another evaluation', '{"format":"adorn-eval-results","version":1,"evalSetId":"other","metrics":[]}\n'],
    ['something else', 'Hello\n'],
    ['null', 'null\n'],
  ])('of %s are refused, and left alone', async (_what, text) => {
    await writeFile(file, text);

    await expect(played()).rejects.toMatchObject({
      code: 'EVAL_CONFIG_INVALID',
      message: expect.stringContaining('has no results of this evaluation') as string,
    });
    await expect(readFile(file, 'utf8')).resolves.toBe(text);
  });

  it('that cannot be read are refused', async () => {
    await expect(played({ results: folder })).rejects.toMatchObject({ code: 'EVAL_CONFIG_INVALID' });
  });

  async function played(
    options: EvaluateOptions = {},
    set = setOfCases(refundCase()),
  ): Promise<{ report: EvalReport; paid: number }> {
    const { runner, paid } = await openDesk(new RefundModel());
    const report = await evaluate(runner, set, {
      ...{
        metrics: [METRIC],
        gates: [noDoubleEffect()],
        approve: () => true,
        runs: 4,
        concurrency: 1,
        results: file,
      },
      ...options,
    });
    await runner.close();
    return { report, paid: paid.length };
  }
});
