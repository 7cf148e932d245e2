/** @slow */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

import { CodeExecutorUnavailableError } from '@adorn/core/backend';

import { describeCodeExecutor } from '../contract/index.js';
import { bubblewrap, bubblewrapArguments, type BubblewrapOptions, PROBE } from './bubblewrap.executor.js';

/** Python: calls a function of libc, and raises the error that it says. */
const CALL = `import ctypes, os
def call(name, *args):
    libc = ctypes.CDLL('librt.so.1' if name == 'mq_open' else None, use_errno=True)
    if getattr(libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
`;

const missing = faultHere();
const onHosts = missing === undefined ? describe : describe.skip;
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

if (missing === undefined) {
  describeCodeExecutor(
    'bubblewrap with Python',
    (limits) => bubblewrap({ ...limits, languages: ['python'] }),
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
}

describe('the languages of bubblewrap', () => {
  it('are those of the host by default', () => {
    const installed = ['python3', 'bash'].filter((program) =>
      ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${program}`)),
    );

    expect(bubblewrap().languages).toEqual(installed.map((program) => program.replace('python3', 'python')));
  });
});

onHosts(`bubblewrap${skipped}`, () => {
  it('runs code within its default limits', async () => {
    const { stdout, exitCode } = await bubblewrap({ languages: ['bash'] }).execute({
      code: 'head -c 10000000 /dev/zero > zeros; wc -c < zeros',
      language: 'bash',
    });

    expect([stdout, exitCode]).toEqual(['10000000\n', 0]);
  });

  it.each([
    ['print(1)\n6 * 7', 42],
    ["{'a': [1, 2.5, None]}", { a: [1, 2.5, null] }],
    ['x = 1', undefined],
    ['float("nan")', 'nan'],
    ['{1, 2} - {2}', '{1}'],
  ])('returns the value of %j', async (code, value) => {
    const { result, exitCode } = await execute('python', code);

    expect([result, exitCode]).toEqual([value, 0]);
  });

  it.each([
    ['exit(3)', 3, ''],
    ["import sys; sys.exit('stop')", 1, 'stop\n'],
    ['exit()', 0, ''],
    ['a = (', 1, `  File "main.py", line 1\n    a = (\n        ^\nSyntaxError: '(' was never closed\n`],
  ])('ends as %j says', async (code, status, text) => {
    const { exitCode, stderr } = await execute('python', code);

    expect([exitCode, stderr]).toEqual([status, text]);
  });

  it('has no folder in memory that can be written but the working folder, which has the size of disk', async () => {
    const { stdout } = await execute('bash', 'cat /proc/mounts', { disk: 3_000_000 });
    const mounts = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    const inMemory = mounts.filter(([, place, type, how]) => {
      const isFolder = type === 'tmpfs' || (type === 'devtmpfs' && place?.startsWith('/dev/') === false);
      return isFolder && how?.split(',').includes('rw');
    });

    expect(inMemory.map(([, place, , how]) => [place, /size=(\w+)/.exec(how ?? '')?.[1]])).toEqual([
      ['/tmp', '2932k'],
    ]);
  });

  it.each(['/', '/etc', '/dev', '/dev/shm', '/run', '/var', '/usr', '/proc', '/proc/self', '/sys'])(
    'lets code write no file to %s',
    async (folder) => {
      const { exitCode } = await execute('bash', `echo a > ${folder}/a-file`);

      expect(exitCode).toBe(1);
    },
  );

  it.each([
    ['a file in memory', 'import os; os.memfd_create("a")'],
    ['shared memory of System V', `${CALL}call('shmget', 0, 1 << 20, 0o1600)`],
    ['queues of System V', `${CALL}call('msgget', 0, 0o1600)`],
    ['semaphores of System V', `${CALL}call('semget', 0, 1000, 0o1600)`],
    ['message queues', `${CALL}call('mq_open', b'/a', 0o102, 0o600, None)`],
    ['a call of 32 bits', `${CALL}call('syscall', 0x40000000 + 319, b'a', 0)`],
    ['rings of the kernel', `${CALL}call('syscall', 425, 8, ctypes.create_string_buffer(200))`],
  ])('refuses %s, which no limit of a process counts', async (_, code) => {
    const { exitCode, stderr } = await execute('python', code);

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Function not implemented') as string]);
  });

  it('starts threads and programs within its filter, with as few processes as it takes', async () => {
    const threads = 'import threading; t = threading.Thread(target=print, args=(1,)); t.start(); t.join()';

    expect(await execute('python', threads)).toMatchObject({ stdout: '1\n', exitCode: 0 });
    expect(await execute('bash', 'echo 2', { processes: 4 })).toMatchObject({ stdout: '2\n', exitCode: 0 });
  });

  it('has neither the files nor the environment nor the processes of the host', async () => {
    process.env['ADORN_SECRET'] = 'hunter2';
    const { stdout } = await execute(
      'bash',
      'env; cat /etc/passwd /etc/shadow /root/.bashrc /proc/1/environ 2>&1; ls /home /root /work /var 2>&1; ls /proc | grep -c "^[0-9]"; id -u',
    );
    delete process.env['ADORN_SECRET'];

    expect(stdout).not.toContain('hunter2');
    expect(stdout).not.toContain('root:');
    expect(stdout.match(/No such file or directory/g)).toHaveLength(7);
    const [processes, user] = stdout.trim().split('\n').slice(-2);
    expect(Number(processes)).toBeLessThan(10);
    expect(user).toBe('65534');
  });

  it('has a small environment of its own', async () => {
    const { stdout } = await execute('bash', 'pwd; env | sort');

    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        ...['/tmp/work', 'HOME=/tmp', 'LANG=C.UTF-8', 'PATH=/usr/local/bin:/usr/bin:/bin'],
        ...['MPLCONFIGDIR=/tmp/.matplotlib', 'OPENBLAS_NUM_THREADS=1'],
      ]),
    );
  });

  it('says why output and files were dropped', async () => {
    const flood = await execute('bash', 'while :; do printf %01000d 0; done', { maxOutput: 20_000 });

    expect(flood.stderr).toContain('The code was stopped: it printed more than 20000 bytes.\n');
  });

  it('reaches no server on the host, and no metadata address', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { stdout } = await execute(
      'python',
      `import socket\nfor place in (('127.0.0.1', ${String(port)}), ('169.254.169.254', 80)):\n` +
        '    try:\n        socket.create_connection(place, 2)\n        print("connected")\n    except OSError as error:\n        print(type(error).__name__)',
    );
    server.close();

    expect(stdout).not.toContain('connected');
    expect(connections).toBe(0);
  });

  it.each([['a fork bomb', 'bash', 'f() { f | f & }; f; sleep 1; echo done']])(
    'ends %s, and leaves no process behind',
    async (_, language, code) => {
      await execute(language, code, { timeout: 700 });

      await new Promise((resolve) => setTimeout(resolve, 100));
      const { execFileSync } = await import('node:child_process');
      const left = execFileSync('ps', ['-eo', 'args']).toString();
      expect(left).not.toContain('sleep 600');
      expect(left).not.toContain('/tmp/code/main');
    },
  );

  it.each([
    ['a disk bomb', 'bash', 'dd if=/dev/zero of=big bs=1M count=500; stat -c %s big'],
    ['writing to /usr', 'bash', 'touch /usr/x'],
    ['mounting', 'bash', 'mount -t tmpfs none /mnt'],
  ])('does not allow %s', async (_, language, code) => {
    const { exitCode, stdout } = await execute(language, code, { disk: 32 * 1024 * 1024 });

    const size = Number(stdout.trim() || '0');
    expect(exitCode !== 0 || size <= 32 * 1024 * 1024).toBe(true);
  });

  it('drops links and folders, and takes no more than its limit of files', async () => {
    const { files } = await execute(
      'bash',
      'ln -s /etc/passwd link; mkdir sub; echo x > sub/y; mkfifo pipe; head -c 1500000 /dev/zero > big; echo ok > small; echo 1 > "a b.txt"',
      { maxFiles: 1_000_000 },
    );

    expect(files?.map(({ name }) => name).sort()).toEqual(['a b.txt', 'small']);
  });

  it('says so when the files are far too large', async () => {
    const { files, stderr } = await execute('bash', 'head -c 9000000 /dev/zero > big', {
      maxFiles: 1_000_000,
    });

    expect(files).toBeUndefined();
    expect(stderr).toBe('The files of the code were dropped: they have more than 1000000 bytes.\n');
  });

  it('forges no result of another: a marker that code prints ends its own output only', async () => {
    const { exitCode, files } = await execute(
      'bash',
      'marker=$(tr "\\0" "\\n" < /proc/$PPID/cmdline | grep -o -- "--[0-9a-f]*--" | head -1); echo "$marker"; head -c 3000 /dev/urandom',
    );

    expect(exitCode).toBe(0);
    expect(files).toEqual([]);
  });

  it.each<[BubblewrapOptions, string]>([
    [{ processes: 0 }, 'processes is 0'],
    [{ processes: 3 }, 'processes is 3, and the sandbox itself has three, so pass 4 or more'],
    [{ languages: ['cobol'] }, 'it does not know the language "cobol"'],
    [{ languages: ['javascript'] }, 'take quickJs() or docker() for javascript'],
    [
      { nice: 1 } as BubblewrapOptions,
      'there is no option nice. Valid: timeout, memory, maxOutput, maxFiles, processes, disk, languages, readOnly',
    ],
  ])('refuses %j', (options, fault) => {
    expect(() => bubblewrap(options)).toThrow(fault);
  });
});

describe('the command line of bubblewrap', () => {
  const limits = {
    timeout: 2_500,
    memory: 1_000_000,
    processes: 8,
    disk: 2_000_000,
    readOnly: ['/opt/data'],
  };

  it('gives no namespace, right, variable or writable folder of the host', () => {
    const folders = ['bin', 'sbin', 'lib', 'lib64', 'lib32'].filter((name) => existsSync(`/usr/${name}`));

    expect(bubblewrapArguments({ script: 'echo', ...limits })).toEqual([
      ...[
        'bwrap',
        '--unshare-all',
        '--unshare-user',
        '--disable-userns',
        '--die-with-parent',
        '--new-session',
      ],
      ...['--uid', '65534', '--gid', '65534', '--hostname', 'sandbox', '--cap-drop', 'ALL', '--clearenv'],
      ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', '/tmp'],
      ...['--setenv', 'LANG', 'C.UTF-8', '--setenv', 'MPLCONFIGDIR', '/tmp/.matplotlib'],
      ...['--setenv', 'OPENBLAS_NUM_THREADS', '1', '--ro-bind', '/usr', '/usr'],
      ...folders.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ...['/etc/alternatives', '/etc/matplotlibrc', '/etc/fonts', '/etc/ld.so.cache'].flatMap((path) => [
        ...['--ro-bind-try', path, path],
      ]),
      ...['--ro-bind', '/opt/data', '/opt/data', '--proc', '/proc', '--dev', '/dev'],
      ...['--size', '2000000', '--tmpfs', '/tmp', '--remount-ro', '/dev', '--remount-ro', '/'],
      ...['--chdir', '/tmp', '--seccomp', '3'],
      ...['--', 'prlimit', '--as=1000000', '--nproc=8', '--cpu=4', '--fsize=2000000'],
      ...['--nofile=256', '--core=0', 'sh', '-c', 'echo'],
    ]);
  });

  it('has a probe that does not take a host for isolated', () => {
    const { status, stdout } = spawnSync('sh', ['-c', PROBE], {
      env: { PATH: '/usr/bin:/bin', ADORN_PROBE: 'leaked' },
      encoding: 'utf8',
    });

    expect(status).toBeGreaterThan(10);
    expect(stdout).not.toContain('isolated');
  });

  it.each<[string, string]>([
    ['ADORN_PROBE', 'test "$ADORN_PROBE" = "" || exit 13'],
    ['the files', 'test ! -e /home -a ! -e /root -a ! -e /etc/passwd || exit 14'],
  ])('has a probe that looks for %s', (_, line) => {
    expect(PROBE.split('\n')).toContain(line);
    const env = { PATH: '/usr/bin:/bin', ADORN_PROBE: 'leaked' };
    expect(spawnSync('sh', ['-c', line], { env }).status).toBe(Number(line.slice(-2)));
  });
});

describe('bubblewrap on a machine without it', () => {
  const { platform } = process;

  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform });
  });

  it('runs no code, and says what to take instead', () => {
    Object.defineProperty(process, 'platform', { value: 'darwin' });

    expect(() => bubblewrap({ languages: ['bash'] }).ready()).toThrow(
      'bubblewrap cannot run code here: it needs Linux, and this is darwin. Take docker() or quickJs().',
    );
  });
});

/** Why the sandbox cannot run on this machine. */
function faultHere(): string | undefined {
  try {
    void bubblewrap().ready();
    return undefined;
  } catch (error) {
    if (error instanceof CodeExecutorUnavailableError) return error.message;
    throw error;
  }
}

async function execute(language: string, code: string, options: BubblewrapOptions = {}) {
  await using executor = bubblewrap({ timeout: 20_000, ...options });
  return await executor.execute({ code, language });
}
