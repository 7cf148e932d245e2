import { snakeCase } from '../../tools/tool-name.js';
import { sourceName } from '../../schema/source-name.js';
import { type AgentClass, type AgentOptions, agentOptionsOf, isAgentClass } from '../agent.metadata.js';

/** Workflows without a name of their own. */
const derived = new WeakSet<object>();

/** A name is longer only where it was stated. */
const MAX_LENGTH = 64;

/** The name of an agent: as stated, else that of its class. */
export function agentNameOf(
  target: AgentClass<unknown>,
  options: AgentOptions = agentOptionsOf(target),
): string {
  return options.name ?? snakeCase(sourceName(target));
}

/** The name of a workflow after the agents in it: `draft_review_sequence`; `sequence` where that is too long. */
export function derivedName(kind: string, subAgents: readonly AgentClass<unknown>[]): string {
  const names = subAgents.filter(isAgentClass).map((one) => agentNameOf(one));
  const name = [...names, kind].join('_');
  return name.length > MAX_LENGTH ? kind : name;
}

/** Notes that the name of a class may get a number, where another agent has it. */
export function noteDerivedName(target: AgentClass<unknown>): void {
  derived.add(target);
}

export function hasDerivedName(target: AgentClass<unknown>): boolean {
  return derived.has(target);
}
