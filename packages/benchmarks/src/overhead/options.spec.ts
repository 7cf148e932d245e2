import { UsageError } from '@adorn/conformance/command-line/usage.error';

import { MEASURES } from './measures/measures.js';
import { parseOptions } from './options.js';
import { TURN_KINDS } from './script.js';

describe('parseOptions', () => {
  it('measures everything, three times over, where nothing is said', () => {
    expect(parseOptions([])).toEqual({
      quick: false,
      help: false,
      adapters: undefined,
      kinds: TURN_KINDS,
      measures: MEASURES,
      rounds: 5,
      peers: true,
      out: undefined,
    });
  });

  it('measures imports, turns, replay, growth and parallel tools with --quick', () => {
    expect(parseOptions(['--quick'])).toMatchObject({
      kinds: TURN_KINDS,
      measures: ['import-time', 'first-turn', 'overhead', 'replay', 'growth', 'parallel-tools'],
      rounds: 3,
    });
  });

  it('takes what is said over what --quick says', () => {
    const args = ['--quick', '--rounds', '5', '--kinds', 'B,A', '--measures', 'growth', '--adapters', 'bare'];

    expect(parseOptions(args)).toMatchObject({
      kinds: ['A', 'B'],
      measures: ['growth'],
      rounds: 5,
      adapters: ['bare'],
    });
  });

  it.each([
    [['--kinds', 'A,Z'], 'There is no kind "Z"; there are A, B, C, D, E, F, G.'],
    [['--measures', 'speed'], 'There is no measure "speed"; there are'],
    [['--rounds', '0'], '--rounds takes a whole number above 0, not "0".'],
    [['--fast'], "Unknown option '--fast'."],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(UsageError);
    expect(() => parseOptions(args)).toThrow(message);
  });
});
