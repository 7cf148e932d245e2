import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

import {
  Boundary,
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeFile,
  type ProcessGroup,
  startGroup,
} from '@adorn/core/backend';

import { isFileName } from '../file-name.js';
import { mediaTypeOf } from '../media-type.js';
import { type CheckedLimits, SandboxFailedError } from '../options.js';
import { BoundedOutput } from '../output.js';
import { PYTHON_EXECUTE } from '../python/python-program.js';
import type { FromPyodide, PyodideFile, PyodideRun, PyodideSettings } from './messages.js';

const MIB = 1024 * 1024;

/** What Deno and Pyodide themselves reserve of the data segment. */
const OWN_MEMORY = 1024 * MIB;

/** Seconds of processor time that a process gets in all: one whose host has died ends by itself. */
const MOST_CPU_SECONDS = 3_600;

/** How long a start may take, in milliseconds. */
const START_MS = 120_000;

/** The program, the folder and the limits of a process. */
export interface DenoSettings {
  /** The executable file of Deno. */
  readonly deno: string;
  /** The folder of Pyodide, with `/` at its end. */
  readonly folder: string;
  readonly packages: readonly string[];
  readonly limits: CheckedLimits;
}

/** The command of the process: it may read the folder of Pyodide until it is ready, and nothing else. */
function denoCommand({ deno, folder, limits }: DenoSettings): string[] {
  const program = createRequire(import.meta.url).resolve('@adorn/sandbox/pyodide-program');
  const dataKiB = String(Math.ceil((limits.memory + OWN_MEMORY) / 1024));
  const script = `ulimit -c 0 && ulimit -d ${dataKiB} && ulimit -t ${String(MOST_CPU_SECONDS)} && exec "$@"`;
  const denied = ['net', 'env', 'run', 'ffi', 'sys', 'write', 'import'].map((name) => `--deny-${name}`);
  const closed = ['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-lock', '--quiet'];
  const lazy = '--v8-flags=--wasm-lazy-compilation';
  return [
    ...['/bin/sh', '-c', script, 'sh', deno, 'run', lazy],
    ...[...closed, ...denied, `--allow-read=${folder}`, program],
  ];
}

/** A process with one world of Python. Keeps this process alive only while code runs in it. */
export class DenoProcess {
  /** False once it cannot run code any more. */
  isUsable = true;
  private readonly group: ProcessGroup;
  private readonly started: Promise<void>;
  private receive: (message: FromPyodide) => void = ignore;
  private closed: () => void = ignore;
  private flooded: () => void = ignore;
  private received = 0;
  private said = '';
  private rest: Buffer[] = [];
  /** What cannot be read of the process ends it; its end is that of the execution. */
  private readonly boundary = new Boundary(() => {
    this.terminate();
  });

