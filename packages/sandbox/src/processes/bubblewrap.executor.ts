import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import {
  CodeExecutorUnavailableError,
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
  TEXTS,
  wholeFrom,
} from '@adorn/core/backend';

import {
  type CheckedLimits,
  checkLimits,
  type OtherRules,
  SandboxOptionInvalidError,
  type SandboxLimits,
} from '../options.js';
import { LANGUAGES } from './language.js';
import { executeInProcess, FILTER } from './process-execution.js';
import { seccompFilter } from './seccomp-filter.js';

const MIB = 1024 * 1024;

/** The options of `bubblewrap`. */
export interface BubblewrapOptions extends SandboxLimits {
  /** Bytes of memory of each process: of its address space. Default: 512 MiB. */
  readonly memory?: number;
  /** How many processes and threads there may be, of which three are the sandbox itself. At least 4. Default: 32. */
  readonly processes?: number;
  /** Bytes of the working folder, which is in memory. Default: 64 MiB. */
  readonly disk?: number;
  /** The languages: their interpreters are those of the host. Default: python and bash, as far as they are there. */
  readonly languages?: readonly string[];
  /** More folders of the host that the code may read, such as `/opt/data`. Default: none. */
  readonly readOnly?: readonly string[];
}

const OPTIONS: OtherRules<BubblewrapOptions> = {
  processes: wholeFrom(1),
  disk: wholeFrom(1),
  languages: TEXTS,
  readOnly: TEXTS,
};

/**
 * Code in a sandbox of Linux namespaces: no network, no files of the host but its programs (`/usr`, read-only), no other
 * processes, no environment, a user without rights, and limits of the kernel for memory, processors' time, processes and
 * files. Needs `bwrap` and `prlimit`, and a kernel that lets users create namespaces.
 *
 * The kernel is shared with the host. The limit of memory is that of each process: all together can take `memory` times
 * `processes`, and `disk` in files. Memory that belongs to no process is refused: files in memory, shared memory and queues of
 * System V, rings of the kernel. Only the working folder can be written. What the kernel itself needs for pipes, sockets and
 * the names of files is bounded by the limits of processes and open files alone.
 *
 * @throws {SandboxOptionInvalidError}
 * @example
 * const runPython = runCode(bubblewrap({ languages: ['python'] }));
 */
export function bubblewrap(options: BubblewrapOptions = {}): CodeExecutor {
  return new BubblewrapExecutor(options);
}

/** The command lines of probes that were isolated: executors with the same options need one probe. */
const isolating = new Set<string>();

/** An unprivileged user: `nobody`. The limit of processes does not hold for root. */
const NOBODY = 65_534;

class BubblewrapExecutor extends CodeExecutor {
  readonly languages: readonly string[];
  readonly isolation =
    'Linux namespaces of bubblewrap: no network, no files and processes of the host, a user without rights, limits of the kernel for each process, a filter of system calls';
  readonly environment: string;
  private readonly limits: CheckedLimits;
  private readonly processes: number;
  private readonly disk: number;
  private readonly readOnly: readonly string[];
  private isReady = false;

  constructor(options: BubblewrapOptions) {
    super();
    this.limits = checkLimits('bubblewrap', options, { memory: 512 * MIB, others: OPTIONS });
    const { processes = 32, disk = 64 * MIB, languages, readOnly = [] } = options;
    if (processes < LEAST_PROCESSES)
      throw new SandboxOptionInvalidError(
        'bubblewrap',
        `processes is ${String(processes)}, and the sandbox itself has three, so pass ${String(LEAST_PROCESSES)} or more`,
      );
    this.processes = processes;
    this.disk = disk;
    this.readOnly = readOnly;
    this.languages = languages ?? ['python', 'bash'].filter(isInstalled);
    const unknown = this.languages.find((name) => !Object.hasOwn(LANGUAGES, name) || name === 'javascript');
    if (unknown === 'javascript')
      throw new SandboxOptionInvalidError(
        'bubblewrap',
        'Node.js reserves more address space than a limit of memory allows, so take quickJs() or docker() for javascript',
      );
    if (unknown !== undefined)
      throw new SandboxOptionInvalidError(
        'bubblewrap',
        `it does not know the language ${JSON.stringify(unknown)}`,
      );
    this.environment =
      'It runs on Linux without a network. Files in the working folder are kept as artifacts.';
  }

  get timeout(): number {
    return this.limits.timeout;
  }

  /** Starts the sandbox once in this process, and looks whether it isolates. */
  override ready(): void {
    if (this.isReady) return;
    const filter = refuseMissing();
    const command = this.command(PROBE, Math.max(this.processes, PROBE_PROCESSES));
    const line = command.join('\0');
    if (!isolating.has(line)) this.probe(command, filter);
    isolating.add(line);
    this.isReady = true;
  }

  /** @throws {CodeExecutorUnavailableError} if the sandbox cannot be started, or does not isolate */
  private probe(command: readonly string[], filter: Buffer): void {
    const { status, stdout, stderr, error } = spawnSync('sh', [...WITH_FILTER, ...command], {
      ...this.user,
      input: filter,
      env: { PATH: '/usr/bin:/bin', ADORN_PROBE: 'leaked' },
      timeout: 10_000,
      encoding: 'utf8',
    });
    if (error || status !== 0 || stdout.trim() !== ISOLATED)
      throw new CodeExecutorUnavailableError('bubblewrap', faultOf(stdout, stderr), CURE, { cause: error });
  }

