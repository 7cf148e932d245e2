import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';

import {
  Boundary,
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeFile,
  describeThrown,
  startGroup,
} from '@adorn/core/backend';

import { isFileName } from '../file-name.js';
import { mediaTypeOf } from '../media-type.js';
import { type CheckedLimits, SandboxFailedError } from '../options.js';
import { BoundedOutput } from '../output.js';
import { PYTHON_RUNNER, RESULT_FILE } from '../python/python-program.js';
import { LANGUAGES } from './language.js';
import { fromTar, toTar } from './tar.js';

/** How a sandbox is started. */
export interface SandboxCommand {
  readonly executor: string;
  /** The program with its arguments, which runs a shell script in the sandbox. */
  readonly command: (script: string) => readonly string[];
  readonly limits: CheckedLimits;
  /** The user and the group of the process. Default: those of this process. */
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** A program of seccomp, which the sandbox reads from the descriptor `FILTER`. Default: none. */
  readonly filter?: Buffer | undefined;
  /** Ends the sandbox and all its processes. Default: kills the process and its children. */
  readonly kill?: ((child: ChildProcess) => void) | undefined;
}

/** The largest part of a message of the sandbox itself that an error quotes. */
const QUOTED = 500;

/** What a tar archive adds to its files, at most. */
const ARCHIVE_MARGIN = 1024 * 1024;

/**
 * Runs code in a sandbox that is a process. Code and files go in as an archive on `stdin`; what the code has written to its
 * working folder comes back as an archive on `stdout`, behind what the code printed and a line that it cannot guess.
 */
export function executeInProcess(
  { executor, command, limits, uid, gid, filter, kill }: SandboxCommand,
  { code, language, files = [], signal }: CodeExecutionInput,
): Promise<CodeExecutionResult> {
  signal?.throwIfAborted();
  const marker = `--${randomBytes(18).toString('hex')}--`;
  const [program = '', ...args] = command(scriptOf(language, marker));
  return new Promise((resolve, reject) => {
    const stdio = [PIPE, PIPE, PIPE, ...(filter ? [PIPE] : [])];
    const group = startGroup(program, args, { stdio, env: { PATH: PATH }, uid, gid });
    const { child } = group;
    const { stdin, stdout: printed, stderr: complained } = child as ChildProcessWithoutNullStreams;
    const stdout = new MarkedOutput(marker, limits);
    const stderr = new BoundedOutput(limits.maxOutput);
    let ending: (() => void) | undefined;
    const stop = (how: () => void): void => {
      ending ??= how;
      if (kill === undefined) group.signal('SIGKILL');
      else kill(child);
    };
    const fail = (fault: string, cause?: unknown): void => {
      reject(new SandboxFailedError(executor, fault, { cause }));
    };
    const boundary = new Boundary((error) => {
      stop(() => {
        fail(`what it said cannot be read: ${describeThrown(error).message}`, error);
      });
    });
    const abort = (): void => {
      stop(() => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason may be anything
        reject(signal?.reason);
      });
    };
    const timer = setTimeout(() => {
      stop(() => {
        stderr.write(`The code was stopped: it took longer than ${String(limits.timeout)} ms.\n`);
        resolve({ stdout: stdout.text, stderr: String(stderr), isTimeout: true });
      });
    }, limits.timeout);
    signal?.addEventListener('abort', abort, { once: true });
    printed.on(
      'data',
      boundary.guard((piece: Buffer) => {
        stdout.write(piece);
        if (!stdout.isFlooded) return;
        stop(() => {
          stderr.write(stdout.fault);
          resolve({ stdout: stdout.text, stderr: String(stderr), exitCode: 137 });
        });
      }),
    );
    complained.on(
      'data',
      boundary.guard((piece: Buffer) => {
        stderr.write(piece);
      }),
    );
    stdin.on('error', () => undefined);
    child.on(
      'error',
      boundary.guard((cause: Error) => {
        ending ??= () => {
          fail(`it could not be started: ${cause.message}`, cause);
        };
        ending();
      }),
    );
    child.on(
      'close',
      boundary.guard((status: number | null, by: NodeJS.Signals | null) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        try {
          if (ending) ending();
          else resolve(endOf({ executor, limits, files, stdout, stderr }, status, by));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      }),
    );
    if (filter) writeFilter(child, filter);
    stdin.end(
      toTar([
        ...programFiles(language, code),
        ...files.map(({ name, data }) => ({ name: `work/${name}`, data })),
      ]),
    );
  });
}

/** The descriptor from which a sandbox reads its filter of system calls. */
export const FILTER = 3;

const PIPE = 'pipe' as const;

function writeFilter(child: ChildProcess, filter: Buffer): void {
  const stream = child.stdio[FILTER] as Writable;
  stream.on('error', () => undefined);
  stream.end(filter);
}

