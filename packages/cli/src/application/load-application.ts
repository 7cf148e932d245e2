import { pathToFileURL } from 'node:url';

import type { AgentClass, ContainerModule, Runner } from '@adorn/core';
import { isAgentClass } from '@adorn/core/backend';

import { UsageError } from '../usage.error.js';
import { chooseAgent } from './choose-agent.js';
import { findFile } from './find-file.js';
import { loadTypeScript } from './load-typescript.js';

/** What a file exports to be talked to: an agent with the modules it needs, or a runner that is made already. */
export type Application =
  | {
      readonly kind: 'agent';
      readonly agent: AgentClass<unknown>;
      readonly modules: readonly ContainerModule[];
    }
  | { readonly kind: 'runner'; readonly runner: Runner<unknown> };

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads the application that a path means. A file exports a runner, as default or as the only one; or an agent class, as
 * default, as the only one, or the one that a person chooses. `modules`, if exported, are those that the agent needs.
 *
 * @param bin the URL of the command
 * @throws {UsageError} if there is no such file, or neither a runner nor an agent in it
 */
export async function loadApplication(path: string, bin: string): Promise<Application> {
  const file = findFile(path);
  if (/\.m?ts$/.test(file)) await loadTypeScript(file, bin);
  const exports = (await import(pathToFileURL(file).href)) as Exports;
  const values = await Promise.all(Object.entries(exports).map(settled));
  const runners = new Map(values.filter((entry): entry is [string, Runner<unknown>] => isRunner(entry[1])));
  const runner = onlyOne(runners);
  if (runner !== undefined) return { kind: 'runner', runner };
  const agents = new Map(
    values.filter((entry): entry is [string, AgentClass<unknown>] => isAgentClass(entry[1])),
  );
  const modules = modulesOf(exports, path);
  const agent = onlyOne(agents) ?? (agents.size > 0 ? await chooseAgent(path, agents) : undefined);
  if (agent !== undefined) return { kind: 'agent', agent, modules };
  const names = Object.keys(exports).join(', ') || 'nothing';
  throw new UsageError(
    `${path} exports no agent and no runner, but ${names}. Export a class that extends LlmAgent or another agent, or what createRunner gives.`,
  );
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
