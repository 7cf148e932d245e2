import { randomUUID } from 'node:crypto';

/** Calls the framework had to name itself bear this, and it is taken off again before a model sees them. */
const OWN_CALL = 'adk-';

/** Random once in each process; with the count behind it, no two events anywhere bear the same id. */
const PROCESS = randomUUID().slice(0, 24);

/** The last three digits of a count; most ids differ in these alone. */
const ENDS = Array.from({ length: 4096 }, (_, index) => index.toString(16).padStart(3, '0'));
let beginning = '';
let blocks = 0;
let end = ENDS.length;

/** In the form of a UUID. Events are many, and a random number for each would be felt in every turn. */
export function newEventId(): string {
  if (end === ENDS.length) {
    beginning = PROCESS + (blocks++).toString(16).padStart(9, '0');
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

/** For a call that the model gave no id, and for the calls that ask a person. */
export function newCallId(): string {
  return `${OWN_CALL}${randomUUID()}`;
}

/** Whether the framework made this call id, so that no model knows it. */
export function isOwnCallId(id: string): boolean {
  return id.startsWith(OWN_CALL);
}
