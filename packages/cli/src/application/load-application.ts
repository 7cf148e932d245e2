import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type AgentClass, AdornError, type ContainerModule, type Runner } from '@adorn/core';
import { isAgentClass } from '@adorn/core/backend';

import { CommandFailedError } from '../command-failed.error.js';
import { UsageError } from '../usage.error.js';
import { findFile } from './find-file.js';

/** The exports of an application: an agent with its modules, or a runner. */
export type Application =
  | {
      readonly kind: 'agent';
      readonly agent: AgentClass<unknown>;
      readonly modules: readonly ContainerModule[];
    }
  | { readonly kind: 'runner'; readonly runner: Runner<unknown> };

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads the application of a path. Its file exports a runner, as default or as the only one, or an agent class, as
 * default or as the only one; a person chooses among several. The optional export `modules` lists the modules of the
 * agent.
 *
 * @param bin the URL of the command
 * @throws {NothingExportedError} if it exports nothing: it may be a program, which has done its work
 * @throws {UsageError} if there is no such file, or it exports neither a runner nor an agent
 * @throws {CommandFailedError} if it cannot be imported
 */
export async function loadApplication(path: string, bin: string): Promise<Application> {
  const file = findFile(path);
  if (/\.m?ts$/.test(file)) await loadTypeScript(file, bin);
  // An error of the application is at a line of its source.
  process.setSourceMapsEnabled(true);
  const exports = await importFile(file, path);
  const values = await Promise.all(Object.entries(exports).map(settled));
  const runners = new Map(values.filter((entry): entry is [string, Runner<unknown>] => isRunner(entry[1])));
  const runner = onlyOne(runners);
  if (runner) return { kind: 'runner', runner };
  const agents = new Map(
    values.filter((entry): entry is [string, AgentClass<unknown>] => isAgentClass(entry[1])),
  );
  const modules = modulesOf(exports, path);
  const agent = onlyOne(agents) ?? (agents.size > 0 ? await chooseAgent(path, agents) : undefined);
  if (agent) return { kind: 'agent', agent, modules };
  const names = Object.keys(exports);
  if (names.length === 0) throw new NothingExportedError(path);
  throw new UsageError(noApplicationIn(path, names.join(', ')));
}

function noApplicationIn(path: string, exported: string): string {
  return `${path} exports no agent and no runner, but ${exported}. Export a class that extends LlmAgent or another agent, or the result of createRunner.`;
}

/** A file that was loaded exports nothing. */
export class NothingExportedError extends UsageError {
  constructor(path: string) {
    super(noApplicationIn(path, 'nothing'));
  }
}

/** After so many milliseconds a file may be one that waits while it is imported. */
const SLOW_MS = 10_000;

async function importFile(file: string, path: string): Promise<Exports> {
  const slow = setTimeout(() => {
    process.stderr.write(
      `${path} is still being loaded. One that starts a server or a worker when it is imported may never end: ` +
        'name the file that exports the agent.\n',
    );
  }, SLOW_MS);
  try {
    return (await import(pathToFileURL(file).href)) as Exports;
  } catch (error) {
    if (AdornError.is(error)) throw error;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    throw new CommandFailedError(
      `${path} could not be loaded: ${name}: ${message}${placeOf(error)}. ${cureOf(name, message)}`,
      { cause: error },
    );
  } finally {
    clearTimeout(slow);
  }
}

function cureOf(name: string, message: string): string {
  const isEarly = name === 'ReferenceError' && message.endsWith('before initialization');
  if (!isEarly) return 'Correct this file, or the one that it imports.';
  return (
    'Two files import each other, or the class stands below its use. Move what both files need into a third one; ' +
    'an agent does not list its parent, to which it can transfer anyway.'
  );
}

/**
 * The file and line of the application that threw, such as ` (src/orders.ts:12)`. Errors of the syntax have none. A frame that
 * a source map has changed has a path in place of a URL.
 */
function placeOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '') : '';
  const [, place, line] =
    /(?:\(|\bat (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^\s)?]+)[^\s):]*:(\d+):\d+/.exec(frames) ?? [];
  if (place === undefined) return '';
  const path = place.startsWith('file:') ? fileURLToPath(place) : place;
  return ` (${relative('.', path)}:${String(line)})`;
}

/** `export const runner = createRunner(…)` is a promise. */
async function settled([name, value]: [string, unknown]): Promise<[string, unknown]> {
  return [name, value instanceof Promise ? await value : value];
}

function onlyOne<Value>(named: ReadonlyMap<string, Value>): Value | undefined {
  return named.get('default') ?? (named.size === 1 ? [...named.values()][0] : undefined);
}

/** Also a runner of another copy of Adorn, such as that of the project. */
function isRunner(value: unknown): value is Runner<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const { run, ask, pending, close } = value as Partial<Runner>;
  return [run, ask, pending, close].every((method) => typeof method === 'function');
}

function modulesOf({ modules = [] }: Exports, path: string): readonly ContainerModule[] {
  if (Array.isArray(modules) && modules.every(isModule)) return modules;
  throw new UsageError(
    `The \`modules\` that ${path} exports are not a list of modules. Export an array of ContainerModules, as createRunner takes them.`,
  );
}

function isModule(value: unknown): value is ContainerModule {
  return (
    typeof value === 'object' && value !== null && typeof (value as { load?: unknown }).load === 'function'
  );
}

/** Lets the user select one of several agents. Throws an error that lists them if there is no terminal. */
async function chooseAgent(
  path: string,
  agents: ReadonlyMap<string, AgentClass<unknown>>,
): Promise<AgentClass<unknown>> {
  const names = [...agents.keys()];
  const chosen = process.stdin.isTTY ? await pointAt(names) : undefined;
  const agent = chosen === undefined ? undefined : agents.get(chosen);
  if (agent) return agent;
  throw new UsageError(
    `${path} exports several agents: ${names.join(', ')}. Export only the root agent, or export it as default.`,
  );
}

async function pointAt(names: readonly string[]): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select({ message: 'Which agent?', options: names.map((value) => ({ value })) });
  return isCancel(chosen) ? undefined : chosen;
}

/** The loaders of TypeScript that this process has. */
const registered = new Set<string>();

/**
 * Registers a loader of TypeScript, once: the project's own tsx, else Adorn's, which transpiles file by file.
 *
 * @param file the file that will be loaded
 * @param bin the URL of the command, from which the compiler is found
 */
async function loadTypeScript(file: string, bin: string): Promise<void> {
  const tsx = ownTsx(file);
  const loader = tsx ?? '@adorn/compiler';
  if (registered.has(loader)) return;
  registered.add(loader);
  if (tsx === undefined) {
    register('@adorn/compiler/typescript-hooks', bin);
  } else {
    const { register: registerTsx } = (await import(pathToFileURL(tsx).href)) as { register: () => void };
    registerTsx();
  }
}

/** The part of tsx that registers it as ES module; `require.resolve` would find that for CommonJS. */
function ownTsx(file: string): string | undefined {
  try {
    const manifest = createRequire(file).resolve('tsx/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as TsxManifest;
    const entry = exports?.['./esm/api']?.import?.default;
    return entry === undefined ? undefined : join(dirname(manifest), entry);
  } catch {
    return undefined;
  }
}

interface TsxManifest {
  readonly exports?: { readonly './esm/api'?: { readonly import?: { readonly default?: string } } };
}
