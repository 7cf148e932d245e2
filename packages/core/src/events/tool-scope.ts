/**
 * The scope of the events of an agent that a call runs as a tool (`isolationScope`). It has the id of the event too, because
 * models give the same call id again.
 */
export function toolScope(eventId: string, callId: string): string {
  return `${eventId}/${callId}`;
}

/** The id of the call that a scope belongs to. */
export function callOfScope(scope: string): string {
  return scope.slice(scope.indexOf('/') + 1);
}
