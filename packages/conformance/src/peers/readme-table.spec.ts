import { differenceFrom } from './readme-table.js';

const PAGE = [
  '| | Adorn | Other 1.0 |',
  '| --- | --- | --- |',
  '| charges | 1 | 2 |',
  '| packages, MB | 100, 1,000 | 11, 19 |',
].join('\n');

describe('a row that was measured', () => {
  it('agrees with a page that states it', () => {
    expect(differenceFrom(PAGE, { what: 'charges', cells: ['1', '2'] })).toBeUndefined();
  });

  it('differs by a count, by a cell that lacks, and by a row that lacks', () => {
    expect(differenceFrom(PAGE, { what: 'charges', cells: ['1', '3'] })).toContain(
      'states 1 | 2; measured: 1 | 3',
    );
    expect(differenceFrom(PAGE, { what: 'charges', cells: ['1', '2', '2'] })).toContain(
      'measured: 1 | 2 | 2',
    );
    expect(differenceFrom(PAGE, { what: 'refunds', cells: ['1'] })).toContain('no row "refunds"');
  });

  it('agrees within its tolerance, number by number', () => {
    const tolerance = 0.1;
    const row = (one: string, other: string) => ({ what: 'packages, MB', cells: [one, other], tolerance });
    expect(differenceFrom(PAGE, row('105, 950', '12, 19'))).toBeUndefined();
    expect(differenceFrom(PAGE, row('112, 950', '12, 19'))).toContain('measured');
    expect(differenceFrom(PAGE, row('105', '12, 19'))).toContain('measured');
  });
});
