import type { CodeExecutionInput } from '@adorn/core/backend';

import { checkLimits, type SandboxLimits } from '../options.js';
import { executeInProcess } from './process-execution.js';
import { toTar } from './tar.js';

/** Programs of the host in the place of a sandbox: what it may say, and how it may end. */
describe('the process of a sandbox', () => {
  it('gets a script that unpacks, runs the code without input, and packs what it wrote', async () => {
    let script = '';
    await execute((given) => ['sh', '-c', (script = given) && 'exit 3']).catch(() => undefined);

    const [marker = ''] = /--[0-9a-f]{36}--/.exec(script) ?? [];
    expect(script.replaceAll(marker, 'MARKER').split('\n')).toEqual([
      'mkdir -p /tmp/code /tmp/work || exit 125',
      'tar -xf - -C /tmp || exit 125',
      'cd /tmp/work || exit 125',
      "echo 'MARKER'",
      'bash /tmp/code/main.sh </dev/null',
      'status=$?',
      "printf '%s\\n' 'MARKER'",
      'tar -cf - -C /tmp/work . 2>/dev/null',
      'exit $status',
    ]);
  });

  it('has a marker that no other execution has', async () => {
    const scripts: string[] = [];
    for (let time = 0; time < 2; time++)
      await execute((script) => ['sh', '-c', `exit ${String(scripts.push(script))}`]).catch(() => undefined);

    expect(new Set(scripts).size).toBe(2);
  });

  it('gets the code and the files as an archive, the runner of Python beside it', async () => {
    const list = (language: string) =>
      execute(saying('tar -tf - | tr "\\n" " "'), {
        ...{ language, code: 'x' },
        files: [{ name: 'in.csv', mimeType: 'text/csv', data: Buffer.from('a') }],
      });

    expect((await list('python')).stdout).toBe('code/main.py code/run.py work/in.csv ');
    expect((await list('ruby')).stdout).toBe('code/main.rb work/in.csv ');
  });

  it('has a path and no other environment', async () => {
    process.env['ADORN_SECRET'] = 'hunter2';
    const { stdout } = await execute(saying('/usr/bin/env | grep -v "^\\(PWD\\|SHLVL\\|_\\|OLDPWD\\)="'));
    delete process.env['ADORN_SECRET'];

    expect(stdout).toBe('PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\n');
  });

  it('returns what was printed between the markers, the status, the result and the files', async () => {
    const archive = toTar([
      { name: './out.csv', data: Buffer.from('1,2') },
      { name: './given.txt', data: Buffer.from('same') },
      { name: './changed.txt', data: Buffer.from('new') },
      { name: './sub/in-folder.txt', data: Buffer.from('x') },
      { name: './.adorn-result.json', data: Buffer.from('{"a":1}') },
    ]).toString('base64');
    const given = (name: string, text: string) => ({ name, mimeType: 'text/plain', data: Buffer.from(text) });

    const result = await execute(saying(`echo hello; echo oops >&2`, `echo ${archive} | base64 -d; exit 4`), {
      files: [given('given.txt', 'same'), given('changed.txt', 'old')],
    });

    expect(result).toMatchObject({ stdout: 'hello\n', stderr: 'oops\n', exitCode: 4, result: { a: 1 } });
    expect(
      result.files?.map(({ name, mimeType, data }) => [name, mimeType, Buffer.from(data).toString()]),
    ).toEqual([
      ['out.csv', 'text/csv', '1,2'],
      ['changed.txt', 'text/plain', 'new'],
    ]);
  });

  it.each<[string, string, string]>([
    [
      'says why it did not start the code',
      'echo " no namespaces " >&2; exit 3',
      'it ended with status 3: no namespaces.',
    ],
    ['says nothing', 'exit 125', 'it ended with status 125: .'],
  ])('is a failed sandbox if it %s', async (_, program, fault) => {
    await expect(execute(() => ['sh', '-c', program])).rejects.toThrow(
      `The sandbox fake has failed: ${fault}`,
    );
  });

  it('is a failed sandbox if it cannot be started', async () => {
    await expect(execute(() => ['/nonexistent/bwrap'])).rejects.toThrow(
      'The sandbox fake has failed: it could not be started: spawn /nonexistent/bwrap ENOENT.',
    );
  });

  it.each<[string, string, string, number]>([
    ['by a signal', 'kill -9 $$', 'SIGKILL', 137],
    ['with a status, without what it wrote', 'exit 9', 'status 9', 9],
  ])('is ended code if it ends %s after the code has begun', async (_, end, by, exitCode) => {
    const { stderr, stdout, ...rest } = await execute((script) => [
      'sh',
      '-c',
      `echo '${markerIn(script)}'; echo begun; ${end}`,
    ]);

    expect(stdout).toBe('begun\n');
    expect(stderr).toBe(
      `The code was ended by the sandbox (${by}): it took too much memory, or it killed itself.\n`,
    );
    expect(rest).toEqual({ exitCode });
  });

  it('is killed with its children at the time limit, with what was printed so far', async () => {
    const { stdout, stderr, isTimeout } = await execute(
      (script) => ['sh', '-c', `echo '${markerIn(script)}'; echo begun; sleep 60 & sleep 60`],
      {},
      { timeout: 200 },
    );

    expect([stdout, stderr, isTimeout]).toEqual([
      'begun\n',
      'The code was stopped: it took longer than 200 ms.\n',
      true,
    ]);
  });

  it('is killed by its own means, if it has some', async () => {
    const killed: unknown[] = [];
    const result = await executeInProcess(
      {
        ...{ executor: 'fake', command: () => ['sleep', '60'], limits: limitsOf({ timeout: 100 }) },
        kill: (child) => {
          killed.push(child.pid);
          child.kill('SIGKILL');
        },
      },
      { code: '', language: 'bash' },
    );

    expect([result.isTimeout, killed.length]).toEqual([true, 1]);
  });

  it('ends at a signal, and is not started after one', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    let starts = 0;
    const running = execute(() => ['sleep', String(60 + starts++)], { signal: controller.signal });
    controller.abort(reason);

    await expect(running).rejects.toBe(reason);
    expect(() => execute(() => ['sleep', String(starts++)], { signal: controller.signal })).toThrow(reason);
    expect(starts).toBe(1);
  });

  it('is stopped where it floods, with the beginning of the flood', async () => {
    const { stdout, stderr, exitCode } = await execute(
      saying('while :; do echo 0123456789; done'),
      {},
      { maxOutput: 100 },
    );

    expect(exitCode).toBe(137);
    expect(stdout).toMatch(/^(0123456789\n){9}0\n\[\d+ bytes were dropped\]\n$/);
    expect(stderr).toBe('The code was stopped: it printed more than 100 bytes.\n');
  });

  it.each(['cobol', 'toString', ''])('runs no language that it does not know: %j', (language) => {
    expect(() => execute(() => ['true'], { language })).toThrow(
      `The sandbox of processes has failed: it does not know the language ${JSON.stringify(language)}.`,
    );
  });
});

function execute(
  command: (script: string) => readonly string[],
  input: Partial<CodeExecutionInput> = {},
  limits: SandboxLimits = {},
) {
  return executeInProcess(
    { executor: 'fake', command, limits: limitsOf(limits) },
    { code: '', language: 'bash', ...input },
  );
}

function limitsOf(limits: SandboxLimits) {
  return checkLimits('fake', { timeout: 20_000, ...limits }, { memory: 1 });
}

/** A sandbox that prints the markers around a program, and then what another one prints. */
function saying(program: string, after = 'exit 0') {
  return (script: string): readonly string[] => {
    const marker = markerIn(script);
    return ['sh', '-c', `echo '${marker}'; ${program}; echo '${marker}'; ${after}`];
  };
}

function markerIn(script: string): string {
  return /--[0-9a-f]{36}--/.exec(script)?.[0] ?? '';
}
