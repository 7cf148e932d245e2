import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import {
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
  type CodeFile,
  type CodeFunction,
} from '@adorn/core/backend';

import { mediaTypeOf } from '../media-type.js';
import { type CheckedLimits, checkLimits, SandboxFailedError, type SandboxLimits } from '../options.js';
import { BoundedOutput } from '../output.js';
import { KeptStates } from '../kept-states.js';
import type { FromWorker, ToWorker, WorkerAnswer, WorkerCall, WorkerSettings } from './messages.js';

/** How long a worker may overrun the time limit, until it is terminated: it may be in a call that does not yield. */
const GRACE_MS = 250;

/** The options of `quickJs`. */
export interface QuickJsOptions extends SandboxLimits {
  /** Bytes that the code may allocate, arrays of bytes included. Default: 64 MiB. */
  readonly memory?: number;
  /** Executions of one session share variables and files. Default: false. */
  readonly stateful?: boolean;
}

/**
 * JavaScript in QuickJS, compiled to WebAssembly, in a worker thread that is terminated at the time limit. Code has the
 * language, `console`, `readFile(name)`, `writeFile(name, text)`, `listFiles()`, and nothing of the host: no modules, no
 * network, no timers. Code that uses `await` or `return` is the body of an async function; of other code, the value of the
 * last expression is the result.
 *
 * The boundary is that of WebAssembly, in the same process: no limit of the operating system stands behind it. For code of
 * an attacker rather than of a model, take `bubblewrap()` or `docker()`.
 *
 * @throws {SandboxOptionInvalidError}
 * @example
 * const calculate = runCode(quickJs({ timeout: 2_000 }), { effect: 'read' });
 */
export function quickJs(options: QuickJsOptions = {}): CodeExecutor {
  return new QuickJsExecutor(options);
}

class QuickJsExecutor extends CodeExecutor {
  readonly languages = ['javascript'];
  readonly isolation = 'QuickJS in WebAssembly, in a worker thread without an environment that is terminated';
  readonly environment =
    'It is plain ECMAScript without modules, network, timers or Node.js: there are console, readFile(name), writeFile(name, text) and listFiles().';
  override readonly callsFunctions = true;
  override readonly stateful: boolean;
  private readonly limits: CheckedLimits;
  private readonly states = new KeptStates<QuickJsWorker>();
  private spare: QuickJsWorker | undefined;

  constructor({ stateful = false, ...limits }: QuickJsOptions) {
    super();
    this.stateful = stateful;
    this.limits = checkLimits('quickJs', limits, { memory: 64 * 1024 * 1024, others: ['stateful'] });
  }

  get timeout(): number {
    return this.limits.timeout;
  }

  async execute(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    const { executionId, signal } = input;
    signal?.throwIfAborted();
    const wasmModule = await (compiled ??= compileQuickJs());
    if (executionId === undefined || !this.stateful) {
      const worker = this.takeSpare(wasmModule);
      const result = await worker.run(input).finally(() => {
        worker.terminate();
      });
      this.spare ??= this.start(wasmModule);
      return result;
    }
    return this.states.use(
      executionId,
      () => this.takeSpare(wasmModule),
      (worker) => worker.run(input),
    );
  }

  override close(): void {
    this.spare?.terminate();
    this.spare = undefined;
    this.states.close();
  }

  private takeSpare(wasmModule: object): QuickJsWorker {
    const worker = this.spare ?? this.start(wasmModule);
    this.spare = undefined;
    return worker;
  }

  private start(wasmModule: object): QuickJsWorker {
    return new QuickJsWorker(this.limits, wasmModule);
  }
}

/** The module of QuickJS, compiled once for all workers of the process. */
let compiled: Promise<object> | undefined;

async function compileQuickJs(): Promise<object> {
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
  };
  return WebAssembly.compile(await readFile(resolvePath('@jitl/quickjs-wasmfile-release-sync/wasm')));
}

/** The file of a module that this package has, or depends on. */
function resolvePath(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier);
}

/** A worker with one world of QuickJS. Keeps no process alive unless code runs in it. */
class QuickJsWorker {
  /** False once it cannot run code any more. */
  isUsable = true;
  private readonly worker: Worker;

  private readonly started: Promise<void>;

