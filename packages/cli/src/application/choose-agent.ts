import type { AgentClass } from '@adorn/core';

import { UsageError } from '../usage.error.js';

/** Of several agents the one a person points at. Where nobody can, that is an error that names them. */
export async function chooseAgent(
  path: string,
  agents: ReadonlyMap<string, AgentClass<unknown>>,
): Promise<AgentClass<unknown>> {
  const names = [...agents.keys()];
  const chosen = process.stdin.isTTY ? await pointAt(names) : undefined;
  const agent = chosen === undefined ? undefined : agents.get(chosen);
  if (agent !== undefined) return agent;
  throw new UsageError(
    `${path} exports ${names.join(', ')}, and none as default. Export the root agent alone, or as default.`,
  );
}

async function pointAt(names: readonly string[]): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select({ message: 'Which agent?', options: names.map((value) => ({ value })) });
  return isCancel(chosen) ? undefined : chosen;
}
