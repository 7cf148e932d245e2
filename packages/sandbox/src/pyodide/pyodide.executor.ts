import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
  CodeExecutorUnavailableError,
  BOOLEAN,
  TEXT,
  TEXTS,
  wholeFrom,
} from '@adorn/core/backend';

import { KeptStates } from '../kept-states.js';
import { type CheckedLimits, checkLimits, type OtherRules, type SandboxLimits } from '../options.js';
import { DenoProcess, type DenoSettings } from './deno-process.js';
import { findDeno, findPyodide } from './find-deno.js';

const MIB = 1024 * 1024;

/** The options of `pyodide`. */
export interface PyodideOptions extends SandboxLimits {
  /** Bytes that Python may allocate. Default: 512 MiB. What is allocated outside of Python is bounded at 1 GiB more. */
  readonly memory?: number;
  /** Executions of one session share variables and files. Default: false. */
  readonly stateful?: boolean;
  /** How many processes wait for code, each of about 150 MB: a start takes seconds. Default: 1. */
  readonly warm?: number;
  /** The packages of the distribution that code may import, such as `numpy`. Default: the standard library alone. */
  readonly packages?: readonly string[];
  /** The folder of a full distribution of Pyodide, with the files of `packages`. Default: the package `pyodide`. */
  readonly distribution?: string;
  /** The executable file of Deno. Default: that of the package `deno`. */
  readonly deno?: string;
}

const OPTIONS: OtherRules<PyodideOptions> = {
  stateful: BOOLEAN,
  warm: wholeFrom(0),
  packages: TEXTS,
  distribution: TEXT,
  deno: TEXT,
};

/**
 * Python in Pyodide, compiled to WebAssembly, in a process of Deno that has given up all its permissions, with limits of the
 * operating system, and that is killed at the time limit. A fresh execution has a process of its own. Needs the packages
 * `deno` and `pyodide`, and a shell.
 *
 * Code has the standard library without threads, processes and sockets, and the `packages`, whose files have to be in
 * `distribution`: nothing is downloaded.
 *
 * @throws {SandboxOptionInvalidError}
 * @example
 * const runPython = runCode(pyodide({ stateful: true }));
 */
export function pyodide(options: PyodideOptions = {}): CodeExecutor {
  return new PyodideExecutor(options);
}

class PyodideExecutor extends CodeExecutor {
  readonly languages = ['python'];
  readonly isolation =
    'Pyodide in WebAssembly, in a process of Deno without permissions, with limits of the operating system';
  readonly environment: string;
  override readonly stateful: boolean;
  private readonly limits: CheckedLimits;
  private readonly warm: number;
  private readonly packages: readonly string[];
  private readonly given: Pick<PyodideOptions, 'distribution' | 'deno'>;
  private readonly states = new KeptStates<DenoProcess>();
  private readonly waiting: DenoProcess[] = [];
  private settings: DenoSettings | undefined;
  private isClosed = false;

  constructor(options: PyodideOptions) {
    super();
    this.limits = checkLimits('pyodide', options, { memory: 512 * MIB, others: OPTIONS });
    const { stateful = false, warm = 1, packages = [], distribution, deno } = options;
    this.stateful = stateful;
    this.warm = warm;
    this.packages = packages;
    this.given = { distribution, deno };
    const imports = packages.length === 0 ? 'no other packages' : `the packages ${packages.join(', ')}`;
    this.environment =
      `It is Pyodide: the standard library of Python and ${imports}, without network, threads and processes. ` +
      'Files in the working folder are kept as artifacts.';
  }

  get timeout(): number {
    return this.limits.timeout;
  }

  /** Starts a process, which gives up its permissions and says so. */
  override async ready(): Promise<void> {
    if (this.settings) return;
    if (process.platform === 'win32')
      throw new CodeExecutorUnavailableError(
        'pyodide',
        'Windows has no limits of memory for a process here',
        'Run it on Linux or macOS, or take docker() or quickJs().',
      );
    const { packages, limits } = this;
    const folder = findPyodide(this.given.distribution);
    checkPackages(folder, packages);
    const settings: DenoSettings = { deno: findDeno(this.given.deno), folder, packages, limits };
    const first = new DenoProcess(settings);
    try {
      await first.ready();
    } catch (cause) {
      const fault = cause instanceof Error ? cause.message : String(cause);
      throw new CodeExecutorUnavailableError('pyodide', fault, 'Take bubblewrap() or docker().', { cause });
    }
    this.settings = settings;
    if (this.isClosed || this.waiting.length > 0) first.terminate();
    else this.waiting.push(first);
  }

  async execute(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    const { executionId, signal } = input;
    signal?.throwIfAborted();
    await this.ready();
    this.isClosed = false;
    if (executionId !== undefined && this.stateful)
      return this.states.use(
        executionId,
        () => this.take(),
        (child) => child.run(input).finally(() => this.refill()),
      );
    const child = this.take();
    return child.run(input).finally(() => {
      child.terminate();
      this.refill();
    });
  }

  override close(): void {
    this.isClosed = true;
    for (const child of this.waiting.splice(0)) child.terminate();
    this.states.close();
  }

  private take(): DenoProcess {
    for (let child = this.waiting.shift(); child; child = this.waiting.shift())
      if (child.isUsable) return child;
    return new DenoProcess(this.settings as DenoSettings);
  }

  /** Starts processes for the next executions. */
  private refill(): void {
    if (this.isClosed || !this.settings) return;
    while (this.waiting.length < this.warm) this.waiting.push(new DenoProcess(this.settings));
  }
}

/** Looks whether the files of the packages are there, with those that they depend on. */
function checkPackages(folder: string, packages: readonly string[]): void {
  if (packages.length === 0) return;
  const lock = JSON.parse(readFileSync(join(folder, 'pyodide-lock.json'), 'utf8')) as Lock;
  const needed = [...packages];
  for (const name of needed) {
    const known = Object.hasOwn(lock.packages, name) ? lock.packages[name] : undefined;
    if (!known)
      throw new CodeExecutorUnavailableError(
        'pyodide',
        `its distribution has no package ${JSON.stringify(name)}`,
        `Names are in ${join(folder, 'pyodide-lock.json')}.`,
      );
    if (!existsSync(join(folder, known.file_name)))
      throw new CodeExecutorUnavailableError(
        'pyodide',
        `${folder} has no file ${known.file_name} of the package ${name}`,
        'Download the full distribution of the same version of Pyodide, and pass { distribution: folder }.',
      );
    for (const other of known.depends) if (!needed.includes(other)) needed.push(other);
  }
}

/** What is read of `pyodide-lock.json`. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly file_name: string; readonly depends: readonly string[] } | undefined>
  >;
}
