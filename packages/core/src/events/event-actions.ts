import type { AuthConfig } from '../auth/auth-config.js';
import type { Content } from '../content/genai-types.js';
import { readContent } from '../content/read-content.js';
import type { StateDelta } from '../state/state-delta.js';
import type { ToolConfirmation } from './pending-request.js';

/** What an event does besides saying something. */
export interface EventActions {
  /** Writes to the state; `null` removes a key. */
  readonly stateDelta: StateDelta;
  /** File names and the versions they got. */
  readonly artifactDelta: Readonly<Record<string, number>>;
  /** Credentials asked for, by the id of the call that waits. They hold no secret. */
  readonly requestedAuthConfigs: Readonly<Record<string, Omit<AuthConfig, 'credential'>>>;
  /** Confirmations asked for, by the id of the call that waits. */
  readonly requestedToolConfirmations: Readonly<Record<string, ToolConfirmation>>;
  /** The agent that takes over the rest of the invocation. */
  readonly transferToAgent?: string | undefined;
  /** Hands control upward; ends a loop. */
  readonly escalate?: boolean | undefined;
  /** The response is the answer: the model is not called again. */
  readonly skipSummarization?: boolean | undefined;
  /** Undoes that invocation and all that came after it: `runner.rewind` writes it. */
  readonly rewindBeforeInvocationId?: string | undefined;
  /** The state of the agent that wrote the event, as its graph is shown; kept as it came. */
  readonly agentState?: Readonly<Record<string, unknown>> | undefined;
  /** The agent's run in this invocation is over. */
  readonly endOfAgent?: boolean | undefined;
  /** The branch that a routing agent of another ADK took; kept as it came. */
  readonly route?: unknown;
  /** Stands for earlier events in what a model sees: a runner that is told to compact writes it. */
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

/** The actions of an event that does nothing: one object for all of them. */
export const NO_ACTIONS: EventActions = Object.freeze({
  stateDelta: NOTHING,
  artifactDelta: NOTHING,
  requestedAuthConfigs: NOTHING,
  requestedToolConfirmations: NOTHING,
});

/** Fills in what was not said; nothing said is {@link NO_ACTIONS}. All have one shape, which keeps reading them quick. */
export function toEventActions(actions: Partial<EventActions> | null | undefined): EventActions {
  if (actions === undefined || actions === null || actions === NO_ACTIONS) return NO_ACTIONS;
  return {
    stateDelta: actions.stateDelta ?? NOTHING,
    artifactDelta: actions.artifactDelta ?? NOTHING,
    requestedAuthConfigs: actions.requestedAuthConfigs ?? NOTHING,
    requestedToolConfirmations: actions.requestedToolConfirmations ?? NOTHING,
    skipSummarization: actions.skipSummarization ?? undefined,
    transferToAgent: actions.transferToAgent ?? undefined,
    escalate: actions.escalate ?? undefined,
    rewindBeforeInvocationId: actions.rewindBeforeInvocationId ?? undefined,
    agentState: actions.agentState ?? undefined,
    endOfAgent: actions.endOfAgent ?? undefined,
    route: actions.route ?? undefined,
    compaction: readCompaction(actions.compaction),
  };
}

function readCompaction(compaction: EventCompaction | null | undefined): EventCompaction | undefined {
  if (compaction === undefined || compaction === null) return undefined;
  const compactedContent = readContent(compaction.compactedContent) ?? { parts: [] };
  return compactedContent === compaction.compactedContent ? compaction : { ...compaction, compactedContent };
}
