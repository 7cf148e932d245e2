import { AdornError } from '@adorn/schema';
import { shareClass } from '../metadata/shared-class.js';
import type { Awaitable } from '../runtime/awaitable.js';

/** A file that code reads, or that it has written. */
export interface CodeFile {
  /** A name without folders, such as `sales.csv`. */
  readonly name: string;
  /** The media type, such as `text/csv`. */
  readonly mimeType: string;
  /** The bytes of the file, not encoded. */
  readonly data: Uint8Array;
}

/** A function of the application that code calls. */
export type CodeFunction = (args: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The code of one execution, and what it may use. */
export interface CodeExecutionInput {
  /** The source text, in the language of the executor. */
  readonly code: string;
  /** One of the executor's `languages`. */
  readonly language: string;
  /** The files in the working folder of the code. Default: none. */
  readonly files?: readonly CodeFile[];
  /**
   * The key of a state that outlives the execution: executions with the same id see each other's variables and files.
   * Only for a `stateful` executor. Default: a fresh state.
   */
  readonly executionId?: string;
  /**
   * Functions that the code calls by name with one object, and awaits. Only for an executor with `callsFunctions`.
   * Default: none.
   */
  readonly functions?: Readonly<Record<string, CodeFunction>>;
  /** Stops the code. */
  readonly signal?: AbortSignal;
}

/** What code has written and returned. */
export interface CodeExecutionResult {
  /** What the code printed, as text; empty if nothing. */
  readonly stdout: string;
  /** Errors and warnings; of an uncaught error the trace, without the frames of the executor. */
  readonly stderr: string;
  /** 0 if the code ran to its end. Absent if it was stopped, or if the executor has no such code. */
  readonly exitCode?: number;
  /** The value of the last expression as JSON, if the executor knows it and it can be JSON. */
  readonly result?: unknown;
  /** The files that the code wrote or changed. */
  readonly files?: readonly CodeFile[];
  /** True if the code was stopped at the time limit. */
  readonly isTimeout?: boolean;
}

/**
 * Runs code that a model wrote. An application passes one to `runCode`; implementations are in `@adorn/sandbox`, and every
 * one passes its contract suite, `describeCodeExecutor` of `@adorn/sandbox/contract`.
 *
 * The code is untrusted. An implementation says in `isolation` what keeps the code from the host, and refuses to start
 * where that is missing.
 */
export abstract class CodeExecutor {
  static {
    shareClass(this, 'CodeExecutor');
  }

  /** The languages, the default first: `python`, `javascript`, … */
  abstract readonly languages: readonly string[];

  /** What keeps code from the host, in a sentence for people. */
  abstract readonly isolation: string;

  /** What the model has to know about the environment of its code: what is there, and what is not. */
  abstract readonly environment: string;

  /** How long an execution may take, in milliseconds. */
  abstract readonly timeout: number;

  /** True if executions with the same `executionId` share their state. Default: false. */
  readonly stateful: boolean = false;

  /** True if code can call `functions`. Default: false. */
  readonly callsFunctions: boolean = false;

  /**
   * Checks that the isolation is there. Called before the first execution, and when a runner with the executor is created.
   *
   * @throws {CodeExecutorUnavailableError}
   */
  ready(): Awaitable<void> {
    // Nothing to check by default.
  }

  /**
   * Runs the code. An error of the code is a result with `stderr`; an execution that reaches the time limit is a result
   * with `isTimeout`. Rejects if the executor itself has failed, and with the signal's reason if the signal is aborted.
   */
  abstract execute(input: CodeExecutionInput): Promise<CodeExecutionResult>;

  /** Ends what waits for further executions, and drops kept states. Nothing that is open keeps the process alive. */
  close(): Awaitable<void> {
    // Nothing to release by default.
  }

  /** Calls `close`, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** What keeps untrusted code from the host is missing on this machine, so no code runs. */
export class CodeExecutorUnavailableError extends AdornError {
  readonly code = 'CODE_EXECUTOR_UNAVAILABLE';

  /** @param cure what to install or to change */
  constructor(executor: string, fault: string, cure: string, options?: ErrorOptions) {
    super(`${executor} cannot run code here: ${fault}. ${cure}`, options);
  }
}

/** How an execution has ended, in the words of Gemini. */
export type CodeOutcome = 'OUTCOME_OK' | 'OUTCOME_FAILED' | 'OUTCOME_DEADLINE_EXCEEDED';

/** OK with the exit code 0, or without an exit code and without text in `stderr`. */
export function outcomeOfCode({ exitCode, stderr, isTimeout }: CodeExecutionResult): CodeOutcome {
  if (isTimeout === true) return 'OUTCOME_DEADLINE_EXCEEDED';
  const isOk = exitCode === undefined ? stderr === '' : exitCode === 0;
  return isOk ? 'OUTCOME_OK' : 'OUTCOME_FAILED';
}

/** The text of both streams: `stderr` follows `stdout` after a line of its own, if there are both. */
export function outputOfCode({ stdout, stderr }: CodeExecutionResult): string {
  if (stderr === '') return stdout;
  if (stdout === '') return stderr;
  return `${stdout}${stdout.endsWith('\n') ? '' : '\n'}--- stderr ---\n${stderr}`;
}
