import { jest } from '@jest/globals';

import { readFlags } from './read-flags.js';
import { type Command, runCommand } from './run-command.js';
import { UsageError } from './usage.error.js';
import { positive } from './whole-number.js';

interface Options {
  readonly help: boolean;
  readonly rounds: number;
}

const FLAGS = { help: { type: 'boolean' }, rounds: { type: 'string' } } as const;

describe('runCommand', () => {
  const said: string[] = [];
  const ran: number[] = [];
  let before: typeof process.exitCode;
  const command: Command<Options> = {
    parse: (args) => {
      const { help = false, rounds = '5' } = readFlags(args, { options: FLAGS }).values;
      return { help, rounds: positive('rounds', rounds) };
    },
    run: ({ rounds }) => {
      ran.push(rounds);
      return Promise.resolve();
    },
    help: 'What there is.\n',
    hint: '"--help" says what there is.',
    usageCode: 2,
  };

  beforeEach(() => {
    said.length = ran.length = 0;
    before = process.exitCode;
    process.exitCode = undefined;
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(`out: ${String(text)}`) > 0);
    jest.spyOn(console, 'error').mockImplementation((text) => said.push(`error: ${String(text)}`));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = before;
  });

  it('runs with what the command line says', async () => {
    await runCommand(command, ['--rounds', '3']);

    expect([ran, said, process.exitCode]).toEqual([[3], [], undefined]);
  });

  it('prints the help, and runs nothing', async () => {
    await runCommand(command, ['--help']);

    expect([ran, said, process.exitCode]).toEqual([[], ['out: What there is.\n'], undefined]);
  });

  it.each([
    [['--rounds', '0'], '--rounds takes a whole number above 0, not "0". "--help" says what there is.'],
    [['--rounds'], '--rounds <value>\' argument missing. "--help" says what there is.'],
    [['--fast'], 'Unknown option \'--fast\'. "--help" says what there is.'],
  ])('ends in one sentence and with the code for it where %j means nothing', async (args, sentence) => {
    await runCommand(command, args);

    expect(ran).toEqual([]);
    expect(said).toEqual([expect.stringContaining(sentence)]);
    expect(process.exitCode).toBe(2);
  });

  it('ends in the same way where the run finds that what was named is not there', async () => {
    const run = (): Promise<void> => Promise.reject(new UsageError('There are no fixtures.'));

    await runCommand({ ...command, run }, []);

    expect(said).toEqual(['error: There are no fixtures. "--help" says what there is.']);
    expect(process.exitCode).toBe(2);
  });

  it('throws what is a fault, and not of the command line', async () => {
    const fault = new Error('broken');

    await expect(runCommand({ ...command, run: () => Promise.reject(fault) }, [])).rejects.toBe(fault);
    expect(said).toEqual([]);
  });
});
