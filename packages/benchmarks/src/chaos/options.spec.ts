import { HELP, parseOptions } from './options.js';

describe('parseOptions', () => {
  it('takes the storage suite and the defaults that the help states', () => {
    const { suite, seeds, postgresSeeds, conversations, from } = parseOptions([]);

    expect(suite).toBe('storage');
    expect(HELP).toMatch(new RegExp(`--seeds N .*\\(default ${String(seeds)}\\)`));
    expect(HELP).toMatch(new RegExp(`--postgres-seeds N .*\\(default ${String(postgresSeeds)}\\)`));
    expect(HELP).toMatch(new RegExp(`--conversations N .*\\(default ${String(conversations)}\\)`));
    expect(HELP).toMatch(new RegExp(`--from SEED .*\\(default ${String(from)}\\)`));
  });

  it('reads the suite and flags in any order', () => {
    expect(parseOptions(['--from', '7', 'input', '--conversations', '20'])).toMatchObject({
      suite: 'input',
      conversations: 20,
      from: 7,
    });
    expect(parseOptions(['storage', '--seeds', '3', '--postgres-seeds', '0'])).toMatchObject({
      suite: 'storage',
      seeds: 3,
      postgresSeeds: 0,
    });
  });

  it('takes few cases of the calls on demand', () => {
    expect(parseOptions(['calls', '--quick'])).toMatchObject({ suite: 'calls', quick: true });
    expect(parseOptions(['calls'])).toMatchObject({ quick: false });
  });

  it('takes few rounds of the processes on demand, and one of a seed', () => {
    expect(parseOptions(['processes', '--quick'])).toMatchObject({ suite: 'processes', quick: true });
    expect(HELP).toContain(`trees on each store (default ${String(parseOptions(['processes']).seeds)})`);
    expect(parseOptions(['processes', '--from', '7', '--seeds', '1'])).toMatchObject({
      suite: 'processes',
      from: 7,
      seeds: 1,
    });
  });

  it('holds one conversation where one seed is named', () => {
    expect(parseOptions(['input', '--seed', '42'])).toMatchObject({ conversations: 1, from: 42 });
  });

  it.each([
    [['network'], 'There is no suite "network"; there are storage, input, '],
    [['storage', 'input'], 'There is no suite "storage input"; there are storage, input, '],
    [['--seeds', 'many'], '--seeds'],
    [['fleet', '--engine', 'kafka'], 'There is no engine "kafka"; there are pg-boss, restate.'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
