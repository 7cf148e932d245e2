/** @slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

import { useFolders } from '../workspace.fixture.js';

const newFolder = useFolders();
/** As it is built: processes run no sources. */
const WORKSPACE = new URL('../../dist/index.js', import.meta.url).href;

/** Appends lines to one file, each by reading it and writing over the version that was read; prints the lines that it has written. */
const PROGRAM = `
  import { writeSync } from 'node:fs';
  const [, root, name, count] = process.argv;
  const { folderFiles } = await import('${WORKSPACE}');
  const store = folderFiles(root);
  for (let line = 0; line < Number(count);) {
    const file = await store.read('log.txt');
    const data = Buffer.concat([file?.data ?? Buffer.alloc(0), Buffer.from(name + line + '\\n')]);
    try {
      await store.write('log.txt', data, { replaces: file?.version });
    } catch (error) {
      if (error.code === 'FILE_CONFLICT') continue;
      throw error;
    }
    writeSync(1, name + line + '\\n');
    line++;
  }
`;

function start(root: string, name: string, count: number) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, '--', root, name, String(count)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  return { child, ended: once(child, 'close'), printed: () => printed };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('folderFiles in several processes', () => {
  it('loses no update of four processes that write one file', async () => {
    const folder = newFolder();
    const writers = ['a', 'b', 'c', 'd'].map((name) => start(folder, name, 25));
    await Promise.all(writers.map(({ ended }) => ended));

    const expected = writers.flatMap(({ printed }) => linesOf(printed()));
    expect(expected).toHaveLength(100);
    expect(linesOf(readFileSync(join(folder, 'log.txt'), 'utf8')).sort()).toEqual(expected.sort());
  });

  it('loses nothing that a killed process had written, and lets others go on', async () => {
    const folder = newFolder();
    for (let round = 0; round < 8; round++) {
      const victim = start(folder, `v${String(round)}-`, 10_000);
      const other = start(folder, `o${String(round)}-`, 40);
      await sleep(150 + 37 * round);
      victim.child.kill('SIGKILL');
      await Promise.all([victim.ended, other.ended]);

      const lines = linesOf(readFileSync(join(folder, 'log.txt'), 'utf8'));
      expect(new Set(lines).size).toBe(lines.length);
      for (const line of [...linesOf(victim.printed()), ...linesOf(other.printed())])
        expect(lines).toContain(line);
      expect(linesOf(other.printed())).toHaveLength(40);
    }
  });
});
