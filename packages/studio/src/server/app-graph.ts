import { AdornClientError } from '@adorn/server/client';
import { signal } from '@preact/signals';

import type { JsonSchema } from '../forms/schema.js';
import { optionalJson, routeOf } from './connection.js';

/** A tool of an agent. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly effect?: 'read' | 'write' | 'destructive' | undefined;
  readonly parameters?: JsonSchema | undefined;
  /** The gates and policies of its calls: `confirm` (`confirm?` if it depends on the call), `auth`, `retry` and so on. */
  readonly gates: readonly string[];
  readonly untrusted: boolean;
  readonly sensitive: boolean;
}

/** An agent of the tree. */
export interface AgentEntry {
  readonly name: string;
  /** The names of the agents from the root down, joined by `/`. */
  readonly path: string;
  readonly model?: string | undefined;
  /** The agents that it may transfer to or call. */
  readonly transfers: readonly string[];
  /** True if its parent calls it as a tool. */
  readonly isCalled: boolean;
  readonly tools: readonly AgentTool[];
  readonly subAgents: readonly AgentEntry[];
}

/** A way of an untrusted result to a sensitive call. */
export interface UntrustedPath {
  readonly from: { readonly agent: string; readonly tool: string };
  readonly to: { readonly agent: string; readonly tool: string };
}

/** The agents of an application. */
export interface AppGraph {
  readonly root: AgentEntry;
  /** All agents, parents first. */
  readonly agents: readonly AgentEntry[];
  readonly untrustedPaths: readonly UntrustedPath[];
}

/** What the server answers. */
interface GraphJson {
  readonly agent: GraphAgentJson;
  readonly untrustedPaths?: readonly UntrustedPath[];
}
interface GraphAgentJson extends Omit<AgentEntry, 'tools' | 'subAgents'> {
  readonly tools: readonly Pick<AgentTool, 'name' | 'gates' | 'untrusted' | 'sensitive'>[];
  readonly subAgents: readonly GraphAgentJson[];
}
interface ToolJson extends Pick<AgentTool, 'name' | 'description' | 'effect'> {
  readonly untrusted?: boolean;
  readonly sensitive?: boolean;
  readonly declaration?: { readonly parameters?: JsonSchema; readonly parametersJsonSchema?: JsonSchema };
}

/** The graph of the application on the page; undefined while it is loaded, and where the server does not tell. */
export const graph = signal<AppGraph | undefined>(undefined);

/** False for who uses the application only: the server refuses what is for its developers. */
export const isDeveloper = signal(true);

/** Loads the graph of an application. */
export async function loadGraph(app: string): Promise<void> {
  try {
    graph.value = await readGraph(app);
    isDeveloper.value = true;
  } catch (error) {
    graph.value = undefined;
    isDeveloper.value = !(error instanceof AdornClientError && error.status === 403);
  }
}

async function readGraph(app: string): Promise<AppGraph | undefined> {
  const found = await optionalJson<GraphJson>(routeOf(app, '/graph'));
  if (!found) return undefined;
  const root = await agentEntry(app, found.agent);
  return { root, agents: flat(root), untrustedPaths: found.untrustedPaths ?? [] };
}

async function agentEntry(app: string, agent: GraphAgentJson): Promise<AgentEntry> {
  const url = routeOf(app, `/tools?agent=${encodeURIComponent(agent.name)}`);
  const listed = agent.model === undefined ? [] : await optionalJson<ToolJson[]>(url).catch(() => undefined);
  const tools = listed ? listed.map((tool) => listedTool(tool, agent)) : agent.tools.map(unlistedTool);
  return {
    ...agent,
    tools,
    subAgents: await Promise.all(agent.subAgents.map((child) => agentEntry(app, child))),
  };
}

function listedTool(tool: ToolJson, agent: GraphAgentJson): AgentTool {
  const { name, description, effect, declaration, untrusted = false, sensitive = false } = tool;
  const gates = agent.tools.find((known) => known.name === name)?.gates ?? [];
  const parameters = declaration?.parametersJsonSchema ?? declaration?.parameters;
  return { name, description, effect, parameters, gates, untrusted, sensitive };
}

function unlistedTool(tool: GraphAgentJson['tools'][number]): AgentTool {
  return { ...tool, description: '' };
}

function flat(agent: AgentEntry): AgentEntry[] {
  return [agent, ...agent.subAgents.flatMap(flat)];
}

/** The tool of the name, of the agent if it has one. */
export function findTool(name: string, agent?: string): AgentTool | undefined {
  const agents = graph.value?.agents ?? [];
  const own = agents.find((one) => one.name === agent)?.tools.find((tool) => tool.name === name);
  return own ?? agents.flatMap(({ tools }) => tools).find((tool) => tool.name === name);
}
