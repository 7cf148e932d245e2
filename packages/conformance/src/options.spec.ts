import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

import { findFixtures } from './fixtures-folder.js';
import { helpOf, parseOptions } from './options.js';
import type { Suite } from './suite.js';

describe('parseOptions', () => {
  it('reads suites and flags in any order', () => {
    expect(parseOptions(['b', '--fixtures', 'here', 'a'], ['a', 'b'])).toEqual({
      help: false,
      suites: ['b', 'a'],
      fixtures: 'here',
    });
  });

  it.each([
    [['c'], 'There is no suite "c"; there are a, b.'],
    [['--quick'], "Unknown option '--quick'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args, ['a', 'b'])).toThrow(message);
  });
});

describe('helpOf', () => {
  it('says of each suite what it replays, how long it takes and which fixtures it needs', () => {
    const help = helpOf([
      suiteOf({ name: 'talks', summary: 'recorded talks', takes: 'about a minute', folder: 'talks/retail' }),
      suiteOf({ name: 'stores', summary: 'every store', takes: 'two minutes' }),
    ]);

    expect(help).toMatch(/^ {2}talks +recorded talks\n +about a minute; fixtures: talks\/retail$/m);
    expect(help).toMatch(/^ {2}stores +every store\n +two minutes; no fixtures$/m);
  });

  it('names what is taken by default', () => {
    expect(helpOf([])).toContain('Suites (default: all of them, ');
    expect(helpOf([])).toContain('(default: ADORN_FIXTURES, then ../shared/fixtures)');
  });
});

describe('findFixtures', () => {
  const root = resolve(tmpdir(), 'no-repository-there');

  it('takes the flag, then the environment, then the folder beside the repository', () => {
    expect([
      findFixtures({ flag: 'a', environment: 'b', root }, []),
      findFixtures({ flag: undefined, environment: 'b', root }, []),
      findFixtures({ flag: undefined, environment: '', root }, []),
    ]).toEqual([resolve('a'), resolve('b'), resolve(root, '../shared/fixtures')]);
  });

  it('fails where what is wanted is absent, and says what to do', () => {
    expect(() => findFixtures({ flag: root, environment: undefined, root }, ['tau/retail'])).toThrow(
      `There are no fixtures "tau/retail" in ${root}. Say where they are with --fixtures DIR or ADORN_FIXTURES.`,
    );
  });
});

function suiteOf(said: Omit<Suite, 'run'>): Suite {
  return { ...said, run: () => (async function* () {})() };
}
