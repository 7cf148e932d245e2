import { AdornError, type ToolContext } from '@adorn/core';

import type { ProgressOfCall } from './mcp-server-link.js';
import type { McpAnswer } from './mcp-toolset-options.js';
import type { RawResult } from './tool-result.js';

/** One run of a tool that waits for the answer of its server. */
export interface CallRun {
  readonly context: ToolContext;
  readonly onprogress: (progress: ProgressOfCall) => void;
}

/** Sends a call to the server. The signal is aborted when the call is to end early; the call asks the user. */
export type SendCall = (
  signal: AbortSignal,
  onprogress: (progress: ProgressOfCall) => void,
  call: ActiveCall,
) => Promise<RawResult>;

/** How long a call stays open at its server while a person is asked, in milliseconds. */
const OPEN_MS = 3_600_000;

/** A question of the server that has no answer yet. */
interface OpenQuestion {
  /** @throws {ToolPausedError} if the person has not answered yet */
  readonly put: (context: ToolContext) => Promise<void>;
  /** Answers without the person: nobody needs the answer any more. */
  readonly cancel: () => void;
}

/** How a question of the server is asked. */
export interface AskOptions {
  /** Aborted when the server takes the question back. */
  readonly signal: AbortSignal;
  /** The question, if the server has run nothing before its answer. */
  readonly beforeRun?: QuestionBeforeRun | undefined;
}

/** A question before whose answer the server has run nothing. */
export interface QuestionBeforeRun {
  /** Message and schema. */
  readonly text: string;
  /** Absent while there is none. */
  answer?: McpAnswer;
}

/**
 * A call in progress on its server. It outlives the run of its tool: while a person is asked, the run pauses and the
 * call stays open, so the server does the work once. The next run of the same call continues it.
 */
export class ActiveCall {
  private readonly controller = new AbortController();
  private readonly questions = new Set<OpenQuestion>();
  private readonly result: Promise<RawResult>;
  private run: (CallRun & { readonly end: (error: unknown) => void }) | undefined;
  private expiry: NodeJS.Timeout | undefined;
  /** The last question; undefined if the server may have run something before its answer. */
  private beforeRun: QuestionBeforeRun | undefined;
  /** An answer that counts for the same question once more. */
  private repeated: QuestionBeforeRun | undefined;
  /** True once a question was taken back before whose answer the server has run nothing: the call can be made again. */
  hasLapsed = false;
  hasEnded = false;

  constructor(
    send: SendCall,
    private readonly over: () => void,
  ) {
    this.result = send(this.controller.signal, (progress) => this.run?.onprogress(progress), this);
    const end = (): void => {
      this.hasEnded = true;
      this.cancelQuestions();
    };
    this.result.then(end, end);
  }

  /** The context of the tool; undefined while the run is paused. */
  get context(): ToolContext | undefined {
    return this.run?.context;
  }

  /** Waits for the result, or until the run pauses because a person has to be asked. */
  async continue(run: CallRun): Promise<RawResult> {
    clearTimeout(this.expiry);
    const { signal } = run.context;
    const stop = (): void => {
      this.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let pause: unknown;
    const ended = new Promise<never>((_, reject) => {
      const end = (error: unknown): void => {
        if (isPause(error)) pause = error;
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a callback may throw anything
        reject(error);
      };
      this.run = { ...run, end };
    });
    for (const question of this.questions) void this.put(question);
    try {
      return await Promise.race([ended, this.result]);
    } finally {
      signal.removeEventListener('abort', stop);
      this.run = undefined;
      if (pause !== undefined) this.expiry = setTimeout(this.expire, OPEN_MS).unref();
      else this.over();
    }
  }

  /**
   * Answers a question of the server.
   *
   * @param answer asks the person of the run; called again in the next run if that throws a `ToolPausedError`
   * @returns undefined if the question was taken back, or the call has ended
   */
  ask<Answer>(
    answer: (context: ToolContext) => Promise<Answer>,
    { signal, beforeRun }: AskOptions,
  ): Promise<Answer | undefined> {
    this.beforeRun = beforeRun;
    return new Promise((resolve) => {
      const question: OpenQuestion = {
        put: async (context) => {
          resolve(await answer(context));
        },
        cancel: () => {
          this.questions.delete(question);
          this.hasLapsed ||= beforeRun !== undefined && beforeRun.answer === undefined;
          resolve(undefined);
        },
      };
      this.questions.add(question);
      signal.addEventListener('abort', question.cancel, { once: true });
      void this.put(question);
    });
  }

  /** Has the last answer count once more; false if there is none, or the server may have run something before it. */
  repeatAnswer(): boolean {
    this.repeated = this.beforeRun?.answer === undefined ? undefined : this.beforeRun;
    return this.repeated !== undefined;
  }

  /** The answer that counts once more, for the same question; undefined if there is none. */
  takeRepeated({ text }: QuestionBeforeRun): McpAnswer | undefined {
    const { repeated } = this;
    this.repeated = undefined;
    return repeated?.text === text ? repeated.answer : undefined;
  }

  private async put(question: OpenQuestion): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    try {
      await question.put(run.context);
      this.questions.delete(question);
    } catch (error) {
      if (!isPause(error)) this.controller.abort(error);
      run.end(error);
    }
  }

  private readonly expire = (): void => {
    this.giveUp('The user has not answered.');
  };

  /** Cancels the call at its server while no run waits for it. */
  giveUp(reason: string): void {
    clearTimeout(this.expiry);
    this.controller.abort(new Error(reason));
    this.over();
  }

  private cancelQuestions(): void {
    for (const { cancel } of this.questions) cancel();
  }
}

function isPause(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'TOOL_PAUSED';
}

/** The calls that a server is answering over one connection. */
export class ActiveCalls {
  private readonly calls = new Map<string, ActiveCall>();

  /** Runs a call, or continues it if an earlier run of it has paused. One whose question has lapsed is made again. */
  run(run: CallRun, send: SendCall): Promise<RawResult> {
    const key = run.context.idempotencyKey;
    const earlier = this.calls.get(key);
    if (earlier?.hasLapsed === true) earlier.giveUp('The question has expired.');
    let call = this.calls.get(key);
    if (call === undefined) {
      call = new ActiveCall(send, () => {
        this.calls.delete(key);
      });
      this.calls.set(key, call);
    }
    return call.continue(run);
  }

  /** Cancels a call at its server if an earlier run of it has paused, and it will not run again. */
  giveUp({ idempotencyKey }: ToolContext): void {
    this.calls.get(idempotencyKey)?.giveUp('The call was rejected.');
  }

  /** True if an earlier run of the call has paused, and the server still has the call or has answered it meanwhile. */
  isOpen({ idempotencyKey }: ToolContext): boolean {
    return this.calls.has(idempotencyKey);
  }

  /**
   * The call that a question of the server is about. The protocol does not say which; undefined unless there is exactly one,
   * so that no user is asked about the call of another.
   */
  get only(): ActiveCall | undefined {
    const [first, ...others] = [...this.calls.values()].filter(({ hasEnded }) => !hasEnded);
    return others.length === 0 ? first : undefined;
  }
}
