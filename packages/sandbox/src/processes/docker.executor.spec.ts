import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeCodeExecutor } from '../contract/index.js';
import { docker, dockerArguments, type DockerOptions } from './docker.executor.js';

const missing = faultHere();

if (missing === undefined) {
  describeCodeExecutor(
    'docker',
    (limits) => docker(limits),
    {
      language: 'python',
      hello: "print('hello')",
      warns: "import sys; print('oops', file=sys.stderr)",
      fails: "def risky():\n    raise ValueError('bad idea')\nrisky()",
      loops: 'while True: pass',
      floods: "while True: print('x' * 100_000)",
      hoards: 'kept = []\nwhile True: kept.append(bytearray(10_000_000))',
      copiesFile: "text = open('in.csv').read()\nprint(text)\n_ = open('out.csv', 'w').write(text)",
    },
    { describe, it, expect },
  );
} else it.skip(`docker: the contract of a code executor (${missing})`, () => undefined);

describe('docker', () => {
  it('starts a container without network, rights, swap and a writable disk', () => {
    const container = {
      name: 'adorn-1',
      image: 'python:3.12-slim',
      memory: 268_435_456,
      cpus: 1,
      processes: 128,
      command: 'docker',
    };

    expect(dockerArguments(container, 'echo')).toEqual([
      ...['docker', 'run', '--rm', '--interactive', '--name', 'adorn-1', '--pull', 'never'],
      ...['--network=none', '--read-only', '--tmpfs', '/tmp:rw,exec,nosuid,nodev,size=64m'],
      ...['--memory=268435456', '--memory-swap=268435456', '--cpus=1.00', '--pids-limit=128'],
      ...[
        '--user=65534:65534',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--ulimit=core=0',
        '--ipc=none',
      ],
      ...['--workdir', '/tmp', '--env', 'HOME=/tmp', '--env', 'MPLCONFIGDIR=/tmp/.matplotlib'],
      ...['--entrypoint', 'sh', 'python:3.12-slim', '-c', 'echo'],
    ]);
    expect(dockerArguments({ ...container, runtime: 'runsc' }, 'echo')).toContain('--runtime=runsc');
  });

  it('runs no code without a daemon, and says what to do', () => {
    const executor = docker({ command: '/nonexistent/docker' });

    expect(() => executor.ready()).toThrow(
      'docker cannot run code here: spawnSync /nonexistent/docker ENOENT. Start the Docker daemon, or take bubblewrap() or quickJs().',
    );
  });

  it('runs no code if the daemon does not answer, and quotes its command', () => {
    const { command } = dockerThat('echo " Cannot connect to the daemon " >&2; exit 1');

    expect(() => docker({ command }).ready()).toThrow(
      'docker cannot run code here: Cannot connect to the daemon. Start the Docker daemon, or take bubblewrap() or quickJs().',
    );
  });

  it('runs no code without its image, and says how to get it', async () => {
    const { command, calls } = dockerThat('[ "$1" = version ]');

    const running = docker({ command, image: 'rust:1' }).execute({ code: '1', language: 'python' });

    await expect(running).rejects.toThrow(
      `docker cannot run code here: there is no image rust:1. Pull it: ${command} pull rust:1.`,
    );
    expect(calls()).toEqual(['version --format {{.Server.Version}}', 'image inspect rust:1']);
  });

  it('looks for daemon and image once, and starts a container of its own for each execution', async () => {
    const { command, calls } = dockerThat('[ "$1" != run ] || exit 9');
    const executor = docker({ command });
    await executor.ready();
    for (let time = 0; time < 2; time++)
      await expect(executor.execute({ code: '1', language: 'python' })).rejects.toThrow('status 9');

    const [version, image, ...runs] = calls();
    expect([version, image]).toEqual([
      'version --format {{.Server.Version}}',
      'image inspect python:3.12-slim',
    ]);
    const names = runs.map((line) => /--name (adorn-[0-9a-f-]{36}) /.exec(line)?.[1]);
    expect([runs.length, new Set(names).size, names.includes(undefined)]).toEqual([2, 2, false]);
    expect(runs[0]).toContain('--memory=268435456 --memory-swap=268435456 --cpus=1.00 --pids-limit=128');
  });

  it('kills the container by its name at the time limit', async () => {
    const { command, calls } = dockerThat('[ "$1" != run ] || exec sleep 60');

    const { isTimeout } = await docker({ command, timeout: 300 }).execute({ code: '1', language: 'python' });

    expect(isTimeout).toBe(true);
    for (let tries = 0; tries < 100 && calls().length < 4; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const [name] = /adorn-[0-9a-f-]{36}/.exec(calls()[2] ?? '') ?? [];
    expect(calls()[3]).toBe(`kill ${String(name)}`);
  });

  it.each<[DockerOptions, string]>([
    [{ cpus: 0 }, 'cpus is 0. Pass a number above 0.'],
    [{ image: '--privileged' }, 'image is "--privileged"'],
    [{ languages: ['cobol'] }, 'it does not know the language "cobol"'],
    [{ volume: '/:/host' } as DockerOptions, 'there is no option volume'],
  ])('refuses %j', (options, fault) => {
    expect(() => docker(options)).toThrow(fault);
  });
});

/** A command in the place of Docker's that notes its arguments and does what a shell script says. */
function dockerThat(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-docker-'));
  const log = join(folder, 'log');
  const command = join(folder, 'docker');
  // The script in the arguments of a run has lines of its own.
  writeFileSync(command, `#!/bin/sh\necho "$@" | head -1 >> ${log}\n${script}\n`);
  chmodSync(command, 0o755);
  const calls = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { command, calls };
}

/** Why containers cannot run on this machine. */
function faultHere(): string | undefined {
  try {
    void docker().ready();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
