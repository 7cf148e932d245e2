import type { ResponseState } from '../gates/call-events.js';
import type { SettledCall } from '../gates/tool-call.js';
import { type AgentNode, superiorOf } from '../run/agent-node.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Steering } from '../log/steering.js';
import { shownName, nearestNames } from '@adorn/schema';
import { transferToAgent } from '../tools/builtin/control-flow.tools.js';
import type { TurnAgent } from './turn-agent.js';

/** The calls, with an error response for each transfer that is not performed, and the agent that takes over. */
export interface ResolvedTransfers {
  readonly settled: readonly SettledCall[];
  /** The target of the first transfer that is allowed, or the agent above after an escalation. */
  readonly successor: AgentNode | undefined;
  /** The successor, if it takes over after an escalation. */
  readonly superior?: AgentNode | undefined;
  /** True if the limit of transfers is reached: the run ends. */
  readonly isOverLimit: boolean;
}

/**
 * Finds the target of each transfer before the response event is made, because the response must not report a transfer
 * that is not performed. The first allowed transfer is performed, unless the run was cancelled or has reached its limit
 * of transfers. While another call of the same answer waits, the transfer is deferred.
 */
export function resolveTransfers(
  agent: TurnAgent,
  { cancellation, budget }: InvocationContext,
  settled: readonly SettledCall[],
  { isPaused, deferred }: ResponseState,
): ResolvedTransfers {
  const earlier = deferred?.transferToAgent;
  if (earlier === undefined && !settled.some(isTransfer)) {
    const isEscalating = deferred?.escalate === true || settled.some(isEscalation);
    const superior = isEscalating && !isPaused && !cancellation.isCancelled ? superiorOf(agent) : undefined;
    if (superior && !budget.spendTransfer()) return { settled, successor: undefined, isOverLimit: true };
    return { settled, successor: superior, superior, isOverLimit: false };
  }
  let chosen: AgentNode | undefined;
  let hindrance = cancellation.isCancelled ? CANCELLED : undefined;
  const choose = (target: AgentNode): void => {
    if (chosen || hindrance !== undefined) return;
    if (isPaused || budget.spendTransfer()) chosen = target;
    else hindrance = OVER_LIMIT;
  };
  const kept = earlier === undefined ? undefined : findTransferTarget(agent, earlier);
  if (kept?.kind === 'found') choose(kept.agent);
  const outcomes = settled.map((one) => {
    const name = one.outcome.kind === 'completed' ? one.call?.context.transferRequested : undefined;
    if (name === undefined) return withRoster(one, agent);
    const target = findTransferTarget(agent, name);
    if (target.kind === 'refused') return refuse(one, target.error);
    choose(target.agent);
    if (hindrance !== undefined) return lose(one, hindrance);
    if (chosen !== target.agent) return overrule(one, `${chosen?.name ?? ''} takes over`);
    return isPaused ? defer(one, target.agent) : one;
  });
  return {
    settled: outcomes,
    successor: isPaused ? undefined : chosen,
    isOverLimit: hindrance === OVER_LIMIT,
  };
}

function isEscalation({ outcome, call }: SettledCall): boolean {
  return outcome.kind === 'completed' && call?.context.isEscalating === true;
}

function isTransfer({ call }: SettledCall): boolean {
  return (
    call !== undefined &&
    (call.context.transferRequested !== undefined || call.entry.tool === transferToAgent())
  );
}

/** Adds the list of agents to the error for a transfer with invalid arguments, such as a missing agent name. */
function withRoster(one: SettledCall, agent: AgentNode): SettledCall {
  const { outcome, call } = one;
  if (outcome.kind !== 'failed' || outcome.invalid !== true || call?.entry.tool !== transferToAgent())
    return one;
  const error = `${String(outcome.response['error'])} ${roster(agent)}`.trimEnd();
  return { ...one, outcome: { ...outcome, response: { ...outcome.response, error } } };
}

const CANCELLED = 'the run was cancelled';
const OVER_LIMIT = 'the run has reached its limit of transfers';

function refuse(one: SettledCall, error: string): SettledCall {
  cancelTransfer(one);
  return { ...one, outcome: { kind: 'failed', response: { error }, error, invalid: true } };
}

function overrule(one: SettledCall, reason: string): SettledCall {
  one.call?.invocation.services.logger.warn(
    'a control action of a tool was overridden by a stronger one of the same turn',
    { callId: one.id, transferToAgent: one.call.context.transferRequested },
  );
  return lose(one, reason);
}

/** Responds with `deferred`, because the transfer may still not be performed. */
function defer(one: SettledCall, { name }: AgentNode): SettledCall {
  const { outcome, call } = one;
  if (outcome.kind !== 'completed' || call?.entry.tool !== transferToAgent()) return one;
  const response = { status: 'deferred', agent: name, until: 'the other calls of this answer are answered' };
  return { ...one, outcome: { ...outcome, response } };
}

