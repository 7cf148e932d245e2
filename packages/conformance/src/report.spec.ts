import type { Section } from './check.js';
import { isPassed, writeSection, writeTotals } from './report.js';

const good: Section = { name: 'unary', groups: [{ name: 'outputs', checks: [{ what: 'one' }] }], ms: 1_250 };
const bad: Section = {
  name: 'streamed',
  groups: [{ name: 'outputs', checks: [{ what: 'one' }, { what: 'two', fault: 'it is lost' }] }],
  ms: 250,
};

describe('the report', () => {
  it('counts each group on one line, and tells what is to be noted and what fell short below it', () => {
    expect(writeSection({ ...bad, leftOut: ['three (no answer)'] }, 10)).toBe(
      [
        '  streamed    outputs 1/2  (0.3 s)',
        '    – noted: three (no answer)',
        '    ✗ outputs: two: it is lost',
      ].join('\n'),
    );
  });

  it('prints the table of a section below its line', () => {
    expect(writeSection({ ...good, table: ['a  b', '1  2'] }, 10)).toBe(
      ['  unary       outputs 1/1  (1.3 s)', '      a  b', '      1  2'].join('\n'),
    );
  });

  it('adds everything up', () => {
    expect(writeTotals([good, bad])).toBe('2/3 checks, 1 fell short, in 1.5 s');
    expect(writeTotals([good])).toBe('1/1 checks, all as they should be, in 1.3 s');
  });

  it('passes only where something was looked at and nothing fell short', () => {
    const empty: Section = { name: 'empty', groups: [{ name: 'outputs', checks: [] }], ms: 0 };

    expect([[good], [good, bad], [good, empty], []].map(isPassed)).toEqual([true, false, false, false]);
  });
});
