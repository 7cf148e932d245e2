import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import type { Runner } from 'adorn';
import { Command } from 'commander';

import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { UsageError } from '../usage.error.js';
import { restartOnChange } from '../watch/restart-on-change.js';
import { closeOnSignal } from './run.command.js';

interface WebOptions {
  readonly bind: string;
  readonly authToken?: string;
  readonly allowOrigins?: string;
  readonly dangerouslyAllowUnauthenticatedRemote?: boolean;
  readonly ui?: string;
  readonly model?: string;
  readonly app?: string;
  readonly store?: string;
  readonly watch?: boolean;
}

/** Keeps the token over the restarts of a watched server, so that an open page stays signed in. */
const TOKEN = 'ADORN_WEB_TOKEN';

/**
 * `adorn web`: agents over HTTP, with a page.
 *
 * @param bin the URL of the command, which a watched server starts again
 */
export function webCommand(bin: string): Command {
  return new Command('web')
    .description('serve agents over HTTP, with a page to talk to them')
    .argument('[files...]', '.js or .ts files that export an agent or a runner, or folders that hold one', [
      '.',
    ])
    .option('--bind <host:port>', 'the address to listen at', '127.0.0.1:8000')
    .option('--auth-token <token>', 'the secret that requests carry (default: a new one at each start)')
    .option('--allow-origins <origins>', 'origins of other pages that may call, separated by commas')
    .option('--dangerously-allow-unauthenticated-remote', 'serve everybody who reaches the address')
    .option(
      '--ui <page>',
      "adk for Google's page, if @google/adk-devtools is installed (default: the studio)",
    )
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://… (default: none)')
    .option('--model <name>', "a model; offline, or own for the agent's (default: by the environment)")
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--watch', 'restart when a file of the application changes')
    .addHelpText('after', AFTER)
    .action((files: string[], options: WebOptions) =>
      options.watch === true ? watch(bin, options) : web(files, bin, options),
    );
}

const AFTER = `
The address that is printed has the token of this start: open it once, and the page keeps it in a cookie. Requests of
other programs send it as "Authorization: Bearer …".

Examples:
  $ adorn web                        # the agent of this folder
  $ adorn web src/support.agent.ts src/sales.agent.ts --watch
  $ adorn web . --ui adk             # npm install --save-dev @google/adk-devtools
`;

function watch(bin: string, { authToken }: WebOptions): Promise<void> {
  const token = authToken ?? randomBytes(24).toString('base64url');
  return restartOnChange(bin, [], { ...process.env, [TOKEN]: token });
}

async function web(files: readonly string[], bin: string, options: WebOptions): Promise<void> {
  const { serve } = await import('@adorn/server');
  const { host, port } = readAddress(options.bind);
  const adkPage = options.ui === undefined ? undefined : adkPageFolder(options.ui);
  const isOpen = options.dangerouslyAllowUnauthenticatedRemote;
  const runners: Runner<unknown>[] = [];
  try {
    for (const file of files) runners.push(await runnerOf(await loadApplication(file, bin), file, options));
    const server = await serve(runners, {
      ...{ host, port, adkPage },
      token: options.authToken ?? process.env[TOKEN],
      allowedOrigins: options.allowOrigins?.split(',').map((origin) => origin.trim()),
      dangerouslyAllowUnauthenticatedRemote: isOpen,
    });
    const close = async (): Promise<void> => {
      await server.close();
      await closeAll(runners);
    };
    closeOnSignal({ close });
    console.log(`Serving ${runners.map(({ appName }) => appName).join(', ')} at ${server.pageUrl}`);
  } catch (error) {
    await closeAll(runners);
    throw error;
  }
}

async function closeAll(runners: readonly Runner<unknown>[]): Promise<void> {
  await Promise.all(runners.map((runner) => runner.close()));
}

/** `127.0.0.1:8000`, `[::1]:8000`, `8000` or `localhost`. */
function readAddress(bind: string): { readonly host: string; readonly port: number } {
  const [, host, digits] =
    /^(?:(\[[^\]]+\]|[^:]+?)(?::|$))?(\d{1,5})?$/.exec(/^\d+$/.test(bind) ? `127.0.0.1:${bind}` : bind) ?? [];
  if (host === undefined)
    throw new UsageError(`--bind is "${bind}". Pass an address, such as 127.0.0.1:8000.`);
  return { host, port: Number(digits ?? 8000) };
}

/** The built page of Google's development tools, which the project has installed. */
function adkPageFolder(ui: string): string {
  if (ui !== 'adk') throw new UsageError(`--ui is "${ui}". Pass adk, or leave it out for the studio.`);
  // The package exports no path of its folder.
  const places = createRequire(resolve('package.json')).resolve.paths('@google/adk-devtools') ?? [];
  const folders = places.map((place) => join(place, '@google/adk-devtools/dist/browser'));
  const found = folders.find((folder) => existsSync(join(folder, 'index.html')));
  if (found !== undefined) return found;
  throw new UsageError("Google's page is not installed. Run npm install --save-dev @google/adk-devtools.");
}