/** Reports an error: as the response of `transfer_to_agent`, or as `transferError` in the result of another tool. */
function lose(one: SettledCall, reason: string): SettledCall {
  const { outcome, call } = one;
  if (outcome.kind !== 'completed') return one;
  const error = `transfer not performed: ${reason}`;
  cancelTransfer(one);
  const response =
    call?.entry.tool === transferToAgent() ? { error } : { ...outcome.response, transferError: error };
  return { ...one, outcome: { ...outcome, response } };
}

function cancelTransfer({ call }: SettledCall): void {
  call?.context.cancelTransfer();
}

/** The agent that takes over, or an error message for the model. */
export type TransferTarget =
  | { readonly kind: 'found'; readonly agent: AgentNode }
  | { readonly kind: 'refused'; readonly error: string };

/** Finds the agent that takes over after the actions of an event. */
export function findSuccessor(
  from: AgentNode,
  { transferToAgent: name, escalate }: Steering,
): TransferTarget | undefined {
  if (name === undefined) return undefined;
  const superior = escalate === true ? superiorOf(from) : undefined;
  return superior?.name === name ? { kind: 'found', agent: superior } : findTransferTarget(from, name);
}

/**
 * Finds the target of a transfer: in the agent's own subtree first, then in the whole tree, the nearest agent of that
 * name. A composite runs its sub-agents itself, so no transfer leads into or out of it. The same holds for an agent that
 * its parent calls, except for the call itself. A transfer that is not allowed is an error for the model, and the agent
 * continues.
 */
export function findTransferTarget(from: AgentNode, name: string): TransferTarget {
  if (from.transfer.disabled) return refused(`${from.name} may not transfer; transfer not performed`);
  if (name === from.name) return refused(`${name} cannot transfer to itself; transfer not performed`);
  const below =
    from.subAgents.find((child) => child.name === name && child.transfer.isCalled) ?? findBelow(from, name);
  if (below && !below.transfer.disabled) return { kind: 'found', agent: below };
  const elsewhere =
    transferTargets(from).find((target) => target.name === name) ?? findReachable(topOf(from), name);
  if (!elsewhere) return refused(unknown(from, name));
  if (!mayLeaveSubtree(from, elsewhere))
    return refused(`${from.name} may not transfer to ${name}; transfer not performed`);
  return { kind: 'found', agent: elsewhere };
}

function refused(error: string): TransferTarget {
  return { kind: 'refused', error };
}

function findBelow(from: AgentNode, name: string): AgentNode | undefined {
  if (!from.isLlmAgent) return undefined;
  for (const child of from.subAgents) {
    const found = child.transfer.isCalled ? undefined : findReachable(child, name);
    if (found) return found;
  }
  return undefined;
}

/** Depth first, the node itself included. */
function findReachable(node: AgentNode, name: string): AgentNode | undefined {
  return node.name === name ? node : findBelow(node, name);
}

/** The topmost ancestor without a composite or a called agent in between. */
function topOf(agent: AgentNode): AgentNode {
  let top = agent;
  while (top.parentAgent?.isLlmAgent === true && !top.transfer.isCalled) top = top.parentAgent;
  return top;
}

/** True if the agent may transfer to its parent (for ancestors) or to its peers (for all other agents). */
function mayLeaveSubtree(from: AgentNode, target: AgentNode): boolean {
  if (target.transfer.disabled) return false;
  return from.path.startsWith(`${target.path}/`) ? from.transfer.toParent : from.transfer.toPeers;
}

function unknown(from: AgentNode, name: string): string {
  const nearest = nearestNames(
    name,
    transferTargets(from).map((target) => target.name),
  );
  const hint = nearest.length > 0 ? `Did you mean ${nearest.join(' or ')}?` : roster(from);
  return `unknown agent ${shownName(name)}; transfer not performed${hint === '' ? '' : `. ${hint}`}`;
}

/** Maximum number of agents that an error lists. */
const MOST_LISTED = 20;

/** The agents that can be transferred to, as the end of an error; empty if there are none. */
function roster(from: AgentNode): string {
  const names = transferTargets(from).map((target) => target.name);
  const more = names.length > MOST_LISTED ? ` and ${String(names.length - MOST_LISTED)} more` : '';
  return names.length === 0 ? '' : `The agents are: ${names.slice(0, MOST_LISTED).join(', ')}${more}.`;
}

/** The agents that an LLM agent may transfer to: its sub-agents, and its parent and siblings if the parent is an LLM agent. */
export function transferTargets(from: AgentNode): AgentNode[] {
  return [...targetsOf(from)];
}

/** True if there is an agent to transfer to: not all of them are looked at. */
export function canTransfer(from: AgentNode): boolean {
  return targetsOf(from).next().done !== true;
}

function* targetsOf({ transfer, subAgents, parentAgent, path }: AgentNode): Generator<AgentNode, void> {
  if (transfer.disabled) return;
  for (const child of subAgents) if (!child.transfer.disabled) yield child;
  if (parentAgent?.isLlmAgent !== true || parentAgent.transfer.disabled) return;
  if (transfer.toParent) yield parentAgent;
  if (!transfer.toPeers) return;
  for (const peer of parentAgent.subAgents)
    if (peer.path !== path && !peer.transfer.isCalled && !peer.transfer.disabled) yield peer;
}
