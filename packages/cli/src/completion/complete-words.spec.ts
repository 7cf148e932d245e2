import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { COMMANDS } from '../program.js';
import { completeWords } from './complete-words.js';

function offered(line: string): { words: string[]; files: boolean } {
  const { words, files } = completeWords(Object.values(COMMANDS).flat(), line.split(' '));
  return { words: words.map(({ word }) => word), files };
}

describe('completion', () => {
  it.each([
    ['s', ['schedules', 'skills', 'sessions'], false],
    ['sessions re', ['rewind'], true],
    ['sessions ', 'show', true],
    ['run ', [], true],
    ['run a.ts ', [], false],
    ['run --script ', [], true],
    ['run --script demo.txt ', [], true],
    ['run --sc', ['--script'], false],
    ['sessions show --se', ['--session'], false],
    ['sessions --li', ['--limit'], false],
    ['check --format g', ['github'], false],
    ['check -p ', [], true],
    ['new my-app -t s', ['service'], false],
    ['new --no', ['--no-install'], false],
    ['web a.ts b.ts ', [], true],
    ['completion ', ['bash', 'zsh', 'fish'], false],
    ['nothing ', [], false],
    ['run --user ', [], false],
  ])('offers for "adorn %s"', (line, words, files) => {
    const found = offered(line);

    if (typeof words === 'string') expect(found.words).toContain(words);
    else expect(found.words).toEqual(words);
    expect(found.files).toBe(files);
  });

  it('works in bash, with commands, flags and files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-completion-'));
    try {
      writeFileSync(join(folder, 'my agent.ts'), '');
      const bin = resolve('packages/cli/bin/adorn.js');
      const script = resolve('packages/cli/completions/adorn.bash');
      const ask = (...words: string[]): string[] => {
        const program = `
          adorn() { "${process.execPath}" "${bin}" "$@"; }
          source "${script}"
          COMP_WORDS=(${['adorn', ...words].map((word) => `'${word}'`).join(' ')})
          COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
          _adorn_complete
          printf '%s\\n' "\${COMPREPLY[@]}"`;
        const { stdout } = spawnSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' });
        return stdout.split('\n').filter((line) => line !== '');
      };

      expect(ask('ev')).toEqual(['eval', 'evidence']);
      expect(ask('evidence', 'verify', '--p')).toEqual(['--public-key']);
      expect(ask('run', 'my')).toEqual(['my agent.ts']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
