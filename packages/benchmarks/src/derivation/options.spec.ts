import { parseOptions } from './options.js';

describe('the options of the derivation benchmark', () => {
  it('are three sizes and three rounds by default', () => {
    expect(parseOptions(['--derivation'])).toEqual({ help: false, sizes: [1, 100, 1000], rounds: 3 });
  });

  it('take sizes in a list', () => {
    expect(parseOptions(['--derivation', '--sizes', '5,10', '--rounds', '1'])).toMatchObject({
      sizes: [5, 10],
      rounds: 1,
    });
  });

  it.each([
    [['--sizes', '0'], '--sizes takes whole numbers above 0, not "0".'],
    [['--rounds', 'few'], '--rounds takes a whole number above 0, not "few".'],
    [['--quickly'], "Unknown option '--quickly'"],
  ])('%j is refused', (args, reason) => {
    expect(() => parseOptions(args)).toThrow(reason);
  });
});
