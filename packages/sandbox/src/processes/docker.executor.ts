import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import {
  CodeExecutorUnavailableError,
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
  startGroup,
  rule,
  TEXT,
  TEXTS,
} from '@adorn/core/backend';

import {
  type CheckedLimits,
  checkLimits,
  type OtherRules,
  type SandboxLimits,
  SandboxOptionInvalidError,
} from '../options.js';
import { LANGUAGES } from './language.js';
import { executeInProcess } from './process-execution.js';

const MIB = 1024 * 1024;

/** The options of `docker`. */
export interface DockerOptions extends SandboxLimits {
  /** Bytes of memory of the container, without swap. Default: 256 MiB. */
  readonly memory?: number;
  /** Default: `python:3.12-slim`. It is not pulled while code runs: pull it before. */
  readonly image?: string;
  /** The languages whose interpreters the image has. Default: python and bash. */
  readonly languages?: readonly string[];
  /** Default: 1. */
  readonly cpus?: number;
  /** How many processes and threads the code may have. Default: 128. */
  readonly processes?: number;
  /** The runtime of the container, such as `runsc` of gVisor. Default: that of the daemon. */
  readonly runtime?: string;
  /** The command, such as `podman`. Default: `docker`. */
  readonly command?: string;
}

const AMOUNT = rule((value) => Number.isFinite(value) && (value as number) > 0, 'Pass a number above 0.');

const OPTIONS: OtherRules<DockerOptions> = {
  image: TEXT,
  languages: TEXTS,
  cpus: AMOUNT,
  processes: AMOUNT,
  command: TEXT,
  runtime: TEXT,
};

/**
 * Code in a container for each execution: without network, with a read-only file system and 64 MiB in `/tmp`, as a user
 * without rights, with limits of memory, processors and processes, and removed at its end.
 *
 * @throws {SandboxOptionInvalidError}
 * @example
 * const runPython = runCode(docker({ image: 'python:3.12-slim', languages: ['python'] }));
 */
export function docker(options: DockerOptions = {}): CodeExecutor {
  return new DockerExecutor(options);
}

type Container = Required<Omit<DockerOptions, keyof SandboxLimits | 'runtime' | 'languages'>> &
  Pick<DockerOptions, 'runtime'> & { readonly name: string; readonly memory: number };

/** The command line of a container, for audits and for tests. */
export function dockerArguments(
  { name, image, memory, cpus, processes, runtime, command }: Container,
  script: string,
): string[] {
  const bytes = String(memory);
  return [
    ...[command, 'run', '--rm', '--interactive', '--name', name, '--pull', 'never'],
    ...['--network=none', '--read-only', '--tmpfs', '/tmp:rw,exec,nosuid,nodev,size=64m'],
    ...[
      `--memory=${bytes}`,
      `--memory-swap=${bytes}`,
      `--cpus=${cpus.toFixed(2)}`,
      `--pids-limit=${String(processes)}`,
    ],
    ...[
      '--user=65534:65534',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      '--ulimit=core=0',
      '--ipc=none',
    ],
    ...['--workdir', '/tmp', '--env', 'HOME=/tmp', '--env', 'MPLCONFIGDIR=/tmp/.matplotlib'],
    ...(runtime === undefined ? [] : [`--runtime=${runtime}`]),
    ...['--entrypoint', 'sh', image, '-c', script],
  ];
}

class DockerExecutor extends CodeExecutor {
  readonly languages: readonly string[];
  readonly isolation =
    'a container without network, with a read-only file system, a user without rights and limits of the kernel';
  readonly environment =
    'It runs on Linux without a network. Files in the working folder are kept as artifacts.';
  private readonly limits: CheckedLimits;
  private readonly container: Omit<Container, 'name'>;
  private isReady = false;

  constructor(options: DockerOptions) {
    super();
    this.limits = checkLimits('docker', options, { memory: 256 * MIB, others: OPTIONS });
    const { image = 'python:3.12-slim', languages = ['python', 'bash'], runtime } = options;
    const { cpus = 1, processes = 128, command = 'docker' } = options;
    if (image.startsWith('-'))
      throw new SandboxOptionInvalidError('docker', `image is ${JSON.stringify(image)}`);
    const unknown = languages.find((name) => !Object.hasOwn(LANGUAGES, name));
    if (unknown !== undefined)
      throw new SandboxOptionInvalidError(
        'docker',
        `it does not know the language ${JSON.stringify(unknown)}`,
      );
    this.languages = languages;
    this.container = { image, cpus, processes, command, runtime, memory: this.limits.memory };
  }

  get timeout(): number {
    return this.limits.timeout;
  }

  /** Asks the daemon, and looks for the image. */
  override ready(): void {
    if (this.isReady) return;
    const { command, image } = this.container;
    const daemon = spawnSync(command, ['version', '--format', '{{.Server.Version}}'], {
      timeout: 10_000,
      encoding: 'utf8',
    });
    if (daemon.error || daemon.status !== 0)
      throw new CodeExecutorUnavailableError(
        'docker',
        daemon.error?.message ?? daemon.stderr.trim().slice(0, 300),
        'Start the Docker daemon, or take bubblewrap() or quickJs().',
        { cause: daemon.error },
      );
    const found = spawnSync(command, ['image', 'inspect', image], { timeout: 10_000, stdio: 'ignore' });
    if (found.status !== 0)
      throw new CodeExecutorUnavailableError(
        'docker',
        `there is no image ${image}`,
        `Pull it: ${command} pull ${image}.`,
      );
    this.isReady = true;
  }

  async execute(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    input.signal?.throwIfAborted();
    this.ready();
    const name = `adorn-${randomUUID()}`;
    const { limits, container } = this;
    return executeInProcess(
      {
        executor: 'docker',
        command: (script) => dockerArguments({ ...container, name }, script),
        limits,
        kill: (child) => {
          // The container would go on without its client.
          const kill = ['kill', name];
          startGroup(container.command, kill, { stdio: 'ignore', outlivesOwner: true })
            .child.on('error', () => undefined)
            .unref();
          child.kill('SIGKILL');
        },
      },
      input,
    );
  }
}
