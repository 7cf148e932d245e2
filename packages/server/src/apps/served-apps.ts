import { sessionCompaction } from '@adorn/compaction';
import { type AgentClass, type CreateRunnerOptions, createRunner, type Runner } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import { toolPolicies } from '@adorn/policies';
import { isAgentClass, kindOf } from '@adorn/core/backend';

import { NotFoundError, ServerOptionInvalidError } from '../errors.js';
import type { AppSource } from '../server-options.js';

/** The applications of a server by name. */
export class ServedApps {
  private constructor(
    private readonly runners: ReadonlyMap<string, Runner<unknown>>,
    /** The runners that were created here, and are closed here. */
    private readonly owned: readonly Runner<unknown>[],
  ) {}

  /**
   * Creates the runners of agent classes.
   *
   * @throws {ServerOptionInvalidError} for a source that is no application, or two of one name
   * @throws {AdornError} as `createRunner`
   */
  static async open(
    caller: string,
    sources: AppSource | readonly AppSource[],
    options: Omit<CreateRunnerOptions, 'appName'> = {},
  ): Promise<ServedApps> {
    const runners = new Map<string, Runner<unknown>>();
    const owned: Runner<unknown>[] = [];
    const wiring = {
      ...options,
      modules: [...(options.modules ?? []), toolPolicies, sessionCompaction, liveSessions],
    };
    try {
      for (const source of [sources].flat() as readonly unknown[]) {
        const runner = isRunner(source) ? source : await createRunner(requireAgent(caller, source), wiring);
        if (!isRunner(source)) owned.push(runner);
        if (runners.has(runner.appName)) refuseTwice(caller, runner.appName);
        runners.set(runner.appName, runner);
      }
    } catch (error) {
      await closeAll(owned);
      throw error;
    }
    if (runners.size === 0)
      throw new ServerOptionInvalidError(caller, 'there is no application', 'Pass one.');
    return new ServedApps(runners, owned);
  }

  /** Sorted. */
  get names(): string[] {
    return [...this.runners.keys()].sort();
  }

  get all(): Runner<unknown>[] {
    return this.names.map((name) => this.get(name));
  }

  /** @throws {NotFoundError} */
  get(name: string): Runner<unknown> {
    const runner = this.runners.get(name);
    if (runner === undefined) throw new NotFoundError(`App not found: ${name}`);
    return runner;
  }

  /** The application of a request that may leave the name out if there is only one. */
  named(name: string | undefined): Runner<unknown> | undefined {
    const [only, ...others] = this.names;
    if (name === undefined && others.length === 0 && only !== undefined) return this.get(only);
    return name === undefined ? undefined : this.get(name);
  }

  /** Closes the runners that were created here. */
  close(): Promise<void> {
    return closeAll(this.owned);
  }
}

/** A runner of another copy of this package is one too. */
function isRunner(source: unknown): source is Runner<unknown> {
  return typeof source === 'object' && source !== null && 'appName' in source && 'sessions' in source;
}

function requireAgent(caller: string, source: unknown): AgentClass<unknown> {
  if (isAgentClass(source)) return source;
  const fault = `an application is ${kindOf(source)}, which is neither an agent class nor a runner`;
  throw new ServerOptionInvalidError(
    caller,
    fault,
    'Pass a class that extends LlmAgent, or await createRunner(…).',
  );
}

function refuseTwice(caller: string, name: string): never {
  const cure = 'Create the runners with different appNames.';
  throw new ServerOptionInvalidError(caller, `two applications have the name "${name}"`, cure);
}

async function closeAll(runners: readonly Runner<unknown>[]): Promise<void> {
  await Promise.all(runners.map((runner) => runner.close()));
}
