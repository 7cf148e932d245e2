import type { TestResult } from '../run-specs.js';
import { type MatrixRow, MODES, tablesOf } from './matrix.js';

const played = (title: string, failed: readonly string[] = []): TestResult[] =>
  MODES.map((mode) => ({
    spec: 'a.matrix.spec.ts',
    ancestorTitles: ['every feature', title],
    title: mode,
    status: failed.includes(mode) ? 'failed' : 'passed',
  }));
const PAGES: TestResult = {
  spec: 'a.matrix.spec.ts',
  ancestorTitles: ['every feature'],
  title: 'differs only where a page says so',
  status: 'passed',
};

const row = (feature: string, fields: Partial<MatrixRow> = {}): MatrixRow => ({
  table: 'options',
  feature,
  title: feature,
  kind: 'same',
  ...fields,
});

describe('the matrix of features', () => {
  it('has a cell for each feature and way: the same, refused but by text, or on a page', () => {
    const rows = [
      row('tools'),
      row('outputSchema', { kind: 'refused', code: 'LIVE_NOT_SUPPORTED' }),
      row('model', { kind: 'different', page: 'docs/live.md' }),
    ];
    const [table] = tablesOf({ rows, tests: [...played('tools'), ...played('outputSchema'), PAGES] });

    expect(table?.cells.filter(({ check }) => check.fault !== undefined)).toEqual([]);
    expect(table?.cells.map(({ kind }) => kind)).toEqual([
      ...['same', 'same', 'same', 'same'],
      ...['same', 'refused', 'refused', 'refused'],
      ...['different', 'different', 'different', 'different'],
    ]);
    expect(table?.lines[2]).toMatch(/^outputSchema +same +refused: LIVE_NOT_SUPPORTED /);
    expect(table?.lines[3]).toMatch(/^model +see docs\/live\.md/);
  });

  it('has a fault where a spec failed, and where none plays the cell', () => {
    const rows = [row('tools'), row('name'), row('model', { kind: 'different', page: 'docs/live.md' })];
    const [table] = tablesOf({ rows, tests: played('tools', ['live']) });

    const faults = table?.cells.flatMap(({ check }) => (check.fault === undefined ? [] : [check]));
    expect(faults).toEqual([
      { what: 'tools, live', fault: 'failed' },
      ...['name', 'model'].flatMap((feature) =>
        MODES.map((mode) => ({ what: `${feature}, ${mode}`, fault: 'no spec plays it' })),
      ),
    ]);
  });

  it('finds the tests of a row that is played as the same row of another table', () => {
    const [table] = tablesOf({ rows: [row('toolsProcessor', { title: 'tools' })], tests: played('tools') });

    expect(table?.cells.every(({ check }) => check.fault === undefined)).toBe(true);
  });
});