interface EndedExecution extends Pick<SandboxCommand, 'executor' | 'limits'> {
  readonly files: readonly CodeFile[];
  readonly stdout: MarkedOutput;
  readonly stderr: BoundedOutput;
}

/** @throws {SandboxFailedError} if the code has not begun */
function endOf(
  { executor, limits, files, stdout, stderr }: EndedExecution,
  status: number | null,
  by: NodeJS.Signals | null,
): CodeExecutionResult {
  const written = stdout.files;
  if (status !== null && written) {
    const texts = { stdout: stdout.text, stderr: String(stderr) };
    return { ...texts, exitCode: status, ...returned(written, files, limits) };
  }
  if (status !== null && !stdout.hasStarted) {
    const said = String(stderr).trim().slice(0, QUOTED);
    throw new SandboxFailedError(executor, `it ended with status ${String(status)}: ${said}`);
  }
  stderr.write(
    `The code was ended by the sandbox (${by ?? `status ${String(status)}`}): it took too much memory, or it killed itself.\n`,
  );
  return { stdout: stdout.text, stderr: String(stderr), exitCode: status ?? 137 };
}

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** Unpacks, says that the code starts, runs it with an empty `stdin`, and packs what it wrote. */
function scriptOf(language: string, marker: string): string {
  const { file, command } = languageOf(language);
  const run = [...command, `/tmp/code/${file}`].join(' ');
  return [
    'mkdir -p /tmp/code /tmp/work || exit 125',
    'tar -xf - -C /tmp || exit 125',
    'cd /tmp/work || exit 125',
    `echo '${marker}'`,
    `${run} </dev/null`,
    'status=$?',
    `printf '%s\\n' '${marker}'`,
    'tar -cf - -C /tmp/work . 2>/dev/null',
    'exit $status',
  ].join('\n');
}

function languageOf(language: string) {
  const known = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (known) return known;
  throw new SandboxFailedError('of processes', `it does not know the language ${JSON.stringify(language)}`);
}

function programFiles(language: string, code: string) {
  const program = { name: `code/${languageOf(language).file}`, data: Buffer.from(code) };
  return language === 'python'
    ? [program, { name: 'code/run.py', data: Buffer.from(PYTHON_RUNNER) }]
    : [program];
}

/** The text before the second marker, and the archive behind it. */
class MarkedOutput {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;
  private start = -1;
  private end = -1;

  constructor(
    private readonly marker: string,
    private readonly limits: CheckedLimits,
  ) {}

  write(piece: Buffer): void {
    if (this.isFlooded) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
    if (this.start === -1) this.start = this.find(0);
    if (this.start !== -1 && this.end === -1) this.end = this.find(this.start);
  }

  /** True if the code has started. */
  get hasStarted(): boolean {
    return this.start !== -1;
  }

  /** True if the code printed, or left behind, more than it may. */
  get isFlooded(): boolean {
    if (this.end === -1) return this.bytes > this.limits.maxOutput + 1024;
    return this.bytes - this.end > this.limits.maxFiles + ARCHIVE_MARGIN;
  }

  get fault(): string {
    const { maxOutput, maxFiles } = this.limits;
    return this.end === -1
      ? `The code was stopped: it printed more than ${String(maxOutput)} bytes.\n`
      : `The files of the code were dropped: they have more than ${String(maxFiles)} bytes.\n`;
  }

  get text(): string {
    if (this.start === -1) return '';
    const end = this.end === -1 ? undefined : this.end - this.marker.length - 1;
    const output = new BoundedOutput(this.limits.maxOutput);
    output.write(Buffer.concat(this.pieces).subarray(this.start, end));
    return String(output);
  }

  get files() {
    return this.end === -1 ? undefined : fromTar(Buffer.concat(this.pieces).subarray(this.end));
  }

  /** The position behind the next marker. The pieces are joined only once in a while. */
  private find(from: number): number {
    const whole = Buffer.concat(this.pieces);
    this.pieces.splice(0, this.pieces.length, whole);
    const place = whole.indexOf(`${this.marker}\n`, from);
    return place === -1 ? -1 : place + this.marker.length + 1;
  }
}

/** The result of the last expression, and the files that were written or changed. */
function returned(
  written: ReturnType<typeof fromTar>,
  given: readonly CodeFile[],
  { maxFiles }: CheckedLimits,
): Pick<CodeExecutionResult, 'result' | 'files'> {
  const files: CodeFile[] = [];
  let bytes = 0;
  let result: unknown;
  for (const { name, data } of written) {
    if (name === RESULT_FILE) result = parsed(data);
    else if (isFileName(name) && !isGiven(name, data, given) && (bytes += data.byteLength) <= maxFiles)
      files.push({ name, mimeType: mediaTypeOf(name), data });
  }
  return { result, files };
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}

function isGiven(name: string, data: Uint8Array, given: readonly CodeFile[]): boolean {
  return given.some((file) => file.name === name && Buffer.compare(file.data, data) === 0);
}
