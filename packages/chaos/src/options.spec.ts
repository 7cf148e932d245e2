import { helpOf, parseOptions } from './options.js';
import { SUITES } from './suites.js';

const read = (...args: string[]) => parseOptions(args, SUITES);

describe('parseOptions', () => {
  it('takes the first suite where none is named, with the defaults that the help states', () => {
    const { suite, options } = read();

    expect([suite.name, options]).toEqual([
      'storage',
      { counts: { seeds: 100, postgresSeeds: 25 }, from: 1, quick: false, parts: [] },
    ]);
    expect(helpOf(SUITES)).toMatch(
      /storage .*\n[^]*--postgres-seeds N {4}the same on PostgreSQL \(default 25\)/,
    );
  });

  it('reads the flags of a suite in any order', () => {
    expect(read('input', '--from', '7', '--conversations', '20').options).toMatchObject({
      counts: { conversations: 20 },
      from: 7,
    });
    expect(read('--seeds', '3', '--postgres-seeds', '0').options).toMatchObject({
      counts: { seeds: 3, postgresSeeds: 0 },
    });
  });

  it('takes few cases on demand', () => {
    expect(read('calls', '--quick').options.quick).toBe(true);
    expect(read('calls').options.quick).toBe(false);
  });

  it('takes all parts of a suite, or those that are named', () => {
    expect(read('fleet').options.parts).toEqual(['pg-boss', 'restate']);
    expect(read('fleet', 'restate', '--seconds', '60').options).toMatchObject({
      parts: ['restate'],
      counts: { seconds: 60 },
    });
  });

  it.each([
    [['network'], 'There is no suite "network"; there are storage, input, '],
    [['storage', 'input'], 'The suite storage has no part "input"; it has no parts.'],
    [['fleet', 'kafka'], 'The suite fleet has no part "kafka"; its parts are pg-boss, restate.'],
    [['--seeds', 'many'], '--seeds takes a whole number, not "many".'],
    [['peers', '--seeds', '3'], "Unknown option '--seeds'"],
    [['peers', '--quick'], "Unknown option '--quick'"],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
