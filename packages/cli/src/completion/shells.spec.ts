/** @slow */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import type { Shell } from './scripts.js';

const scriptOf = (shell: Shell): string => resolve(`packages/cli/completions/adorn.${shell}`);

let folder = '';
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adorn-completion-'));
  const command = join(folder, 'adorn');
  const bin = resolve('packages/cli/bin/adorn.js');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(folder, 'my agent.ts'), '');
  env = { ...process.env, HOME: folder, PATH: [folder, process.env['PATH']].join(delimiter), TERM: 'xterm' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of a shell, which may skip the files of its user. */
function run(shell: Shell, program: string): string {
  const flags = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const { stdout, stderr, status } = spawnSync(shell, [...flags, '-c', program], {
    ...{ cwd: folder, env, encoding: 'utf8', timeout: 60_000 },
  });
  if (status !== 0) throw new Error(`${shell} ended with ${String(status)}: ${stderr}`);
  return stdout;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** What bash offers for words. It has no terminal here: the function is called as bash calls it. */
function inBash(...words: string[]): string[] {
  const program = `
    source '${scriptOf('bash')}'
    COMP_WORDS=(${['adorn', ...words].map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _adorn_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return linesOf(run('bash', program));
}

/** What fish offers for a line, with the descriptions. */
function inFish(line: string): string[] {
  return linesOf(run('fish', `source '${scriptOf('fish')}'; complete -C '${line}'`));
}

/** A line in a terminal with zsh after the tab key; the first of several matches is taken. */
function inZsh(line: string, setup = `source '${scriptOf('zsh')}'`): string {
  const program = `
    zmodload zsh/zpty
    rm -f ready completed
    zpty terminal zsh -f -i
    zpty -w terminal "setopt menucomplete; ${setup}
      tell() { zle complete-word; print -rn -- \\"\\$BUFFER\\" > completed.part; mv completed.part completed; }
      zle -N tell; bindkey '^T' tell; : > ready"
    until [[ -e ready ]]; do zpty -r -t terminal; sleep 0.05; done >/dev/null
    zpty -w -n terminal '${line}'$'\\C-T'
    until [[ -e completed ]]; do zpty -r -t terminal; sleep 0.05; done >/dev/null
    zpty -d terminal
    print -r -- "$(<completed)"`;
  return run('zsh', program).trimEnd();
}

/** Declares what a shell does; skipped, with the reason, where it is not installed. */
function whereInstalled(shell: Shell, declare: () => void): void {
  if (spawnSync(shell, ['--version']).status === 0) describe(shell, declare);
  else it.skip(`${shell} completes; skipped, as there is no ${shell} here`, () => undefined);
}

whereInstalled('bash', () => {
  it('completes commands, options, values and files', () => {
    expect(inBash('ev')).toEqual(['eval', 'evidence']);
    expect(inBash('evidence', 'verify', '--p')).toEqual(['--public-key']);
    expect(inBash('check', '--format', 'g')).toEqual(['github']);
    expect(inBash('run', 'my')).toEqual(['my agent.ts']);
  });

  it('completes a value behind an equals sign, at which it takes words apart', () => {
    expect(inBash('check', '--format', '=')).toEqual(['text', 'json', 'github']);
    expect(inBash('check', '--format', '=', 'g')).toEqual(['github']);
    expect(inBash('run', '--store', '=', 'my')).toEqual(['my agent.ts']);
  });
});

whereInstalled('fish', () => {
  it('completes commands with what they do, options, values and files', () => {
    expect(inFish('adorn ev')).toEqual([
      expect.stringMatching(/^eval\t\w/),
      expect.stringMatching(/^evidence\t\w/),
    ]);
    expect(inFish('adorn evidence verify --p')).toEqual([expect.stringMatching(/^--public-key\t\w/)]);
    expect(inFish('adorn check --format ')).toEqual(['github', 'json', 'text']);
    expect(inFish('adorn run my')).toEqual(['my agent.ts']);
  });

  it('completes a value behind an equals sign', () => {
    expect(inFish('adorn check --format=g')).toEqual(['--format=github']);
    expect(inFish('adorn run --store=my')).toEqual(['--store=my agent.ts']);
  });
});

whereInstalled('zsh', () => {
  it.each([
    ['adorn evid', 'adorn evidence '],
    ['adorn evidence verify --p', 'adorn evidence verify --public-key '],
    ['adorn check --format g', 'adorn check --format github '],
    ['adorn check --format=g', 'adorn check --format=github '],
    ['adorn run my', String.raw`adorn run my\ agent.ts `],
    ['adorn run --store=my', String.raw`adorn run --store=my\ agent.ts `],
  ])('completes "%s"', (line, expected) => {
    expect(inZsh(line)).toBe(expected.trimEnd());
  });

  it('completes at the first tab where the script is a function of a folder', () => {
    const setup = `cp '${scriptOf('zsh')}' _adorn; fpath=('${folder}' \\$fpath); autoload -Uz compinit; compinit -D -u`;

    expect(inZsh('adorn evid', setup)).toBe('adorn evidence');
  });
});