  async execute(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    input.signal?.throwIfAborted();
    this.ready();
    const { limits } = this;
    return executeInProcess(
      {
        executor: 'bubblewrap',
        command: (script) => this.command(script),
        limits,
        filter: seccompFilter(process.arch),
        ...this.user,
      },
      input,
    );
  }

  /** The limit of processes does not hold for root, so root starts the sandbox as nobody. */
  private get user(): { readonly uid?: number; readonly gid?: number } {
    return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  }

  private command(script: string, processes = this.processes): string[] {
    const { limits, disk, readOnly } = this;
    return bubblewrapArguments({ script, ...limits, processes, disk, readOnly });
  }
}

/** The command line of a sandbox. */
export function bubblewrapArguments({
  script,
  timeout,
  memory,
  processes,
  disk,
  readOnly,
}: Pick<CheckedLimits, 'timeout' | 'memory'> & {
  readonly script: string;
  readonly processes: number;
  readonly disk: number;
  readonly readOnly: readonly string[];
}): string[] {
  const id = String(NOBODY);
  const links = ['bin', 'sbin', 'lib', 'lib64', 'lib32'].filter((name) => existsSync(`/usr/${name}`));
  const cpuSeconds = Math.ceil(timeout / 1000) + 1;
  return [
    ...['bwrap', '--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ...['--uid', id, '--gid', id, '--hostname', 'sandbox', '--cap-drop', 'ALL', '--clearenv'],
    ...[
      '--setenv',
      'PATH',
      '/usr/local/bin:/usr/bin:/bin',
      '--setenv',
      'HOME',
      '/tmp',
      '--setenv',
      'LANG',
      'C.UTF-8',
    ],
    ...['--setenv', 'MPLCONFIGDIR', '/tmp/.matplotlib', '--setenv', 'OPENBLAS_NUM_THREADS', '1'],
    ...['--ro-bind', '/usr', '/usr', ...links.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])],
    ...[
      '--ro-bind-try',
      '/etc/alternatives',
      '/etc/alternatives',
      '--ro-bind-try',
      '/etc/matplotlibrc',
      '/etc/matplotlibrc',
    ],
    ...['--ro-bind-try', '/etc/fonts', '/etc/fonts', '--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...[
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--size',
      String(disk),
      '--tmpfs',
      '/tmp',
      '--remount-ro',
      '/dev',
      '--remount-ro',
      '/',
      '--chdir',
      '/tmp',
    ],
    ...['--seccomp', String(FILTER)],
    ...[
      '--',
      'prlimit',
      `--as=${String(memory)}`,
      `--nproc=${String(processes)}`,
      `--cpu=${String(cpuSeconds)}`,
    ],
    ...[`--fsize=${String(disk)}`, '--nofile=256', '--core=0', 'sh', '-c', script],
  ];
}

const ISOLATED = 'isolated';

/** The sandbox has two processes before the shell, which then starts the code. */
const LEAST_PROCESSES = 4;

/** How many processes the probe needs, however few the code may have. */
const PROBE_PROCESSES = 16;

/** A shell that runs a command with its `stdin` as the filter of system calls. */
const WITH_FILTER = ['-c', `exec "$@" ${String(FILTER)}<&0 </dev/null`, 'sh'];

/** A shell script that prints `isolated` where it finds neither network, processes, environment nor files of the host. */
export const PROBE = [
  'test "$(ls /sys/class/net 2>/dev/null | grep -v "^lo$")" = "" || exit 11',
  'test "$(grep -c : /proc/net/dev)" -le 1 || exit 11',
  'test "$(ls /proc | grep -c "^[0-9]")" -le 9 || exit 12',
  'test "$ADORN_PROBE" = "" || exit 13',
  'test ! -e /home -a ! -e /root -a ! -e /etc/passwd || exit 14',
  'touch /usr/adorn-probe 2>/dev/null && exit 15',
  'touch /adorn-probe 2>/dev/null && exit 16',
  'touch /dev/shm/adorn-probe 2>/dev/null && exit 16',
  'grep -q "^Seccomp:[[:space:]]*2" /proc/self/status || exit 17',
  `echo ${ISOLATED}`,
].join('\n');

const CURE =
  'Install bubblewrap 0.8 or later (apt-get install bubblewrap), and let users create namespaces: ' +
  'sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu; in a container, ' +
  'run it with --security-opt seccomp=unconfined. Or take docker() or quickJs().';

/** @returns the filter of system calls of this machine */
function refuseMissing(): Buffer {
  if (process.platform !== 'linux')
    throw new CodeExecutorUnavailableError(
      'bubblewrap',
      `it needs Linux, and this is ${process.platform}`,
      'Take docker() or quickJs().',
    );
  const missing = ['bwrap', 'prlimit', 'tar'].filter((name) => !isProgram(name));
  if (missing.length > 0)
    throw new CodeExecutorUnavailableError('bubblewrap', `${missing.join(' and ')} is not installed`, CURE);
  const filter = seccompFilter(process.arch);
  if (!filter)
    throw new CodeExecutorUnavailableError(
      'bubblewrap',
      `it does not know the system calls of ${process.arch}, so it could not bound the memory`,
      'Take docker() or quickJs().',
    );
  return filter;
}

function faultOf(stdout: string | null, stderr: string | null): string {
  const said = (stderr ?? '').trim().slice(0, 300);
  return said === '' ? `its probe was not isolated (${(stdout ?? '').trim()})` : `bwrap said: ${said}`;
}

function isProgram(name: string): boolean {
  return ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${name}`));
}

/** True if the interpreter of a language is in a folder that the sandbox has. */
function isInstalled(language: string): boolean {
  const [program = ''] = LANGUAGES[language]?.command ?? [];
  return isProgram(program);
}
