import { readCounts } from './read-counts.js';

const read = (...args: string[]) => readCounts(args, { turns: 1000, rounds: 15 }, ['stores']);

describe('readCounts', () => {
  it('gives the numbers of the flags, and the defaults of those that are left out', () => {
    expect(read('--stores', '--rounds', '3')).toEqual({ turns: 1000, rounds: 3, stores: true, help: false });
    expect(read('-h')).toMatchObject({ help: true, stores: false });
  });

  it.each([
    [['--rounds', '0'], '--rounds takes a whole number above 0, not "0".'],
    [['--rounds', '__proto__'], '--rounds takes a whole number above 0'],
    [['--laps', '3'], "Unknown option '--laps'"],
    [['stores'], "Unexpected argument 'stores'"],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
