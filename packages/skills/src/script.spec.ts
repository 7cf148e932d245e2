import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bubblewrap } from '@adorn/sandbox';

import { scriptCode, type ScriptLanguage } from './script.js';

const text = (value: string): Uint8Array => Buffer.from(value);

/** Texts that a careless program would read as code. */
const ARGUMENTS = ["it's", '"; exit 3; "', '$(exit 4)', 'END_OF_FILE', 'a\nb', ''];

const FILES: ReadonlyMap<string, Uint8Array> = new Map([
  ['data/it\'s "here"/words.txt', text('END_OF_FILE\n$(exit 5)\n')],
  ['scripts/helper.py', text('def shown(values):\n    return repr(values)\n')],
  [
    'scripts/main.py',
    text(
      'import os, sys\nfrom helper import shown\nprint(shown(sys.argv[1:]))\n' +
        'root = os.environ["SKILL_ROOT"]\nprint(repr(open(root + "/data/it\'s \\"here\\"/words.txt").read()))\nopen("out.txt", "w").write("written")\n',
    ),
  ],
  [
    'scripts/main.sh',
    text('for each in "$@"; do printf "%s|" "$each"; done\ncat "$SKILL_ROOT"/data/*/words.txt\n'),
  ],
]);

describe('a script of a skill', () => {
  it.each<[ScriptLanguage, string, string]>([
    [
      'python',
      'scripts/main.py',
      `["it's", '"; exit 3; "', '$(exit 4)', 'END_OF_FILE', 'a\\nb', '']\n'END_OF_FILE\\n$(exit 5)\\n'\n`,
    ],
    ['bash', 'scripts/main.sh', `it's|"; exit 3; "|$(exit 4)|END_OF_FILE|a\nb||END_OF_FILE\n$(exit 5)\n`],
  ])('in %s gets its arguments and files as they are, and sees its siblings', (language, path, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'script-'));
    try {
      const { code } = scriptCode({ language, path, args: ARGUMENTS, files: FILES });
      const command = language === 'python' ? 'python3' : 'bash';
      expect(execFileSync(command, ['-'], { cwd: folder, input: code, encoding: 'utf8' })).toBe(expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('runs in a sandbox, which keeps what it writes and lets nothing out', async () => {
    const executor = bubblewrap();
    await executor.ready();
    const files = new Map([
      ...FILES,
      ['scripts/reach.py', text('import urllib.request\nurllib.request.urlopen("http://127.0.0.1:9")\n')],
    ]);

    const written = await executor.execute(
      scriptCode({ language: 'python', path: 'scripts/main.py', args: [], files }),
    );
    expect(written).toMatchObject({ exitCode: 0, files: [{ name: 'out.txt' }] });

    const reached = await executor.execute(
      scriptCode({ language: 'python', path: 'scripts/reach.py', args: [], files }),
    );
    expect(reached.exitCode).not.toBe(0);
    expect(reached.stderr).toMatch(/unreachable|refused|URLError/);
    await executor.close();
  });
});
