import type { EvalTarget } from '@adorn/eval';
import type { Runner } from 'adorn';

import type { Application } from '../application/load-application.js';
import { type RunnerChoice, runnerOf } from '../application/runner-of.js';

/**
 * The runners that play the cases of an evaluation: a new one for each case of an agent, so that its services begin anew; the one
 * that a file exports for all cases.
 */
export class CaseRunners implements AsyncDisposable {
  /** Weak, as an evaluation closes each that it has used. */
  private readonly created: WeakRef<Runner<unknown>>[] = [];

  /** @param tell is given the line that names the model, once */
  constructor(
    private readonly application: Application,
    private readonly file: string,
    private readonly choice: RunnerChoice,
    private tell: ((line: string) => void) | undefined,
  ) {}

  /**
   * What `evaluate` plays.
   *
   * @throws {UsageError} for options of an application that exports its own runner
   */
  async target(): Promise<EvalTarget> {
    // The first is created before a case is played, so that an agent that cannot start is an error of the command.
    let first: Runner<unknown> | undefined = await this.create();
    if (this.application.kind === 'runner') return first;
    return () => {
      const created = first ?? this.create();
      first = undefined;
      return created;
    };
  }

  /** Closes those that are open. */
  async close(): Promise<void> {
    await Promise.all(this.created.map(async (runner) => runner.deref()?.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async create(): Promise<Runner<unknown>> {
    const { tell = () => undefined } = this;
    this.tell = undefined;
    const runner = await runnerOf(this.application, this.file, this.choice, tell);
    this.created.push(new WeakRef(runner));
    return runner;
  }
}
