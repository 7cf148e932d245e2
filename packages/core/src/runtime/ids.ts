import { randomUUID } from 'node:crypto';

/** Prefix of call ids that the framework made. Removed before a model sees them. */
const OWN_CALL = 'adk-';

/** Prefix of the call ids in requests of the framework for which no call waits, such as those of a toolset. */
const OWN_REQUEST = '_adk_';

/**
 * Random per process. Followed by a counter, it makes event ids unique. Drawn at the first id: Cloudflare Workers refuse
 * random values while modules are loaded.
 */
let processPart: string | undefined;

/** The last three digits of the counter; most ids differ only in these. */
const ENDS = Array.from({ length: 4096 }, (_, index) => index.toString(16).padStart(3, '0'));
let beginning = '';
let blocks = 0;
let end = ENDS.length;

/** A new event id in the form of a UUID. A counter, because a random number for each event would slow down every turn. */
export function newEventId(): string {
  if (end === ENDS.length) {
    processPart ??= randomUUID().slice(0, 24);
    beginning = processPart + (blocks++).toString(16).padStart(9, '0');
    end = 0;
  }
  return beginning + (ENDS[end++] as string);
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
