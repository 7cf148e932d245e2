import type { SettledCall } from '../dispatch/settled-call.js';
import { transferToAgent } from '../tools/builtin/transfer-to-agent.tool.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { findTransferTarget } from './find-transfer-target.js';
import type { TurnAgent } from './turn-agent.js';

/** The calls, with each transfer that is not done answered as such, and the agent that takes over. */
export interface ResolvedTransfers {
  readonly settled: readonly SettledCall[];
  /** The target of the first transfer that is allowed. */
  readonly successor: AgentNode | undefined;
}

/**
 * Finds the target of each transfer before the response event is made: the model must not be told of a transfer that
 * is not done. The first that is allowed is done, unless another call of the same answer waits.
 */
export function resolveTransfers(
  agent: TurnAgent,
  settled: readonly SettledCall[],
  isPaused: boolean,
): ResolvedTransfers {
  if (!settled.some(({ call }) => call?.context.transferRequested !== undefined))
    return { settled, successor: undefined };
  let successor: AgentNode | undefined;
  const outcomes = settled.map((one) => {
    const name = one.outcome.kind === 'completed' ? one.call?.context.transferRequested : undefined;
    if (name === undefined) return one;
    const target = findTransferTarget(agent, name);
    if (target.kind === 'refused') return refuse(one, target.error);
    if (isPaused) return lose(one, WAITING);
    successor ??= target.agent;
    return successor === target.agent ? one : lose(one, `${successor.name} takes over`);
  });
  return { settled: outcomes, successor };
}

const WAITING = 'another call of the same answer waits. Transfer again when it has its result';

function refuse(one: SettledCall, error: string): SettledCall {
  cancelTransfer(one);
  return { ...one, outcome: { kind: 'failed', response: { error }, error, invalid: true } };
}

/** The result of a tool that did more than ask for a transfer is kept. */
function lose(one: SettledCall, reason: string): SettledCall {
  const { outcome, call } = one;
  if (outcome.kind !== 'completed') return one;
  const error = `transfer not performed: ${reason}`;
  call?.invocation.services.logger.warn('a request of a tool lost against a stronger one of the same turn', {
    callId: one.id,
    transferToAgent: call.context.transferRequested,
  });
  cancelTransfer(one);
  const response =
    call?.entry.tool === transferToAgent ? { error } : { ...outcome.response, transferError: error };
  return { ...one, outcome: { ...outcome, response } };
}

function cancelTransfer({ call }: SettledCall): void {
  if (call !== undefined) call.context.actions.transferToAgent = undefined;
}
