import { createRunner, type Runner } from 'adorn';
import { skipModelChecks } from '@adorn/core/backend';

import { loadApplication } from '../application/load-application.js';
import { refuseOptionsOfRunner } from '../application/runner-of.js';
import { requireStore } from '../files/missing-store.js';
import type { WorkInProgress } from '../terminal/work-in-progress.js';

/** The options of a command that loads an application and creates its runner. */
export interface LoadOptions {
  readonly app?: string | undefined;
  readonly store?: string | undefined;
  /** True for a command that may begin a store: a SQLite file that is not there is created. Default: false, it is an error. */
  readonly createsStore?: boolean;
  /** True for a command that runs agents: a model without its API key is an error at once. Default: false. */
  readonly callsModels?: boolean;
  /** True if the file may export a runner beside these options, which has a name and a store of its own. Default: false. */
  readonly allowsRunner?: boolean;
  /** Shows that the application is loaded. Default: nothing is shown. */
  readonly working?: WorkInProgress;
}

/**
 * Creates the runner of an application. No API key is needed, unless the command calls models.
 *
 * @param bin the URL of the command
 * @throws {UsageError} for options of an application that exports its own runner, and for a store that is not there
 */
export async function loadRunner(
  file: string,
  bin: string,
  { app, store, createsStore = false, callsModels = false, allowsRunner = false, working }: LoadOptions,
): Promise<Runner<unknown>> {
  using _skipped = callsModels ? undefined : skipModelChecks();
  working?.on(`Loading ${file === '.' ? 'the application' : file}`);
  const application = await loadApplication(file, bin);
  if (application.kind === 'runner') {
    if (!allowsRunner) refuseOptionsOfRunner(file, { app, store });
    return application.runner;
  }
  const modules = [...application.modules];
  if (store !== undefined) {
    if (!createsStore) await requireStore(store);
    const { sqlStorage } = await import('@adorn/storage');
    modules.push(sqlStorage(store));
  }
  // Awaited here: until then no model is checked.
  return await createRunner(application.agent, { ...(app !== undefined && { appName: app }), modules });
}