  constructor(private readonly settings: DenoSettings) {
    const [program = '', ...args] = denoCommand(settings);
    // Without a folder for its cache, Deno has no storage that processes would share.
    const env = { DENO_DIR: '/dev/null/none', DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
    this.group = startGroup(program, args, { stdio: 'pipe', env, cwd: '/' });
    this.started = this.start();
    // An execution that waits for the start gets the error.
    this.started.catch(ignore);
    this.listen();
    this.hold(false);
  }

  /** Ends the process at once, whatever it does. */
  terminate(): void {
    this.isUsable = false;
    this.group.signal('SIGKILL');
  }

  /** Waits until the process can run code. */
  async ready(signal?: AbortSignal): Promise<void> {
    const abort = (): void => {
      this.terminate();
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.hold(true);
    try {
      await this.started;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.hold(false);
    }
    signal?.throwIfAborted();
  }

  /** Runs code. The time limit begins when the process has started. */
  async run(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    await this.ready(input.signal);
    this.hold(true);
    try {
      return await this.runNow(input);
    } finally {
      this.hold(false);
    }
  }

  private start(): Promise<void> {
    const { folder, packages, limits } = this.settings;
    const { memory, maxOutput, maxFiles } = limits;
    const settings: PyodideSettings = { folder, packages, memory, maxOutput, maxFiles };
    return new Promise((resolve, reject) => {
      const fail = (fault: string): void => {
        clearTimeout(timer);
        this.terminate();
        reject(new SandboxFailedError('pyodide', fault));
      };
      const timer = setTimeout(() => {
        fail(`it did not start within ${String(START_MS)} ms`);
      }, START_MS);
      timer.unref();
      this.group.child.on(
        'error',
        this.boundary.guard(({ message }: Error) => {
          fail(`it could not be started: ${message}`);
        }),
      );
      this.closed = () => {
        fail(`it ended at its start: ${this.said.trim().slice(0, 500)}`);
      };
      this.receive = (message) => {
        if (message.kind === 'failed') fail(message.message);
        else if (message.kind !== 'ready') fail('it answered before it was ready');
        else if (message.granted.length > 0) fail(`it has permissions: ${message.granted.join(', ')}`);
        else {
          clearTimeout(timer);
          resolve();
        }
      };
      this.post({ ...settings, program: PYTHON_EXECUTE });
    });
  }

  private runNow({ code, files = [], signal }: CodeExecutionInput): Promise<CodeExecutionResult> {
    const { limits } = this.settings;
    const stdout = new BoundedOutput(limits.maxOutput);
    const stderr = new BoundedOutput(limits.maxOutput);
    const streams = { stdout, stderr };
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const end = (result: Omit<CodeExecutionResult, 'stdout' | 'stderr'>): void => {
        settle();
        resolve({ stdout: String(stdout), stderr: String(stderr), ...result });
      };
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.receive = this.closed = this.flooded = ignore;
      };
      const stopped = (fault: string, result: { readonly isTimeout?: true; readonly exitCode?: number }) => {
        this.terminate();
        stderr.write(`The code was stopped: ${fault}.\n`);
        end(result);
      };
      const abort = (): void => {
        this.terminate();
        settle();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason may be anything
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        stopped(`it took longer than ${String(limits.timeout)} ms`, { isTimeout: true });
      }, limits.timeout);
      signal?.addEventListener('abort', abort, { once: true });
      this.received = 0;
      this.flooded = () => {
        stopped(`it printed more than ${String(limits.maxOutput)} bytes`, { exitCode: 137 });
      };
      this.closed = () => {
        stopped('it took too much memory, or it ended its process', { exitCode: 137 });
      };
      this.receive = (message) => {
        if (message.kind === 'output') streams[message.stream].write(Buffer.from(message.data, 'base64'));
        else if (message.kind === 'dropped') streams[message.stream].drop(message.bytes);
        else if (message.kind === 'done') {
          if (message.id !== id)
            throw new SandboxFailedError('pyodide', 'it told the end of another execution');
          if (message.droppedFiles > 0) stderr.write(droppedText(limits.maxFiles));
          end({ exitCode: message.exitCode, ...returned(message, limits) });
        } else if (message.kind === 'failed') stopped('Python has ended', { exitCode: 1 });
      };
      const sent = files.map(({ name, data }) => ({ name, data: Buffer.from(data).toString('base64') }));
      this.post({ id, code, files: sent });
    });
  }

  private listen(): void {
    const { stdout, stderr, stdin } = this.group.child;
    stdin?.on('error', ignore);
    stderr?.on(
      'data',
      this.boundary.guard((piece: Buffer) => {
        if (this.said.length < 2_000) this.said += piece.toString();
      }),
    );
    stdout?.on(
      'data',
      this.boundary.guard((piece: Buffer) => {
        this.take(piece);
      }),
    );
    this.group.child.on(
      'close',
      this.boundary.guard(() => {
        this.isUsable = false;
        this.closed();
      }),
    );
  }

  private take(piece: Buffer): void {
    const { maxOutput, maxFiles } = this.settings.limits;
    this.received += piece.length;
    // Messages carry base64, each small print in a line of its own; code that writes lines itself gets no more.
    if (this.received > 64 * maxOutput + 2 * maxFiles + MIB) {
      this.flooded();
      this.terminate();
      return;
    }
    let from = 0;
    for (let to = piece.indexOf(10); to !== -1; to = piece.indexOf(10, from)) {
      const line = Buffer.concat([...this.rest, piece.subarray(from, to)]).toString();
      this.rest = [];
      from = to + 1;
      const message = readMessage(line);
      if (!message) this.terminate();
      else this.receive(message);
    }
    this.rest.push(piece.subarray(from));
  }

  private post(message: PyodideRun | (PyodideSettings & { readonly program: string })): void {
    this.group.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Whether this process waits for the child before it ends. */
  private hold(isHeld: boolean): void {
    const { child } = this.group;
    const handles = [child, child.stdin, child.stdout, child.stderr];
    for (const handle of handles as unknown as readonly (Partial<Holdable> | null)[])
      if (isHeld) handle?.ref?.();
      else handle?.unref?.();
  }
}

interface Holdable {
  ref(): void;
  unref(): void;
}

function ignore(): void {
  // Nobody waits.
}

function droppedText(maxFiles: number): string {
  return `Files of the code were dropped: together they have more than ${String(maxFiles)} bytes.\n`;
}

function returned(
  { json, files }: Extract<FromPyodide, { kind: 'done' }>,
  { maxFiles }: CheckedLimits,
): Pick<CodeExecutionResult, 'result' | 'files'> {
  const kept: CodeFile[] = [];
  let bytes = 0;
  for (const { name, data: text } of files) {
    const data = Buffer.from(text, 'base64');
    bytes += data.length;
    if (isFileName(name) && bytes <= maxFiles) kept.push({ name, mimeType: mediaTypeOf(name), data });
  }
  return { result: json === undefined ? undefined : parsed(json), files: kept };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** The message of a line, which code may have written. Undefined for anything else. */
function readMessage(line: string): FromPyodide | undefined {
  const message = parsed(line) as Partial<Record<string, unknown>> | null | undefined;
  if (typeof message !== 'object' || message === null) return undefined;
  return MESSAGES.some((fits) => fits(message)) ? (message as unknown as FromPyodide) : undefined;
}

type Fields = Partial<Record<string, unknown>>;

const MESSAGES: readonly ((message: Fields) => boolean)[] = [
  ({ kind, granted }) => kind === 'ready' && isListOf(granted, (one) => typeof one === 'string'),
  ({ kind, message }) => kind === 'failed' && typeof message === 'string',
  ({ kind, stream, data }) => kind === 'output' && isStream(stream) && typeof data === 'string',
  ({ kind, stream, bytes }) => kind === 'dropped' && isStream(stream) && typeof bytes === 'number',
  ({ kind, id, exitCode, json, files, droppedFiles }) =>
    kind === 'done' &&
    typeof id === 'string' &&
    Number.isInteger(exitCode) &&
    (json === undefined || typeof json === 'string') &&
    typeof droppedFiles === 'number' &&
    isListOf(files, isFile),
];

function isStream(value: unknown): boolean {
  return value === 'stdout' || value === 'stderr';
}

function isFile(value: unknown): value is PyodideFile {
  const { name, data } = (value ?? {}) as Partial<Record<keyof PyodideFile, unknown>>;
  return typeof name === 'string' && typeof data === 'string';
}

function isListOf(value: unknown, fits: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}
