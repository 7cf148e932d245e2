import { pathToFileURL } from 'node:url';

import type { AgentClass } from '@adorn/core';
import { isAgentClass } from '@adorn/core/backend';

import { UsageError } from '../usage.error.js';
import { chooseAgent } from './choose-agent.js';
import { findAgentFile } from './find-agent-file.js';

/**
 * The root agent that a module exports: its default, else the only one, else the one that a person chooses.
 *
 * @throws {UsageError} where there is no such module, or no agent in it
 */
export async function loadAgent(path: string): Promise<AgentClass<unknown>> {
  const file = findAgentFile(path);
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const agents = new Map(
    Object.entries(module).filter((entry): entry is [string, AgentClass<unknown>] => isAgentClass(entry[1])),
  );
  const root = agents.get('default') ?? (agents.size === 1 ? [...agents.values()][0] : undefined);
  if (root !== undefined) return root;
  if (agents.size > 0) return chooseAgent(path, agents);
  const exported = Object.keys(module).join(', ') || 'nothing';
  throw new UsageError(
    `${path} exports no agent, but ${exported}. Export a class that extends LlmAgent or another agent.`,
  );
}
