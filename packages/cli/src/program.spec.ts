import { createProgram } from './program.js';

describe('adorn', () => {
  it('names its commands and options in its help', () => {
    const help = createProgram({ version: '1.2.3', bin: import.meta.url }).helpInformation();

    expect(help).toContain('run [options] [file]');
    expect(help).toContain('build [options]');
    expect(help).toContain('--verbose');
  });

  it('says its version', async () => {
    const { written, program } = quiet();

    await expect(program.parseAsync(['node', 'adorn', '--version'])).rejects.toMatchObject({
      code: 'commander.version',
    });
    expect(written()).toBe('1.2.3\n');
  });

  it('says what is missing, and where there is more help', async () => {
    const { written, program } = quiet();

    await expect(program.parseAsync(['node', 'adorn', 'run', '--script'])).rejects.toMatchObject({
      exitCode: 1,
    });
    expect(written()).toBe(
      "error: option '--script <file>' argument missing\n(adorn --help, and adorn <command> --help, say more)\n",
    );
  });
});

function quiet(): { program: ReturnType<typeof createProgram>; written: () => string } {
  let text = '';
  const write = (piece: string): void => void (text += piece);
  const program = createProgram({ version: '1.2.3', bin: import.meta.url });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
  }
  return { program, written: () => text };
}
