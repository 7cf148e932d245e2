import type { AgentClass } from '@adorn/core';

import { UsageError } from '../usage.error.js';

/** Lets the user select one of several agents. Throws an error that lists them if there is no terminal. */
export async function chooseAgent(
  path: string,
  agents: ReadonlyMap<string, AgentClass<unknown>>,
): Promise<AgentClass<unknown>> {
  const names = [...agents.keys()];
  const chosen = process.stdin.isTTY ? await pointAt(names) : undefined;
  const agent = chosen === undefined ? undefined : agents.get(chosen);
  if (agent !== undefined) return agent;
  throw new UsageError(
    `${path} exports several agents: ${names.join(', ')}. Export only the root agent, or export it as default.`,
  );
}

async function pointAt(names: readonly string[]): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select({ message: 'Which agent?', options: names.map((value) => ({ value })) });
  return isCancel(chosen) ? undefined : chosen;
}
