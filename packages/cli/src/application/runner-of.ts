import { type ContainerModule, createRunner, type Plugin, type Runner } from 'adorn';

import { chooseModel } from 'adorn/main';
import { UsageError } from '../usage.error.js';
import type { Application } from './load-application.js';

/** The options of a command that runs an application. */
export interface RunnerChoice {
  readonly model?: string | undefined;
  readonly app?: string | undefined;
  readonly store?: string | undefined;
  /** Plugins of the command. An exported runner has only its own. */
  readonly plugins?: readonly Plugin[] | undefined;
}

/**
 * The runner of an application, with the model that the options or the environment choose.
 *
 * @param tell is given the line that names the model
 * @throws {UsageError} for options of an application that exports its own runner
 */
export async function runnerOf(
  application: Application,
  file: string,
  { app: appName, model: modelName, store, plugins }: RunnerChoice,
  tell: (line: string) => void = console.log,
): Promise<Runner<unknown>> {
  if (application.kind === 'runner') {
    refuseOptionsOfRunner(file, { model: modelName, app: appName, store });
    return application.runner;
  }
  const { model, line } = chooseModel(process.env, modelName);
  tell(line);
  const modules = [...application.modules, ...(await storeModules(store))];
  return createRunner(application.agent, { appName, model, modules, plugins, config: { streaming: 'sse' } });
}

/**
 * Refuses options that a file leaves no room for, because it exports its own runner.
 *
 * @throws {UsageError}
 */
export function refuseOptionsOfRunner(file: string, options: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined)?.[0];
  if (given === undefined) return;
  throw new UsageError(
    `${file} exports a runner, which has its own ${given}. Leave --${given} out, or export the agent class.`,
  );
}

/** Storage is loaded only where it is asked for: it brings the drivers of databases. */
async function storeModules(url: string | undefined): Promise<ContainerModule[]> {
  if (url === undefined) return [];
  const { sqlStorage } = await import('@adorn/storage');
  return [sqlStorage(url)];
}
