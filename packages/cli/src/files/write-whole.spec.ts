import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

import { writeWhole } from './write-whole.js';

describe('writeWhole', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'adorn-write-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('replaces a file when all is written', async () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'before');
    await writeWhole(file, ['one, ', 'two']);

    expect(readFileSync(file, 'utf8')).toBe('one, two');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('keeps the permissions of a file', async () => {
    const file = join(folder, 'a.sh');
    writeFileSync(file, 'before', { mode: 0o755 });
    await writeWhole(file, ['after']);

    expect(statSync(file).mode & 0o777).toBe(0o755);
  });

  it('leaves a file as it was if its text fails in the middle', async () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'before');
    async function* text(): AsyncGenerator<string> {
      yield await Promise.resolve('one');
      throw new Error('no more');
    }

    await expect(writeWhole(file, text())).rejects.toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves a file as it was if %s ends the process',
    async (signal) => {
      const file = join(folder, 'a.txt');
      writeFileSync(file, 'before');
      const program = join(folder, 'program.mjs');
      await build({
        stdin: {
          contents: `import { writeWhole } from './write-whole.js';
          async function* text() { yield 'one'; console.log('begun'); await new Promise((done) => setTimeout(done, 60_000)); }
          await writeWhole(${JSON.stringify(file)}, text());`,
          resolveDir: 'packages/cli/src/files',
          loader: 'ts',
        },
        ...{ bundle: true, platform: 'node', format: 'esm', outfile: program, target: 'node20' },
      });
      const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill(signal);

      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(readFileSync(file, 'utf8')).toBe('before');
      expect(readdirSync(folder).sort()).toEqual(['a.txt', 'program.mjs']);
    },
  );
});
