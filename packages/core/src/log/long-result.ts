/** The artifact with the full result of a call, as JSON, whose response has its beginning only. */
export function longResultName(callId: string): string {
  return `tool-results/${callId}.json`;
}
