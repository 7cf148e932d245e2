import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import { ToolError } from '@adorn/core';
import { Boundary, describeThrown } from '@adorn/core/backend';

import type { FoundText, SearchSettings } from './messages.js';

/** How long a search may take without the reading of files, in milliseconds: some patterns never end. */
const LONGEST_SEARCH = 5_000;

const TOO_LONG = `The search took longer than ${String(LONGEST_SEARCH)} ms. Use a simpler pattern, or fewer files.`;

/**
 * The search for a regular expression, in a thread of its own that is terminated at a time limit: the process goes on while a
 * pattern of a model takes its time.
 */
export class PatternSearch {
  private readonly worker: Worker;
  /** Milliseconds that are left. */
  private left = LONGEST_SEARCH;
  private fault: Error | undefined;
  private waiting:
    { resolve: (found: readonly FoundText[]) => void; reject: (reason: unknown) => void } | undefined;

  /**
   * @param source of a regular expression
   * @param flags such as `i`
   * @throws {ToolError} if it is none
   */
  constructor(
    source: string,
    flags: string,
    private readonly signal: AbortSignal,
  ) {
    checkExpression(source, flags);
    const workerData: SearchSettings = { source, flags };
    this.worker = new Worker(workerFile(), {
      workerData,
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    });
    const boundary = new Boundary((error) => {
      this.end(toError(error));
    });
    this.worker.on(
      'message',
      boundary.guard((found: unknown) => {
        this.waiting?.resolve(found as readonly FoundText[]);
      }),
    );
    this.worker.on('error', boundary.fail);
    signal.addEventListener('abort', this.abort, { once: true });
  }

  /**
   * Where the expression is found in texts, one place in each.
   *
   * @throws {ToolError} if it takes too long
   */
  async found(texts: readonly string[]): Promise<readonly FoundText[]> {
    this.signal.throwIfAborted();
    if (this.fault !== undefined) throw this.fault;
    if (texts.length === 0) return [];
    const started = performance.now();
    const timer = setTimeout(() => {
      this.end(new ToolError(TOO_LONG));
    }, this.left);
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { resolve, reject };
        this.worker.postMessage(texts);
      });
    } finally {
      clearTimeout(timer);
      this.left = Math.max(1, this.left - (performance.now() - started));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal.removeEventListener('abort', this.abort);
    await this.worker.terminate();
  }

  private readonly abort = (): void => {
    this.end(toError(this.signal.reason));
  };

  private end(fault: Error): void {
    this.fault = fault;
    this.waiting?.reject(fault);
    void this.worker.terminate();
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeThrown(thrown).message, { cause: thrown });
}

/** @throws {ToolError} */
function checkExpression(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (cause) {
    throw new ToolError(`The regular expression cannot be read: ${describeThrown(cause).message}.`, {
      cause,
    });
  }
}

function workerFile(): string {
  return createRequire(import.meta.url).resolve('@adorn/workspace/search-worker');
}
