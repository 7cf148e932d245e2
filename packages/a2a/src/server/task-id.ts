import { createHash, randomUUID } from 'node:crypto';

import { composedKey } from '@adorn/core/backend';

/** The longest ids of conversations and messages of peers, in bytes: a task's id holds both. */
const MOST_BYTES = 160;

/** Where a task is in the session store. Its id, which is the invocation id of its first run, holds both parts. */
export interface TaskPlace {
  readonly sessionId: string;
  readonly messageId: string;
}

/** The invocation id of the run that a message of a peer begins: the same whenever the message is sent again. */
export function invocationIdOf({ sessionId, messageId }: TaskPlace): string {
  return `a2a.${encoded(sessionId)}.${encoded(messageId)}`;
}

/** Reads where a task is; undefined for an id that no message began. */
export function placeOf(taskId: string): TaskPlace | undefined {
  const [scheme, session = '', message = '', ...rest] = taskId.split('.');
  if (scheme !== 'a2a' || session === '' || message === '' || rest.length > 0) return undefined;
  const place = { sessionId: decoded(session), messageId: decoded(message) };
  // Another spelling of the same bytes is another id.
  return invocationIdOf(place) === taskId ? place : undefined;
}

const CANCELLATION = 'a2a-cancel.';

/** The invocation id of a run that ends a task which waits for an answer. No message has it. */
export function newCancellationId(): string {
  return CANCELLATION + randomUUID();
}

/** True for the id of a run that ended a task which waited. */
export function isCancellationId(invocationId: string): boolean {
  return invocationId.startsWith(CANCELLATION);
}

/** True for an id that fits into the id of a task. */
export function isUsableId(id: string): boolean {
  return id !== '' && Buffer.byteLength(id) <= MOST_BYTES && decoded(encoded(id)) === id;
}

/** The conversation that a message without `contextId` begins: the same whenever a principal sends the message again. */
export function newContextId(userId: string, messageId: string): string {
  return createHash('sha256').update(composedKey(userId, messageId)).digest('hex').slice(0, 32);
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
