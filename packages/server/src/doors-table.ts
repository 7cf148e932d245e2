import type { Runner } from '@adorn/core';
import { type AgentGraph, agentGraph, type GraphTool } from '@adorn/core/compiler';

/** What decides who comes through the doors of a server. */
export interface DoorFacts {
  /** True if `authenticate` says who sent a request; else the token does, or nobody. */
  readonly isAuthenticated: boolean;
  readonly hasToken: boolean;
  /** True if peers are served over A2A. */
  readonly hasPeers: boolean;
  /** The paths whose requests say by signatures who sent them. Default: none. */
  readonly endpoints?: readonly string[];
}

/**
 * A table for the log: which doors an application has, whom each lets in, and who answers what its tools ask. Toolsets are not asked for
 * their tools.
 */
export function doorsTable(runner: Runner<unknown>, facts: DoorFacts): string {
  const user = userAt(facts);
  const rows: Row[] = [
    ['door', 'for', 'may'],
    ['/run, /run_sse, /run_live, /adorn/…/runs, AG-UI, useChat', user, 'talk and answer in the own sessions'],
    ['/adorn/…/requests, /adorn/…/inbox', user, 'answer in all sessions what approvers allow'],
    ['/adorn/…/calls, fork, rewind, export, import, graph', developerAt(facts), 'call tools, see the inside'],
  ];
  if (facts.hasPeers) rows.push(['/a2a', user, 'run tasks and answer them; a handler of its own may decide']);
  for (const path of facts.endpoints ?? [])
    rows.push([path, 'who signs its requests', 'begin runs and answer, as the endpoint says']);
  const asking = toolsOf(agentGraph(runner.root)).filter(isAsking);
  const tools = asking.map(({ name, approvers }): Row => [name, approvers ?? 'the requester', '']);
  const listed = tools.length === 0 ? [] : aligned([['tool that asks', 'is answered by', ''], ...tools]);
  return [`who may do what in "${runner.appName}"`, ...aligned(rows), ...listed].join('\n');
}

function userAt({ isAuthenticated, hasToken }: DoorFacts): string {
  if (isAuthenticated) return 'whom authenticate names';
  return hasToken ? 'the holder of the token, as any user' : 'anybody, as any user';
}

function developerAt({ isAuthenticated, hasToken }: DoorFacts): string {
  if (isAuthenticated) return 'a principal with isDeveloper';
  return hasToken ? 'the holder of the token' : 'anybody';
}

type Row = readonly [string, string, string];

function toolsOf({ tools, subAgents }: AgentGraph): readonly GraphTool[] {
  const all = [...tools, ...subAgents.flatMap(toolsOf)];
  return [...new Map(all.map((tool) => [tool.name, tool])).values()];
}

function isAsking({ gates }: GraphTool): boolean {
  return gates.includes('confirm') || gates.includes('confirm?');
}

function aligned(rows: readonly Row[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [first, second] = [width(0), width(1)];
  return rows.map(([a, b, c]) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd());
}
