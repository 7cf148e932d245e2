import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

import type { EvalOptions } from '@adorn/server';
import type { Runner } from 'adorn';

import { closeOnSignal } from '../application/close-on-signal.js';
import { findFiles } from '../application/find-file.js';
import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { count, flag, type Parameters, text, texts, type ValuesOf } from '../command/parameter.js';
import { json, STORE_OPTIONS } from '../command/shared-parameters.js';
import { CommandFailedError } from '../command-failed.error.js';
import { judgeOf } from '../judge.js';
import type { Output } from '../terminal/palette.js';
import { printJsonLine, printLine } from '../terminal/print.js';
import { UsageError } from '../usage.error.js';
import { restartOnChange } from '../watch/restart-on-change.js';
import type { TraceExport } from '../telemetry/trace-export.js';

const OPTIONS = {
  bind: text('<host:port>', 'the address to listen at (default: 127.0.0.1:8000)', { conflicts: ['port'] }),
  port: count('<port>', 'the port to listen at, at 127.0.0.1: short for --bind', { least: 0, most: 65_535 }),
  authToken: text('<token>', 'the secret that requests carry (default: a new one at each start)'),
  allowOrigins: text('<origins>', 'origins of other pages that may call, separated by commas'),
  dangerouslyAllowUnauthenticatedRemote: flag('serve everybody who reaches the address'),
  ui: text('<page>', "adk for Google's page, if @google/adk-devtools is installed (default: the studio)"),
  store: text('<url>', 'the store of conversations: a SQLite file or postgres://… (default: none)', {
    completes: 'files',
  }),
  model: text('<name>', "a model; offline, or own for the agent's (default: by the environment)"),
  app: STORE_OPTIONS.app,
  a2a: flag('serve the agents to peers too, over A2A at /a2a/<app>, if @adorn/a2a is installed'),
  otlp: text('<url>', 'a collector that gets a trace of each run, such as http://localhost:4318'),
  evals: text('<folder>', 'the folder of eval sets, which the page of adk-web plays', {
    fallback: 'evals',
    completes: 'files',
  }),
  watch: flag('restart when a file of the application changes'),
  json: json('print a line of JSON when it listens: its URL with the token, and the applications'),
} satisfies Parameters;

type WebOptions = ValuesOf<typeof OPTIONS>;

/** Keeps the token over the restarts of a watched server, so that an open page stays signed in. */
const TOKEN = 'ADORN_WEB_TOKEN';

/** `adorn web`: agents over HTTP, with a page. */
export const webCommand = defineCommand({
  name: 'web',
  summary: 'serve agents over HTTP, with a page to talk to them',
  arguments: {
    files: texts(
      '[files...]',
      '.js or .ts files that export an agent or a runner, or folders of such files',
      {
        fallback: ['.'],
        completes: 'files',
      },
    ),
  },
  options: OPTIONS,
  notes: `
The address that is printed has the token of this start: open it once, and the page keeps it in a cookie. Requests of other programs
send it as "Authorization: Bearer …".

All agents of a folder are served: each *.agent.js or *.agent.ts in it or in its build, dist or src, or else its index, agent, main or
app, or else the *.agent files or the file agent of each subfolder. The page offers them by their names.

With --watch the server starts again at the same address when a file that it has loaded changes, and open pages stay signed in; with
--store the conversations go on. A file that was added is served after the next change.`,
  elsewhere: {
    host: '--bind, such as --bind 0.0.0.0:8000',
    'session-service-uri': '--store',
    'artifact-service-uri': '--store',
    'memory-service-uri': '--store',
    'use-local-storage': '--store chats.db',
    'session-db-url': '--store',
    reload: '--watch',
    'reload-agents': '--watch',
    'no-reload': 'nothing: files are watched only with --watch',
    'trace-to-cloud': '--otlp, with the address of a collector',
    'otel-to-cloud': '--otlp, with the address of a collector',
    'eval-storage-uri': '--evals',
    'log-level': 'nothing: a LoggingPlugin of the application logs',
    dir: 'the folder as the argument',
    https: 'nothing: put a proxy in front of it',
    inspect: 'node --inspect node_modules/.bin/adorn web',
    env: 'node --env-file .env node_modules/.bin/adorn web',
  },
  examples: [
    'adorn web                        # the agents of this folder',
    'adorn web agents --watch --store chats.db',
    'adorn web src/support.agent.ts src/sales.agent.ts --watch',
    'adorn web . --ui adk             # npm install --save-dev @google/adk-devtools',
  ],
  run: (values, context) => (values.watch ? watch(context.bin, values) : web(values, context)),
});

function watch(bin: string, { authToken }: WebOptions): Promise<void> {
  const token = authToken ?? randomBytes(24).toString('base64url');
  return restartOnChange(bin, [], { ...process.env, [TOKEN]: token });
}

