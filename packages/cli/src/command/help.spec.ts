import { COMMANDS, createProgram } from '../program.js';
import { leavesOf } from './declaration.js';
import { EXIT_CODES } from './exit-codes.js';
import { wrapped } from './help-after.js';
import { longFlag } from './option-flags.js';

const LEAVES = leavesOf(Object.values(COMMANDS).flat());

/** What `--help` prints after the words. */
async function helpOf(...words: string[]): Promise<string> {
  const program = createProgram({ version: '1.2.3', bin: import.meta.url });
  let printed = '';
  const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)];
  for (const command of all) command.configureOutput({ writeOut: (piece) => (printed += piece) });
  await program.parseAsync(['node', 'adorn', ...words, '--help']).catch(() => undefined);
  return printed;
}

describe('the help', () => {
  const columns = process.env['COLUMNS'];
  beforeEach(() => {
    process.env['COLUMNS'] = '80';
  });
  afterEach(() => {
    if (columns === undefined) delete process.env['COLUMNS'];
    else process.env['COLUMNS'] = columns;
  });

  it.each(['', 'sessions', 'evidence', 'migrate', ...LEAVES.map(({ path }) => path)])(
    'of adorn %s',
    async (path) => {
      expect(await helpOf(...path.split(' ').filter((word) => word !== ''))).toMatchSnapshot();
    },
  );

  it.each([20, 60, 200])(
    'has no line of prose longer than %i columns, but words that are longer',
    (width) => {
      const lines = wrapped(
        'A word that is rather lengthy, and more of them:\n\n  code stays as it is',
        width,
      );

      for (const line of lines.split('\n').filter((one) => !one.startsWith(' ')))
        expect(line.length).toBeLessThanOrEqual(width);
      expect(lines).toContain('\n\n  code stays as it is');
    },
  );

  it('is as wide as COLUMNS says', async () => {
    process.env['COLUMNS'] = '50';
    const narrow = await helpOf('graph');
    process.env['COLUMNS'] = '160';

    expect(narrow.split('\n').length).toBeGreaterThan((await helpOf('graph')).split('\n').length);
  });
});

describe('each command', () => {
  it.each(LEAVES)('adorn $path says what it does, and gives an example of itself', ({ path, command }) => {
    expect(command.summary).toMatch(/^[a-z].*[^.]$/);
    expect(command.examples.join('\n')).toContain(`adorn ${path.replace(/ list$/, '')}`);
  });

  it.each(LEAVES.filter(({ path }) => !['completion', 'mcp'].includes(path)))(
    'adorn $path prints JSON for programs',
    ({ command }) => {
      expect(Object.keys(command.options)).toContain('json');
    },
  );

  it.each(LEAVES)(
    'adorn $path has no option twice, and none of another kit that it has itself',
    ({ command }) => {
      const { options, elsewhere = {} } = command;
      const own = Object.entries(options).map(([name, option]) => longFlag(name, option).replace(/^--/, ''));

      expect(new Set(own).size).toBe(own.length);
      expect(own.filter((name) => Object.hasOwn(elsewhere, name))).toEqual([]);
      for (const { short, conflicts = [] } of Object.values(options)) {
        expect(short ?? 'x').toMatch(/^[a-z]$/);
        for (const name of conflicts) expect(Object.keys(options)).toContain(name);
      }
    },
  );

  it.each(LEAVES)('adorn $path explains only exit codes that there are', ({ command }) => {
    for (const code of Object.keys(command.exitCodes ?? {})) expect(Object.keys(EXIT_CODES)).toContain(code);
  });
});
