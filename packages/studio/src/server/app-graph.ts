import { signal } from '@preact/signals';

import type { JsonSchema } from '../forms/schema.js';
import { optionalJson, routeOf } from './connection.js';

/** A tool of an agent. */
export interface ToolJson {
  readonly name: string;
  readonly description?: string;
  readonly effect?: 'read' | 'write' | 'destructive';
  readonly parameters?: JsonSchema;
  readonly confirm?: boolean | string;
  readonly auth?: boolean;
  readonly longRunning?: boolean;
  readonly untrusted?: boolean;
  readonly sensitive?: boolean;
}

/** An agent of the tree. */
export interface AgentJson {
  readonly name: string;
  readonly kind?: string;
  readonly description?: string;
  readonly model?: string;
  readonly tools?: readonly ToolJson[];
  readonly subAgents?: readonly string[];
}

/** The agents of an application. */
export interface AppGraph {
  readonly root?: string | AgentJson;
  readonly agents: readonly AgentJson[];
  readonly edges?: readonly { readonly from: string; readonly to: string; readonly kind: string }[];
}

/** The graph of the application on the page; undefined while it is loaded, and where the server does not tell. */
export const graph = signal<AppGraph | undefined>(undefined);

/** Loads the graph of an application. */
export async function loadGraph(app: string): Promise<void> {
  const found = await optionalJson<AppGraph>(routeOf(app, '/graph')).catch(() => undefined);
  graph.value = Array.isArray(found?.agents) ? found : undefined;
}

/** The tool of the name, of the agent if it has one. */
export function findTool(name: string, agent?: string): ToolJson | undefined {
  const agents = graph.value?.agents ?? [];
  const own = agents.find((one) => one.name === agent)?.tools?.find((tool) => tool.name === name);
  return own ?? agents.flatMap(({ tools = [] }) => tools).find((tool) => tool.name === name);
}
