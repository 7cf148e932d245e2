import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import {
  BOOLEAN,
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
} from '@adorn/core/backend';

import { type CheckedLimits, checkLimits, type OtherRules, type SandboxLimits } from '../options.js';
import { KeptStates } from '../kept-states.js';
import type { WorkerSettings } from './messages.js';
import { QuickJsThread } from './quick-js-thread.js';

/** The options of `quickJs`. */
export interface QuickJsOptions extends SandboxLimits {
  /** Bytes that the code may allocate, arrays of bytes included. Default: 64 MiB. */
  readonly memory?: number;
  /** Executions of one session share variables and files. Default: false. */
  readonly stateful?: boolean;
}

const OPTIONS: OtherRules<QuickJsOptions> = { stateful: BOOLEAN };

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
  private readonly states = new KeptStates<QuickJsThread>();
  private spare: QuickJsThread | undefined;

  constructor(options: QuickJsOptions) {
    super();
    this.limits = checkLimits('quickJs', options, { memory: 64 * 1024 * 1024, others: OPTIONS });
    this.stateful = options.stateful ?? false;
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

  private takeSpare(wasmModule: object): QuickJsThread {
    const worker = this.spare ?? this.start(wasmModule);
    this.spare = undefined;
    return worker;
  }

  private start(wasmModule: object): QuickJsThread {
    return new QuickJsThread(startWorker(this.limits, wasmModule), this.limits);
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

function startWorker({ memory, maxOutput, maxFiles }: CheckedLimits, wasmModule: object): Worker {
  const settings: WorkerSettings = { memory, maxOutput, maxFiles, wasmModule };
  return new Worker(resolvePath('@adorn/sandbox/quick-js-worker'), {
    workerData: settings,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
}
