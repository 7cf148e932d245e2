import { randomUUID } from 'node:crypto';

/** Prefix of call ids that the framework made. Removed before a model sees them. */
const OWN_CALL = 'adk-';

/** Prefix of the call ids in requests of the framework for which no call waits, such as those of a toolset. */
const OWN_REQUEST = '_adk_';

export function newEventId(): string {
  return randomUUID();
}

export function newInvocationId(): string {
  return `e-${randomUUID()}`;
}

export function newSessionId(): string {
  return randomUUID();
}

/** A new id for a call to which the model gave none, or for a request to a person. */
export function newCallId(): string {
  return `${OWN_CALL}${randomUUID()}`;
}

/** True for a call id that only the framework may make. */
export function isReservedCallId(id: string): boolean {
  return isOwnCallId(id) || id.startsWith(OWN_REQUEST);
}

/** True if the framework made this call id, so that no model knows it. */
export function isOwnCallId(id: string): boolean {
  return id.startsWith(OWN_CALL);
}
