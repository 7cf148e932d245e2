import { setImmediate } from 'node:timers/promises';

import {
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeExecutor,
  type CodeFunction,
  Condition,
  frozenJson,
} from '@adorn/core/backend';
/** A call that a script has made and waits for. */
export interface ScriptCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Gives the script the result. */
  resolve(value: unknown): void;
  /** Throws an error with this message in the script. */
  reject(message: string): void;
}

/** What a script runs in. */
export interface ScriptPlace {
  readonly executor: CodeExecutor;
  /** The most calls; a script that makes more is stopped. */
  readonly maxCalls: number;
}

/**
 * A running script: the list of the calls that it has made, and its end. The order of its calls depends only on its code and
 * on the order of the answers, as long as the answers have the order of the calls. So a script that is run again from its
 * start, with the same answers, makes the same calls.
 */
export class Script {
  /** All calls, in the order in which they were made. */
  readonly calls: ScriptCall[] = [];
  /** How many of the calls have been answered. */
  answered = 0;
  private readonly controller = new AbortController();
  private readonly finished: Promise<CodeExecutionResult>;
  private isOver = false;
  private isOverLimit = false;
  private readonly changed = new Condition();

  /** @param functions the names of the tools, by the names of their functions */
  constructor(
    code: string,
    functions: ReadonlyMap<string, string>,
    private readonly place: ScriptPlace,
  ) {
    const offered = [...functions].map(([name, tool]): [string, CodeFunction] => [
      name,
      (args) => this.called(name, tool, args),
    ]);
    const input: CodeExecutionInput = {
      code,
      language: 'javascript',
      functions: Object.fromEntries(offered),
      signal: this.controller.signal,
    };
    this.finished = place.executor.execute(input).finally(() => {
      this.isOver = true;
      this.changed.notify();
    });
    // Whoever asks for the end gets the error.
    this.finished.catch(ignore);
  }

  /** Resolves once the script has made this many calls, or has ended. Returns false if it has ended with fewer. */
  async hasMade(count: number): Promise<boolean> {
    await this.changed.until(() => this.calls.length >= count || this.isOver);
    // The calls that were made together arrive together.
    if (this.answered < this.calls.length) await setImmediate();
    return this.calls.length >= count;
  }

  /** The result of a script that has ended. Rejects if the sandbox has failed. */
  async end(): Promise<CodeExecutionResult> {
    if (!this.isOverLimit) return this.finished;
    const stderr = `The script was stopped: it made more than ${String(this.place.maxCalls)} calls.\n`;
    return { stdout: '', stderr, exitCode: 1 };
  }

  /** Ends the script, and what it waits for. */
  stop(): void {
    this.controller.abort(new Error('the script was stopped'));
  }

  private called(name: string, tool: string, said: unknown): Promise<unknown> {
    if (typeof said !== 'object' || said === null || Array.isArray(said))
      throw new TypeError(`${name} takes one object: ${name}({ … })`);
    if (this.calls.length >= this.place.maxCalls) {
      this.isOverLimit = true;
      this.stop();
      throw new RangeError('too many calls');
    }
    const args = frozenJson(said) as Readonly<Record<string, unknown>>;
    return new Promise((resolve, reject) => {
      const fail = (message: string): void => {
        reject(new Error(message));
      };
      this.calls.push({ tool, args, resolve, reject: fail });
      this.changed.notify();
    });
  }
}

function ignore(): void {
  // Nobody waits.
}