  constructor(
    private readonly limits: CheckedLimits,
    wasmModule: object,
  ) {
    const { memory, maxOutput, maxFiles } = limits;
    const settings: WorkerSettings = { memory, maxOutput, maxFiles, wasmModule };
    this.worker = new Worker(resolvePath('@adorn/sandbox/quick-js-worker'), {
      workerData: settings,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.started = new Promise((resolve, reject) => {
      this.worker.once('message', () => {
        resolve();
      });
      this.worker.once('exit', () => {
        reject(new SandboxFailedError('quickJs', 'its worker could not start'));
      });
    });
    // An execution that waits for the start gets the error.
    this.started.catch(() => undefined);
    this.worker.on('error', () => (this.isUsable = false));
    this.worker.unref();
  }

  terminate(): void {
    this.isUsable = false;
    void this.worker.terminate();
  }

  /** Runs code. The time limit begins when the worker has started. */
  async run(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    this.worker.ref();
    await this.started;
    input.signal?.throwIfAborted();
    return this.runNow(input);
  }

  private runNow({
    code,
    files = [],
    functions = {},
    signal,
  }: CodeExecutionInput): Promise<CodeExecutionResult> {
    const { worker, limits } = this;
    return new Promise((resolve, reject) => {
      const stdout = new BoundedOutput(limits.maxOutput);
      const stderr = new BoundedOutput(limits.maxOutput);
      const streams = { stdout, stderr };
      let isOver = false;
      const end = (): void => {
        isOver = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        worker.off('message', receive);
        worker.off('error', fail);
        worker.off('exit', exit);
        worker.unref();
      };
      const fail = (error: unknown): void => {
        end();
        this.terminate();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason may be anything
        reject(error);
      };
      const exit = (): void => {
        fail(new SandboxFailedError('quickJs', 'its worker has ended'));
      };
      const abort = (): void => {
        fail(signal?.reason);
      };
      const stopped = (): void => {
        end();
        this.terminate();
        stderr.write(timeoutText(limits.timeout));
        resolve({ stdout: String(stdout), stderr: String(stderr), isTimeout: true });
      };
      const receive = (message: FromWorker): void => {
        switch (message.kind) {
          case 'output':
            streams[message.stream].write(message.text);
            break;
          case 'dropped':
            streams[message.stream].drop(message.bytes);
            break;
          case 'calls':
            clearTimeout(timer);
            for (const call of message.calls) void answerOf(call, functions).then(answer, fail);
            break;
          case 'done': {
            if (message.isTimeout) {
              stopped();
              return;
            }
            end();
            const written = message.files.map(({ name, data }): CodeFile => ({
              name,
              mimeType: mediaTypeOf(name),
              data,
            }));
            const result = message.json === undefined ? undefined : (JSON.parse(message.json) as unknown);
            resolve({
              stdout: String(stdout),
              stderr: String(stderr),
              exitCode: message.isOk ? 0 : 1,
              result,
              files: written,
            });
            break;
          }
          case 'ready':
        }
      };
      let timer = setTimeout(stopped, limits.timeout + GRACE_MS);
      let answers: WorkerAnswer[] = [];
      const sendAnswers = (): void => {
        if (isOver) return;
        clearTimeout(timer);
        timer = setTimeout(stopped, limits.timeout + GRACE_MS);
        this.post({ kind: 'answers', answers });
        answers = [];
      };
      // Answers that come together go together, so that the calls that they lead to come together.
      const answer = (one: WorkerAnswer): void => {
        if (isOver) return;
        if (answers.length === 0) setImmediate(sendAnswers);
        answers.push(one);
      };
      signal?.addEventListener('abort', abort, { once: true });
      worker.on('message', receive).on('error', fail).on('exit', exit);
      worker.ref();
      const sent = files.map(({ name, data }) => ({ name, data }));
      this.post({
        kind: 'run',
        code,
        timeout: limits.timeout,
        files: sent,
        functions: Object.keys(functions),
      });
    });
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

async function answerOf(
  { id, name, json }: WorkerCall,
  functions: Readonly<Record<string, CodeFunction>>,
): Promise<WorkerAnswer> {
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  try {
    const value = await work?.(JSON.parse(json) as Readonly<Record<string, unknown>>);
    return { id, json: JSON.stringify(value ?? null) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

function timeoutText(milliseconds: number): string {
  return `The code was stopped: it took longer than ${String(milliseconds)} ms.\n`;
}
