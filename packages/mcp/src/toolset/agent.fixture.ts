import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import {
  agent,
  ContainerModule,
  createRunner,
  type CreateRunnerOptions,
  LlmAgent,
  Logger,
  type Runner,
  type RunResult,
  type Tool,
  type Toolset,
  type ToolsetContext,
} from '@adorn/core';
import type { ToolSource } from '@adorn/core/backend';
import { says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

/** What was logged, one line each. */
export class LogLines extends Logger {
  readonly lines: string[] = [];

  debug(): void {
    // Not looked at.
  }

  info(message: string): void {
    this.lines.push(`info ${message}`);
  }

  warn(message: string, facts?: object): void {
    this.lines.push(`warn ${message} ${JSON.stringify(facts ?? {})}`);
  }

  error(message: string, facts?: object): void {
    this.lines.push(`error ${message} ${JSON.stringify(facts ?? {})}`);
  }
}

/** A runner of an agent with these tools, whose model follows a script. */
export interface ScriptedRunner {
  readonly runner: Runner;
  readonly model: ScriptedModel;
  readonly log: LogLines;
  /** Sends one message of the conversation. */
  readonly run: (userId?: string) => Promise<RunResult>;
}

export async function startRunner(
  tools: readonly ToolSource[],
  steps: readonly ScriptedStep[],
  options: CreateRunnerOptions = {},
): Promise<ScriptedRunner> {
  @agent({ name: 'clerk', description: '', tools: [...tools] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const log = new LogLines();
  const logging = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(log);
  });
  const runner = await createRunner(Clerk, {
    model,
    ...options,
    modules: [logging, ...(options.modules ?? [])],
  });
  return {
    runner,
    model,
    log,
    run: (userId = 'ada') => runner.run({ userId, sessionId: 's1', message: 'Go.' }),
  };
}

/** The responses of one run to the calls that a model makes in one answer, by tool. */
export async function respond(
  tools: readonly ToolSource[],
  calls: readonly ScriptedStep[],
  options?: CreateRunnerOptions,
): Promise<unknown[]> {
  const { runner, run } = await startRunner(tools, [...calls, says('Done.')], options);
  try {
    return responsesIn(await run());
  } finally {
    await runner.close();
  }
}

/** The tools of a toolset, as a runner asks for them. */
export function listTools(toolset: Toolset): Promise<readonly Tool[]> {
  const { signal } = new AbortController();
  const context = { appName: 'spec', userId: 'ada', logger: new LogLines(), signal };
  return Promise.resolve(toolset.listTools(context as unknown as ToolsetContext));
}

/** The responses to calls, oldest first. */
export function responsesIn({ events }: Pick<RunResult, 'events'>): unknown[] {
  return events.flatMap(({ functionResponses }) => functionResponses).map(({ response }) => response);
}

/** The names of the tools in each request of a model. */
export function namesIn(model: ScriptedModel): string[][] {
  return model.requests.map(({ config }) =>
    ((config.tools ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
    ),
  );
}

/** True while a process of this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that has ended and whose parent has not noticed yet does not run.
  const stat = `/proc/${String(pid)}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

/** Resolves once a process has ended. */
export async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await setTimeout(10);
}
