import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import type { Content } from './genai-types.js';
import { readContent } from './read-content.js';
import { frozenJson } from '@adorn/schema';
import type { StateDelta } from './state.js';
import type { ToolConfirmation } from './pending-request.js';

/** The side effects of an event: state writes, control flow, requests. */
export interface EventActions {
  /** Writes to the state; `null` removes a key. */
  readonly stateDelta: StateDelta;
  /** File names and the versions they got. */
  readonly artifactDelta: Readonly<Record<string, number>>;
  /** Credentials asked for, by the id of the waiting call. Without secrets. */
  readonly requestedAuthConfigs: Readonly<Record<string, RequestedAuthConfig>>;
  /** Confirmations asked for, by the id of the waiting call. */
  readonly requestedToolConfirmations: Readonly<Record<string, ToolConfirmation>>;
  /** The agent that takes over the rest of the invocation. */
  readonly transferToAgent?: string | undefined;
  /** Hands control upward; ends a loop. */
  readonly escalate?: boolean | undefined;
  /** The response is the answer: the model is not called again. */
  readonly skipSummarization?: boolean | undefined;
  /** Undoes that invocation and everything after it. Written by `runner.rewind`. */
  readonly rewindBeforeInvocationId?: string | undefined;
  /** The state of the agent that wrote the event. Kept unchanged. */
  readonly agentState?: Readonly<Record<string, unknown>> | undefined;
  /** The agent has ended its run in this invocation. */
  readonly endOfAgent?: boolean | undefined;
  /** The branch taken by a routing agent of another ADK. Kept unchanged. */
  readonly route?: unknown;
  /** A summary that replaces earlier events for models. Written by a runner with compaction. */
  readonly compaction?: EventCompaction | undefined;
}

/**
 * The summary that a compaction event puts in place of earlier events in what a model sees; the log keeps them all. The
 * fields are the ADK's. The covered events are given by their sequence numbers in the event's custom metadata, under
 * `adorn:coveredSeqs`; these times are used only if there are none.
 */
export interface EventCompaction {
  /** Time of the earliest covered event: seconds since 1970, a float. */
  readonly startTimestamp: number;
  /** Time of the latest covered event, inclusive. */
  readonly endTimestamp: number;
  /** What a model sees in place of the covered events. */
  readonly compactedContent: Content;
}

const NOTHING = Object.freeze({});

/** The actions of an event without any: one shared object. */
export const NO_ACTIONS: EventActions = Object.freeze({
  stateDelta: NOTHING,
  artifactDelta: NOTHING,
  requestedAuthConfigs: NOTHING,
  requestedToolConfirmations: NOTHING,
});

/** Fills in missing actions, deeply frozen; without any, returns {@link NO_ACTIONS}. All objects have one shape, which is faster to read. */
export function toEventActions(actions: Partial<EventActions> | null | undefined): EventActions {
  if (actions === undefined || actions === null || actions === NO_ACTIONS) return NO_ACTIONS;
  return Object.freeze({
    stateDelta: frozenJson(actions.stateDelta ?? NOTHING),
    artifactDelta: frozenJson(actions.artifactDelta ?? NOTHING),
    requestedAuthConfigs: frozenJson(actions.requestedAuthConfigs ?? NOTHING),
    requestedToolConfirmations: frozenJson(actions.requestedToolConfirmations ?? NOTHING),
    skipSummarization: actions.skipSummarization ?? undefined,
    transferToAgent: actions.transferToAgent ?? undefined,
    escalate: actions.escalate ?? undefined,
    rewindBeforeInvocationId: actions.rewindBeforeInvocationId ?? undefined,
    agentState: frozenJson(actions.agentState ?? undefined),
    endOfAgent: actions.endOfAgent ?? undefined,
    route: frozenJson(actions.route ?? undefined),
    compaction: readCompaction(actions.compaction),
  });
}

/** Actions together with later writes to the state and to artifacts, which take precedence. */
export function mergedWrites(
  actions: Partial<EventActions> | undefined,
  written: Partial<EventActions> | undefined,
): Partial<EventActions> | undefined {
  if (!actions || !written) return written ?? actions;
  return {
    ...actions,
    ...written,
    stateDelta: { ...actions.stateDelta, ...written.stateDelta },
    artifactDelta: { ...actions.artifactDelta, ...written.artifactDelta },
  };
}

function readCompaction(compaction: EventCompaction | null | undefined): EventCompaction | undefined {
  if (compaction === undefined || compaction === null) return undefined;
  const compactedContent = readContent(compaction.compactedContent) ?? { parts: [] };
  return compactedContent === compaction.compactedContent ? compaction : { ...compaction, compactedContent };
}
