import type { Event } from './event.js';

/** Where in an agent tree an event was made. Other ADKs add fields, which are kept. */
export interface NodeInfo {
  /**
   * The agents' names from the root down, joined by `/`. The second run of a child within one run of its parent has `@2`
   * after its name, and so on.
   */
  readonly path?: string;
}

/** The path of the agent run that made an event; undefined for messages of users and in logs without paths. */
export function runPathOf({ nodeInfo }: Event): string | undefined {
  const path: unknown = nodeInfo?.path;
  return typeof path === 'string' ? path : undefined;
}

const RUN_NUMBER = /@\d+/g;

/** The path of an agent in its tree: the path of a run, without the numbers of runs. */
export function nodePathOf(runPath: string): string {
  return runPath.includes('@') ? runPath.replace(RUN_NUMBER, '') : runPath;
}

/** The name of the agent at a path, without the number of its run. */
export function agentNameOf(path: string): string {
  return nodePathOf(path.slice(path.lastIndexOf('/') + 1));
}

/** The name of the root of the tree that a path leads through. */
export function rootNameOf(path: string): string {
  return nodePathOf(path.split('/', 1)[0] ?? '');
}

/** The path of the n-th run of a child within a run of its parent. */
export function childRunPath(parent: string, name: string, number: number): string {
  return number === 1 ? `${parent}/${name}` : `${parent}/${name}@${String(number)}`;
}

/** True if a path is that of a run or of one below it. */
export function isWithin(path: string, run: string): boolean {
  return path === run || path.startsWith(`${run}/`);
}

/**
 * The scope (`isolationScope`) of the events of an agent that a call runs as a tool. It contains the id of the event too,
 * because models reuse call ids.
 */
export function toolScope(eventId: string, callId: string): string {
  return `${eventId}/${callId}`;
}

/** The id of the call that a scope belongs to. */
export function callOfScope(scope: string): string {
  return scope.slice(scope.indexOf('/') + 1);
}

/** The id of the run that an event belongs to. The events of an agent that runs as a tool have an id derived from it. */
export function runIdOf({ invocationId, isolationScope }: Event): string {
  return isolationScope === undefined ? invocationId : (invocationId.split('.sub.', 1)[0] ?? invocationId);
}
