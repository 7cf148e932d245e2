import { parseOptions } from '../options.js';
import type { Results } from '../results.js';
import type { Sample } from '../sample.js';
import { writeReport } from './report.js';
import { judge } from './verdicts.js';

describe('the report', () => {
  it('sets adorn beside the floors, the best peer and its goals', () => {
    const samples = [
      turn('bare', 2),
      turn('layers', 8),
      turn('adorn', 12),
      turn('slow', 200),
      turn('slower', 300),
    ];

    const report = writeReport(resultsOf(samples), {
      all: ['bare', 'layers', 'adorn', 'slow', 'slower'],
      peers: ['slow', 'slower'],
    });

    expect(report).toContain('| adorn   | 12.0 (6.0x) ');
    expect(report).toContain('| adorn ÷ layers     | 1.5x ');
    expect(report).toContain('| adorn ÷ best peer  | 0.06x ');
    expect(report).toContain('| A ÷ best peer | 0.333   | 0.06  | met |');
  });

  it('takes the median over the rounds', () => {
    const samples = [turn('bare', 9), turn('bare', 2), turn('bare', 3)];

    expect(writeReport(resultsOf(samples), { all: ['bare'], peers: [] })).toContain('| bare    | 3.0 ');
  });

  it('says what was left out and what failed', () => {
    const failed: Sample = { adapter: 'slow', measure: 'growth', key: '', round: 0, error: 'ended with 1.' };
    const results = { ...resultsOf([failed]), leftOut: [{ name: 'ai-sdk', why: 'no network' }] };

    const report = writeReport(results, { all: ['slow'], peers: ['slow'] });

    expect(report).toContain('ai-sdk was left out: no network\nslow growth failed: ended with 1.');
  });
});

describe('judge', () => {
  it('marks a goal that is missed', () => {
    expect(judge([turn('adorn', 17), turn('peer', 34)], ['peer'])).toEqual([
      { goal: 'A ÷ best peer', limit: 0.333, found: 0.5, met: false },
    ]);
  });

  it('compares the last turn measured with the tenth', () => {
    const growth: Sample = {
      adapter: 'adorn',
      measure: 'growth',
      key: '',
      round: 0,
      figures: { turn10: 10, turn100: 11, turn1000: 14, heldKbPerEvent: 0.7 },
    };

    expect(judge([growth], [])).toEqual([
      { goal: 'last turn ÷ turn 10', limit: 1.5, found: 1.4, met: true },
      { goal: 'KB kept per event', limit: 0.8, found: 0.7, met: true },
    ]);
  });
});

function turn(adapter: string, micros: number): Sample {
  return { adapter, measure: 'overhead', key: 'A', round: 0, figures: { micros } };
}

function resultsOf(samples: readonly Sample[]): Results {
  return {
    node: 'v20',
    cpus: '2 x some processor',
    startedAt: '2026-01-01T00:00:00.000Z',
    options: parseOptions([]),
    versions: [],
    leftOut: [],
    samples,
    goals: judge(samples, ['slow', 'slower']),
  };
}
