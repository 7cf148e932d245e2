/** Reasons after which an answer may be used as it is. */
const USABLE: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS', 'FINISH_REASON_UNSPECIFIED']);

/** Google's names of the reasons after which it may not. */
const BLOCKING =
  /^(BLOCKLIST|LANGUAGE|MALFORMED_\w+|MISSING_THOUGHT_SIGNATURE|NO_IMAGE|OTHER|PROHIBITED_CONTENT|RECITATION|SAFETY|SPII|TOO_MANY_TOOL_CALLS|UNEXPECTED_TOOL_CALL|IMAGE_\w+)$/;

/** What a finish reason says of the answer; of a name that nobody knows yet, nothing can be said. */
export function verdictOf(finishReason: string | undefined): 'usable' | 'blocked' | 'unknown' {
  if (finishReason === undefined || USABLE.has(finishReason)) return 'usable';
  return BLOCKING.test(finishReason) ? 'blocked' : 'unknown';
}
