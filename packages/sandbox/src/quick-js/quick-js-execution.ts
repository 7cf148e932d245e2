import {
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeFile,
  type CodeFunction,
  describeThrown,
} from '@adorn/core/backend';

import { mediaTypeOf } from '../media-type.js';
import type { CheckedLimits } from '../options.js';
import { BoundedOutput } from '../output.js';
import type { FromWorker, ToWorker, WorkerAnswer, WorkerCall } from './messages.js';

/** How long a worker may overrun the time limit, until it is terminated: it may be in a call that does not yield. */
const GRACE_MS = 250;

/** The worker, as an execution uses it. */
interface WorkerSide {
  post(message: ToWorker): void;
  terminate(): void;
}

type Done = Extract<FromWorker, { readonly kind: 'done' }>;

/** One execution in a worker: begins when it is made, and ends with its result, whatever the worker does. */
export class QuickJsExecution {
  /** Rejects with the reason of the signal only. */
  readonly result: Promise<CodeExecutionResult>;
  private readonly stdout: BoundedOutput;
  private readonly stderr: BoundedOutput;
  private readonly functions: Readonly<Record<string, CodeFunction>>;
  private readonly signal: AbortSignal | undefined;
  private resolve: (result: CodeExecutionResult) => void = () => undefined;
  private reject: (reason: unknown) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private openCalls = 0;
  private answers: WorkerAnswer[] = [];
  private isOver = false;

  constructor(
    { code, files = [], functions = {}, signal }: CodeExecutionInput,
    private readonly limits: CheckedLimits,
    private readonly worker: WorkerSide,
  ) {
    this.stdout = new BoundedOutput(limits.maxOutput);
    this.stderr = new BoundedOutput(limits.maxOutput);
    this.functions = functions;
    this.signal = signal;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    signal?.addEventListener('abort', this.abort, { once: true });
    this.limitTime();
    worker.post({
      kind: 'run',
      code,
      timeout: limits.timeout,
      files: files.map(({ name, data }) => ({ name, data })),
      functions: Object.keys(functions),
    });
  }

  /** @throws if the message is not what a worker says at this time; then the worker is lost */
  receive(message: FromWorker): void {
    if (this.isOver) return;
    switch (message.kind) {
      case 'output':
        this[message.stream].write(message.text);
        break;
      case 'dropped':
        this[message.stream].drop(message.bytes);
        break;
      case 'calls':
        this.makeCalls(message.calls);
        break;
      case 'done':
        this.finish(message);
        break;
      case 'ready':
    }
  }

  /** The worker has ended, or cannot be believed. */
  lose(): void {
    this.stop('The code was ended by the sandbox: it took too much memory, or it broke its world.\n', {
      exitCode: 137,
    });
  }

  private finish({ isOk, isTimeout, json, files }: Done): void {
    if (isTimeout) {
      this.stopLate();
      return;
    }
    const result = json === undefined ? undefined : (JSON.parse(json) as unknown);
    this.end({ exitCode: isOk ? 0 : 1, result, files: files.map(toCodeFile) });
  }

  /** The time limit rests while the code waits for a call, and for nothing else. */
  private makeCalls(calls: readonly WorkerCall[]): void {
    this.openCalls += calls.length;
    if (this.openCalls > 0) clearTimeout(this.timer);
    for (const call of calls) void answerOf(call, this.functions).then(this.answer);
  }

  /** Answers that come together go together, so that the calls that they lead to come together. */
  private readonly answer = (answer: WorkerAnswer): void => {
    this.openCalls--;
    if (this.isOver) return;
    if (this.answers.length === 0) setImmediate(this.sendAnswers);
    this.answers.push(answer);
  };

  private readonly sendAnswers = (): void => {
    if (this.isOver) return;
    this.limitTime();
    this.worker.post({ kind: 'answers', answers: this.answers });
    this.answers = [];
  };

  private limitTime(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.stopLate, this.limits.timeout + GRACE_MS);
  }

  private readonly abort = (): void => {
    if (this.isOver) return;
    this.settle();
    this.worker.terminate();
    this.reject(this.signal?.reason);
  };

  private readonly stopLate = (): void => {
    this.stop(`The code was stopped: it took longer than ${String(this.limits.timeout)} ms.\n`, {
      isTimeout: true,
    });
  };

  private stop(why: string, how: Pick<CodeExecutionResult, 'isTimeout' | 'exitCode'>): void {
    if (this.isOver) return;
    this.stderr.write(why);
    this.end(how);
    this.worker.terminate();
  }

  private end(result: Omit<CodeExecutionResult, 'stdout' | 'stderr'>): void {
    this.settle();
    this.resolve({ stdout: String(this.stdout), stderr: String(this.stderr), ...result });
  }

  private settle(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.abort);
  }
}

/** Never rejects: what a function throws is the answer to its call. */
async function answerOf(
  { id, name, json }: WorkerCall,
  functions: Readonly<Record<string, CodeFunction>>,
): Promise<WorkerAnswer> {
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
  try {
    const value = await work?.(JSON.parse(json) as Readonly<Record<string, unknown>>);
    return { id, json: JSON.stringify(value ?? null) };
  } catch (error) {
    return { id, error: describeThrown(error).message };
  }
}

function toCodeFile({ name, data }: { readonly name: string; readonly data: Uint8Array }): CodeFile {
  return { name, mimeType: mediaTypeOf(name), data };
}
