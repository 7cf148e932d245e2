import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createRunner, defineAgent, SessionService } from '@adorn/core';
import { CodeExecutor, type CodeExecutionInput, type CodeExecutionResult, logOf } from '@adorn/core/backend';
import { bubblewrap, quickJs } from '@adorn/sandbox';
import { callsTool as calls, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { artifactFiles, workspace, type WorkspaceOptions, type WorkspaceSource } from '../index.js';
import { useFolders } from '../workspace.fixture.js';

const newFolder = useFolders();
const ADA = { userId: 'ada', sessionId: 's1' };

async function open(source: WorkspaceSource, options: WorkspaceOptions, ...steps: ScriptedStep[]) {
  const Editor = defineAgent({ name: 'editor', tools: [workspace(source, options)] });
  const runner = await createRunner(Editor, { model: new ScriptedModel(...steps, says('Done.')) });
  const responses = async (): Promise<unknown[]> => {
    const session = await runner.get(SessionService).getSession({ ...ADA, appName: runner.appName });
    return logOf(session!).flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
  };
  return { runner, responses, say: () => runner.run({ ...ADA, message: 'Go.' }) };
}

const run = (code: string, more: object = {}) => calls('run_code', { code, ...more });

/** Names and texts that a careless program would read as code. */
const FILES = {
  'data/it\'s "here" $(exit 3).txt': 'END_OF_FILE\n$(exit 4)\n"""\n',
  'data/numbers.csv': '1,2\n3,4\n',
  'top.txt': 'top\n',
};

describe('run_code of a workspace', () => {
  it.each([
    [
      'python',
      [
        'import os',
        'total = sum(int(n) for line in open("data/numbers.csv") for n in line.split(","))',
        'os.makedirs("out", exist_ok=True)',
        'open("out/total.txt", "w").write(str(total))',
        'open("top.txt", "a").write("more\\n")',
        'print(sorted(os.listdir("data")), total)',
      ].join('\n'),
      `['it\\'s "here" $(exit 3).txt', 'numbers.csv'] 10\n`,
    ],
    [
      'bash',
      'mkdir -p out\necho -n 10 > out/total.txt\necho more >> top.txt\nls data | wc -l; cat data/it*',
      '2\nEND_OF_FILE\n$(exit 4)\n"""\n',
    ],
  ])(
    'in %s sees the files of a folder, and what it writes is written there',
    async (language, code, output) => {
      const folder = newFolder(FILES);
      const { say, responses } = await open(folder, { executor: bubblewrap() }, run(code, { language }));
      await say();

      const [response] = await responses();
      expect(response).toMatchObject({ outcome: 'OUTCOME_OK', output });
      const { written } = response as { written: { path: string }[] };
      expect(written.map(({ path }) => path).sort()).toEqual(['out/total.txt', 'top.txt']);
      expect(readFileSync(join(folder, 'out/total.txt'), 'utf8')).toBe('10');
      expect(readFileSync(join(folder, 'top.txt'), 'utf8')).toBe('top\nmore\n');
      for (const [path, text] of Object.entries(FILES).slice(0, 2))
        expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
    },
  );

  it('keeps what code has written before it failed', async () => {
    const folder = newFolder({ 'a.txt': 'a' });
    const { say, responses } = await open(
      folder,
      { executor: bubblewrap() },
      run('open("a.txt", "w").write("b")\nraise ValueError("bad idea")', { language: 'python' }),
      run('echo c > c.txt; exit 3', { language: 'bash' }),
    );
    await say();

    expect(await responses()).toMatchObject([
      {
        outcome: 'OUTCOME_FAILED',
        output: expect.stringContaining('bad idea') as string,
        written: [{ path: 'a.txt' }],
      },
      { outcome: 'OUTCOME_FAILED', written: [{ path: 'c.txt' }] },
    ]);
  });

  it('has files without folders in QuickJS, and those of artifacts as well', async () => {
    const { say, responses } = await open(
      artifactFiles(),
      { executor: quickJs() },
      calls('write_file', { path: 'n.txt', content: '20' }),
      calls('write_file', { path: 'sub/n.txt', content: '1' }),
      run('writeFile("m.txt", Number(readFile("n.txt")) + 1); console.log(listFiles().join())'),
      calls('read_file', { path: 'm.txt' }),
    );
    await say();

    expect((await responses()).slice(2)).toMatchObject([
      { outcome: 'OUTCOME_OK', output: 'n.txt,m.txt\n', written: [{ path: 'm.txt' }] },
      { text: '1\t21' },
    ]);
  });

  it('does not write over what somebody has changed while the code ran, nor outside or into what is ignored', async () => {
    const folder = newFolder({ 'a.txt': 'a' });
    const executor = new Meddler(() => {
      writeFileSync(join(folder, 'a.txt'), 'mine');
    });
    const { say, responses } = await open(folder, { executor }, run('…'));
    await say();

    expect((await responses())[0]).toMatchObject({
      written: [{ path: 'ok.txt' }],
      refused: [
        { path: 'a.txt', reason: expect.stringContaining('has changed since it was read') as string },
        { path: '../b.txt', reason: expect.stringContaining('leads upwards') as string },
        { path: '.git', reason: expect.stringContaining('is not part of the workspace') as string },
      ],
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('waits for a person who reads the code, if changes are to be confirmed', async () => {
    const folder = newFolder();
    const executor = new Meddler(() => undefined);
    const { say, runner } = await open(folder, { executor, confirm: 'write' }, run('print(1)'));
    await say();

    expect(await runner.pending(ADA)).toMatchObject([
      { hint: 'Run this code? It may change files.\nprint(1)' },
    ]);
  });
});

/** Runs no code, and writes files that a sandbox would not give back. */
class Meddler extends CodeExecutor {
  readonly languages = ['javascript'];
  readonly isolation = 'Nothing runs.';
  readonly environment = 'Nothing is there.';
  readonly timeout = 1_000;

  constructor(private readonly meddle: () => void) {
    super();
  }

  async execute(_input: CodeExecutionInput): Promise<CodeExecutionResult> {
    this.meddle();
    const data = Buffer.from('new');
    const files = ['a.txt', '../b.txt', '.git', 'ok.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      data,
    }));
    return { stdout: '', stderr: '', files };
  }
}
