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

/**
 * The branch of one of the runs that a run begins side by side: `{label}.{index}`, below the branch of that run. The label
 * of a later run of the same agent has the numbers of the runs, and that of its n-th group of runs `#n`, so that no two
 * groups of an invocation have the same branches: `research.0`, `research@2.0`, `research#2.0`.
 *
 * @param path the path from the run that began the branch of the parent down to the parent: `loop/research@2`
 * @param group which group of the parent's runs it is, from 1
 */
export function branchLabel(name: string, path: string, group: number): string {
  const numbers = path.split('/').map((part) => part.slice(nodePathOf(part).length) || '@1');
  const first = numbers.findIndex((number) => number !== '@1');
  const runs = first === -1 ? '' : numbers.slice(first).join('');
  return group === 1 ? `${name}${runs}` : `${name}${runs}#${String(group)}`;
}

const LABEL_NUMBER = /[@#]\d+/g;

/** A branch without the numbers of runs and groups: the same for each round of a loop. */
export function branchPlace(branch: string): string {
  return branch.replace(LABEL_NUMBER, '');
}

/**
 * True if two branches differ first behind a common label: `news.0` and `news.1`, `desk.left` and `desk.right`. Their runs
 * were begun side by side. Branches with different labels, such as `first.0` and `second.0`, were begun one after another.
 */
export function isBesideBranch(branch: string, other: string): boolean {
  const parts = branch.split('.');
  const others = other.split('.');
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at > 0 && at < others.length && !INDEX.test(parts[at - 1] ?? '');
}

const INDEX = /^\d+$/;

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
