/** Why a call asks a person again, by code. The sentences are shown to people, and explained in `docs/confirmation.md`. */
export const AGAIN_REASONS = Object.freeze({
  AGENT_TREE_CHANGED:
    'The code does not start the agent any more that made the call, so the answer was not used.',
  ANOTHER_FUNCTION: 'Another function of the call asks: the earlier answer was for a question of its own.',
  ANSWER_USED: 'The same question is asked once more: an answer is used once.',
  APPROVERS_CHANGED:
    'Who has approved may not approve the call as it is now: another person, or one more, has to.',
  ARGUMENTS_CHANGED: 'beforeTool has changed the arguments since they were shown.',
  ARGUMENTS_DIFFER: 'The earlier question was about other arguments.',
  CREDENTIAL_MISSING: 'The credential that was supplied is not stored any more, or has another type.',
  CREDENTIAL_REJECTED: 'The service has rejected the credential that was supplied.',
  DEFINITION_CHANGED: 'The name, description, parameters, effect or fixed question of the tool has changed.',
  DEFINITION_UNKNOWN: 'The earlier question does not say which definition of the tool was shown.',
  EXPIRED: 'The earlier answer was given after the question had expired.',
  NOT_ON_RECORD:
    'The call runs again, and the log has no approval of it: one of a ConfirmationProvider is not stored, and one that was imported does not hold.',
  OTHER_CALL: 'The earlier question was about another call or another tool.',
  QUESTION_DIFFERS: 'The function asks another question than before, or with another text or other data.',
  SESSION_APPROVAL_VOID: 'The tool has changed since it was approved for the whole session.',
  UNTRUSTED_RESULTS:
    'The conversation contains untrusted results, which an approval for the whole session does not cover.',
} as const);

/** The code of a reason for which a call asks a person again. */
export type AgainReason = keyof typeof AGAIN_REASONS;

/** Why a call asks again, as the log holds it. */
export interface StoredAgain {
  readonly reason: AgainReason;
  /** The id of the earlier request, where there is one. */
  readonly request?: string | undefined;
}

/** Why a call asks a person again. */
export interface AskedAgain {
  /** A stable code. */
  readonly reason: AgainReason;
  /** The reason as a sentence. */
  readonly message: string;
  /** The id of the earlier request. Absent if the log has none. */
  readonly request?: string;
}

/** Reads a reason from a log. Undefined for one that this version does not know. */
export function readAskedAgain(value: unknown): AskedAgain | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reason, request } = value as Partial<Record<keyof StoredAgain, unknown>>;
  if (!isAgainReason(reason)) return undefined;
  const again = { reason, message: AGAIN_REASONS[reason] };
  return typeof request === 'string' ? { ...again, request } : again;
}

function isAgainReason(value: unknown): value is AgainReason {
  return typeof value === 'string' && Object.hasOwn(AGAIN_REASONS, value);
}
