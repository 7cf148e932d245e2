import type { PendingRequest } from '@adorn/core';
import type { UiResource, UiResult } from '@adorn/core/backend';

/** The page of a call (MCP Apps), and what it shows. The page is written by others. */
export interface CallUiJson extends UiResource {
  /** The arguments of the call. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: UiResult;
  /** The names by which the page may call tools of its server. */
  readonly callable: readonly string[];
}

/** A call of a page that has no result yet. */
export interface WaitingUiCall {
  /** The id of the call. */
  readonly callId: string;
  /** What somebody has to answer first; empty while the call runs. */
  readonly pending: readonly PendingRequest[];
}

/** What has become of a call of a page: its result, or what it waits for. */
export type UiCallOutcome = UiResult | WaitingUiCall;

/** True for a call that has no result yet. */
export function isWaitingUiCall(outcome: UiCallOutcome): outcome is WaitingUiCall {
  return 'callId' in outcome;
}