async function web(
  { files: paths, ...options }: WebOptions & { readonly files: readonly string[] },
  { bin, output, errors, goesOn }: CommandContext,
): Promise<void> {
  const bind = bindOf(options);
  const { host, port } = readAddress(bind);
  const adkPage = options.ui === undefined ? undefined : adkPageFolder(options.ui);
  const isOpen = options.dangerouslyAllowUnauthenticatedRemote;
  const traces = await openTraces(options);
  const people = options.json ? errors : output;
  const runners = await openRunners(paths, options, { bin, traces, people });
  try {
    const { serve } = await import('@adorn/server');
    const server = await serve(runners, {
      ...{ host, port, adkPage },
      token: options.authToken ?? process.env[TOKEN],
      allowedOrigins: options.allowOrigins?.split(',').map((origin) => origin.trim()),
      dangerouslyAllowUnauthenticatedRemote: isOpen,
      a2a: options.a2a,
      evals: await evalsOf(runners, options),
    });
    const close = async (): Promise<void> => {
      await server.close();
      await closeAll(runners);
      await traces?.close();
    };
    closeOnSignal({ close });
    goesOn?.();
    const apps = runners.map(({ appName }) => appName);
    if (options.json) printJsonLine(output, { url: server.pageUrl, apps });
    printLine(people, `Serving ${apps.join(', ')} at ${server.pageUrl}`);
    for (const table of server.doors) printLine(people, table);
    if (options.a2a)
      for (const app of apps)
        printLine(people, `A2A: ${server.url}/a2a/${encodeURIComponent(app)}/.well-known/agent-card.json`);
  } catch (error) {
    await closeAll(runners);
    throw asBindFailure(error, bind);
  }
}

/** Eval sets are files of one folder; of several applications, each has its own below it. */
async function evalsOf(
  runners: readonly Runner<unknown>[],
  { evals, model }: WebOptions,
): Promise<EvalOptions> {
  const { FolderEvalStore } = await import('@adorn/eval');
  const folderOf = (appName: string): string => (runners.length > 1 ? join(evals, appName) : evals);
  return { store: new FolderEvalStore(folderOf), judge: judgeOf(model === 'own' ? undefined : model) };
}

/** OpenTelemetry's SDK is loaded only where it is asked for. */
async function openTraces({ otlp }: WebOptions): Promise<TraceExport | undefined> {
  if (otlp === undefined) return undefined;
  const { TraceExport } = await import('../telemetry/trace-export.js');
  return TraceExport.open(otlp);
}

interface Opening {
  readonly bin: string;
  readonly traces: TraceExport | undefined;
  /** Where the line that names the model is printed. */
  readonly people: Output;
}

/** The runners of all applications. The line that names the model is printed once. */
async function openRunners(
  paths: readonly string[],
  options: WebOptions,
  { bin, traces, people }: Opening,
): Promise<Runner<unknown>[]> {
  const files = [...new Set(paths.flatMap(findFiles))].map((file) => relative('.', file));
  if (options.app !== undefined && files.length > 1) {
    const given = `--app names one application, and there are ${String(files.length)}: ${files.join(', ')}`;
    throw new UsageError(`${given}. Name one file, or leave --app out.`);
  }
  const lines = new Set<string>();
  const opened: { readonly file: string; readonly runner: Runner<unknown> }[] = [];
  try {
    for (const file of files) {
      const application = await loadApplication(file, bin);
      if (traces && application.kind === 'runner')
        lines.add(`${file} exports a runner, which is traced if it has a TelemetryPlugin.`);
      const choice = { ...options, plugins: traces && [traces.plugin] };
      const runner = await runnerOf(application, file, choice, (line) => lines.add(line));
      const twin = opened.find((other) => other.runner.appName === runner.appName);
      opened.push({ file, runner });
      if (twin) throw new UsageError(sameName(runner.appName, twin.file, file));
    }
  } catch (error) {
    await closeAll(opened.map(({ runner }) => runner));
    throw error;
  }
  for (const line of lines) printLine(people, line);
  return opened.map(({ runner }) => runner);
}

function sameName(appName: string, one: string, other: string): string {
  return (
    `${one} and ${other} both hold an application "${appName}". Give one of the agents another name, or serve the ` +
    'files one at a time.'
  );
}

const BIND_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

function asBindFailure(error: unknown, bind: string): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const fault = cause instanceof Error && 'code' in cause ? BIND_FAULTS[String(cause.code)] : undefined;
  if (fault === undefined) return error;
  const cure = 'Pass another by --bind, such as 127.0.0.1:8080, or 127.0.0.1:0 for a free one.';
  return new CommandFailedError(`The address ${bind} ${fault}. ${cure}`, { cause: error });
}

async function closeAll(runners: readonly Runner<unknown>[]): Promise<void> {
  await Promise.all(runners.map((runner) => runner.close()));
}

function bindOf({ bind, port }: WebOptions): string {
  return port === undefined ? (bind ?? '127.0.0.1:8000') : String(port);
}

/**
 * `127.0.0.1:8000`, `[::1]:8000`, `8000` or `localhost`.
 *
 * @throws {UsageError}
 */
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
