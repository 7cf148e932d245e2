import { createRunner, type Runner } from 'adorn';

import { loadApplication } from '../application/load-application.js';

/** The options of a command that loads an application without calling a model. */
export interface LoadOptions {
  readonly app?: string;
  readonly store?: string;
}

/**
 * Creates the runner of an application. No API key is needed, because no model is called.
 *
 * @param bin the URL of the command
 */
export async function loadRunner(
  file: string,
  bin: string,
  { app, store }: LoadOptions,
): Promise<Runner<unknown>> {
  const { env } = process;
  const isVertex = env['GOOGLE_GENAI_USE_VERTEXAI'] !== undefined;
  if (!isVertex && env['GOOGLE_API_KEY'] === undefined) env['GEMINI_API_KEY'] ??= 'not-used';
  const application = await loadApplication(file, bin);
  if (application.kind === 'runner') return application.runner;
  const modules = [...application.modules];
  if (store !== undefined) {
    const { sqlStorage } = await import('@adorn/storage');
    modules.push(sqlStorage(store));
  }
  return createRunner(application.agent, { ...(app !== undefined && { appName: app }), modules });
}
