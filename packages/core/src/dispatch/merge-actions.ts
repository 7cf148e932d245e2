import type { EventActions } from '../events/event-actions.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { SettledCall } from './tool-call.js';

/**
 * What the calls of a turn asked for, as the actions of their one event: deltas in the order of the calls, and of
 * what steers the run only the strongest: a pause, then a transfer, then an escalation, then the end of the turn.
 * What loses is logged. Undefined where nothing was asked for.
 */
export function mergeActions(
  invocation: InvocationContext,
  settled: readonly SettledCall[],
  isPaused: boolean,
): Partial<EventActions> | undefined {
  const asked: Asked[] = [];
  for (const { id, call, outcome } of settled) {
    const actions = outcome.kind === 'paused' ? undefined : call?.context.takeActions();
    if (actions !== undefined) asked.push({ id, actions, steers: outcome.kind === 'completed' });
  }
  if (asked.length === 0) return undefined;
  const stateDelta = mergeKeys(asked, 'stateDelta', invocation);
  const artifactDelta = mergeKeys(asked, 'artifactDelta', invocation);
  const { transferToAgent, escalate, skipSummarization } = strongest(isPaused, asked, invocation);
  return { stateDelta, artifactDelta, transferToAgent, escalate, skipSummarization };
}

interface Asked {
  readonly id: string;
  readonly actions: Partial<EventActions>;
  /** What failed keeps what it wrote, and steers nothing. */
  readonly steers: boolean;
}

function mergeKeys<Name extends 'stateDelta' | 'artifactDelta'>(
  asked: readonly Asked[],
  name: Name,
  { services }: InvocationContext,
): EventActions[Name] | undefined {
  const writers = asked.filter(({ actions }) => actions[name] !== undefined);
  if (writers.length === 0) return undefined;
  const merged = Object.create(null) as Record<string, unknown>;
  for (const { id, actions } of writers) {
    for (const [key, value] of Object.entries(actions[name] ?? {})) {
      if (Object.hasOwn(merged, key))
        services.logger.warn(`two calls of one turn wrote "${key}"; the later wins`, { callId: id });
      merged[key] = value;
    }
  }
  return merged as EventActions[Name];
}

/** One wish of one call about how the run goes on. */
interface Wish {
  readonly id: string;
  readonly kind: 'transferToAgent' | 'escalate' | 'skipSummarization';
  readonly agent?: string;
}

function strongest(
  isPaused: boolean,
  asked: readonly Asked[],
  { services }: InvocationContext,
): Partial<EventActions> {
  const wishes = wishesOf(asked);
  const winner = isPaused ? undefined : wishes[0];
  for (const wish of wishes) {
    // Only transfers to one agent come here: `resolveTransfers` has taken back the others.
    if (winner?.kind === wish.kind) continue;
    const facts = { callId: wish.id, ...steeringOf(wish) };
    services.logger.warn('a request of a tool lost against a stronger one of the same turn', facts);
  }
  return winner === undefined ? NO_STEERING : steeringOf(winner);
}

/** The strongest first. */
function wishesOf(asked: readonly Asked[]): Wish[] {
  const transfers: Wish[] = [];
  const escalations: Wish[] = [];
  const ends: Wish[] = [];
  for (const { id, actions, steers } of asked) {
    if (!steers) continue;
    const { transferToAgent: agent, escalate, skipSummarization } = actions;
    if (agent !== undefined) transfers.push({ id, kind: 'transferToAgent', agent });
    if (escalate === true) escalations.push({ id, kind: 'escalate' });
    if (skipSummarization === true) ends.push({ id, kind: 'skipSummarization' });
  }
  return transfers.concat(escalations, ends);
}

const NO_STEERING: Partial<EventActions> = Object.freeze({});

function steeringOf({ kind, agent }: Wish): Partial<EventActions> {
  if (kind === 'transferToAgent') return { transferToAgent: agent };
  return kind === 'escalate' ? { escalate: true } : { skipSummarization: true };
}
