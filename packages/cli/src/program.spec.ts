import { spawnSync } from 'node:child_process';

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

  it('says its version by a command, too', async () => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await quiet().program.parseAsync(['node', 'adorn', 'version']);

    expect(log.mock.calls).toEqual([['1.2.3']]);
    log.mockRestore();
  });

  it.each([
    [['--port', 'x'], '--port is "x". Pass a port, such as 8080'],
    [['--port', '80', '--bind', '127.0.0.1:80'], 'There are --bind and --port. Pass one of them.'],
  ])('refuses a port of web that is none, or one beside an address: %j', async (args, message) => {
    await expect(quiet().program.parseAsync(['node', 'adorn', 'web', ...args])).rejects.toThrow(message);
  });

  it.each(['18.20.4', '20.18.0', '22.11.0'])(
    'and create-adorn say what they need on Node %s, before anything is loaded',
    (version) => {
      const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
      for (const bin of ['packages/cli/bin/adorn.js', 'packages/create-adorn/bin/create-adorn.js']) {
        const { stderr, status } = spawnSync(process.execPath, ['--import', older, bin, '--help'], {
          encoding: 'utf8',
        });

        expect(stderr).toMatch(/needs Node 20\.19 or later, or 22\.12 or later, and this is Node \d/);
        expect(status).toBe(1);
      }
    },
  );

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
