import type { Runner, Session } from '@adorn/core';
import {
  agentsIn,
  modelNamesIn,
  type ServiceToken,
  suggestName,
  type ToolEffect,
  type ToolTraits,
} from '@adorn/core/backend';
import { factsOfSession, type FoundFact } from '@adorn/evidence';

/** One run of a tool's body. */
export interface ToolExecution {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What a service that takes such a key knows the call by: the same for each attempt of a call. */
  readonly idempotencyKey: string;
  /** `returned`: it had its effect. `failed`: it threw. `killed`: its process ended while it ran. */
  ended: 'returned' | 'failed' | 'killed';
}

/** What is known of a tool: its options, and whether it asks. */
export interface EvalTool extends ToolTraits {
  /** True if calls ask for an approval, or some may, by `confirm`, `approvers` or the effect `destructive`. */
  readonly mayAskFirst: boolean;
}

/** A conversation as gates see it: one that was played, or a stored one. */
export interface EvalConversation {
  readonly session: Session;
  /** What the log says of who asked, what was called, who answered, and what ran; also what was undone later. */
  readonly facts: readonly FoundFact[];
  /** The options of the tools, by their names, as far as the runner knows them. */
  readonly tools: ReadonlyMap<string, EvalTool>;
  /** The names of models by the names of agents, for answers that do not say which model gave them. */
  readonly models: ReadonlyMap<string, string>;
  /** Each run of a tool, also of a process that was killed, in their order. Undefined for a stored conversation. */
  readonly executions?: readonly ToolExecution[];
  /** Returns a service of the runner, such as the stand-in for a bank that a tool pays with. */
  readonly get: <Service>(token: ServiceToken<Service>) => Service;
}

/** A conversation from a session. */
export function conversationOf(
  runner: Runner<unknown>,
  session: Session,
  more: Pick<EvalConversation, 'tools' | 'executions'>,
): EvalConversation {
  return {
    session,
    facts: factsOfSession(session),
    models: modelNamesIn(runner.root),
    ...more,
    get: (token) => runner.get(token),
  };
}

/** The options of the tools of all agents of a runner. A toolset that cannot be listed is left out. */
export async function toolsOf(runner: Runner<unknown>): Promise<ReadonlyMap<string, EvalTool>> {
  const found = new Map<string, EvalTool>();
  for (const agent of agentsIn(runner.root)) {
    const tools = await runner.tools({ agent: agent.name }).catch(() => []);
    for (const { name, traits, mayAskFirst } of tools) found.set(name, { ...traits, mayAskFirst });
  }
  return found;
}

/** True for one of the named tools; without names, for a tool with one of the effects. */
export function isToolOf(
  tool: string,
  {
    names,
    effects,
  }: { readonly names: readonly string[] | undefined; readonly effects: readonly ToolEffect[] },
  { tools }: Pick<EvalConversation, 'tools'>,
): boolean {
  if (names) return names.includes(tool);
  const { effect } = tools.get(tool) ?? {};
  return effect !== undefined && effects.includes(effect);
}

/** @throws {Error} for a tool that the runner does not have: a gate for it would never find anything */
export function requireTools(
  names: readonly string[] | undefined,
  { tools }: Pick<EvalConversation, 'tools'>,
): void {
  for (const name of names ?? [])
    if (!tools.has(name))
      throw new Error(`There is no tool ${name}. ${suggestName(name, new Set(tools.keys()))}`);
}
