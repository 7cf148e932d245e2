import type { Worker } from 'node:worker_threads';

import { Boundary, type CodeExecutionInput, type CodeExecutionResult } from '@adorn/core/backend';

import { type CheckedLimits, SandboxFailedError } from '../options.js';
import type { FromWorker, ToWorker } from './messages.js';
import { QuickJsExecution } from './quick-js-execution.js';
import { readWorkerMessage } from './read-worker-message.js';

/** A worker thread with one world of QuickJS. Keeps no process alive unless code runs in it. */
export class QuickJsThread {
  /** False once it cannot run code any more. */
  isUsable = true;
  private execution: QuickJsExecution | undefined;
  private readonly started: Promise<void>;
  private start: () => void = () => undefined;
  private refuseStart: (error: unknown) => void = () => undefined;

  constructor(
    private readonly worker: Worker,
    private readonly limits: CheckedLimits,
  ) {
    this.started = new Promise((resolve, reject) => {
      this.start = resolve;
      this.refuseStart = reject;
    });
    // An execution that waits for the start gets the error.
    this.started.catch(() => undefined);
    const boundary = new Boundary((error) => {
      this.lose(error);
    });
    worker.on(
      'message',
      boundary.guard((posted: unknown) => {
        this.receive(posted);
      }),
    );
    worker.on('error', boundary.fail);
    worker.on(
      'exit',
      boundary.guard(() => {
        throw new SandboxFailedError('quickJs', 'its worker has ended');
      }),
    );
    worker.unref();
  }

  terminate(): void {
    this.isUsable = false;
    void this.worker.terminate();
  }

  /** Runs code. The time limit begins when the worker has started. */
  async run(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    this.worker.ref();
    try {
      await this.started;
      input.signal?.throwIfAborted();
      this.execution = new QuickJsExecution(input, this.limits, {
        post: (message: ToWorker) => this.worker.postMessage(message),
        terminate: () => this.terminate(),
      });
      return await this.execution.result;
    } finally {
      this.execution = undefined;
      this.worker.unref();
    }
  }

  private receive(posted: unknown): void {
    const message: FromWorker | undefined = readWorkerMessage(posted);
    if (!message) throw new SandboxFailedError('quickJs', 'its worker posted what is no message of it');
    if (message.kind === 'ready') this.start();
    else this.execution?.receive(message);
  }

  /** Ends the thread: before its start that is a failure of the sandbox, later one of the code that runs in it. */
  private lose(cause: unknown): void {
    this.terminate();
    this.refuseStart(new SandboxFailedError('quickJs', 'its worker could not start', { cause }));
    this.execution?.lose();
  }
}
