import { spawnSync } from 'node:child_process';

import { createProgram } from './program.js';

describe('adorn', () => {
  it('says its version', async () => {
    const { written, program } = quiet();

    await expect(program.parseAsync(['node', 'adorn', '--version'])).rejects.toMatchObject({
      code: 'commander.version',
    });
    expect(written()).toBe('1.2.3\n');
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
});

function quiet(): { program: ReturnType<typeof createProgram>; written: () => string } {
  let text = '';
  const program = createProgram({ version: '1.2.3', bin: import.meta.url });
  program.configureOutput({ writeOut: (piece) => (text += piece) });
  return { program, written: () => text };
}
