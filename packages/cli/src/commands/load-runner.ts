import { createRunner, type Runner } from 'adorn';

import { loadApplication } from '../application/load-application.js';
import { refuseOptionsOfRunner } from '../application/runner-of.js';
import { requireStore } from '../files/missing-store.js';
import type { WorkInProgress } from '../terminal/work-in-progress.js';

/** The options of a command that loads an application without calling a model. */
export interface LoadOptions {
  readonly app?: string | undefined;
  readonly store?: string | undefined;
  /** True for a command that may begin a store: a SQLite file that is not there is created. Default: false, it is an error. */
  readonly createsStore?: boolean;
  /** True if the file may export a runner beside these options, which has a name and a store of its own. Default: false. */
  readonly allowsRunner?: boolean;
  /** Shows that the application is loaded. Default: nothing is shown. */
  readonly working?: WorkInProgress;
}

/**
 * Creates the runner of an application. No API key is needed, because no model is called.
 *
 * @param bin the URL of the command
 * @throws {UsageError} for options of an application that exports its own runner, and for a store that is not there
 */
export async function loadRunner(
  file: string,
  bin: string,
  { app, store, createsStore = false, allowsRunner = false, working }: LoadOptions,
): Promise<Runner<unknown>> {
  const { env } = process;
  const isVertex = env['GOOGLE_GENAI_USE_VERTEXAI'] !== undefined;
  const keys = [env['GOOGLE_API_KEY'], env['GEMINI_API_KEY']];
  const hasKey = keys.some((key) => key !== undefined && key !== '');
  if (!isVertex && !hasKey) env['GEMINI_API_KEY'] = 'not-used';
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
  return createRunner(application.agent, { ...(app !== undefined && { appName: app }), modules });
}
