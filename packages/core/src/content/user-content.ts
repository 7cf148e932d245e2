import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/describe-thrown.js';
import type { Content, Part } from './genai-types.js';
import { type ContentFault, readContent } from './read-content.js';

/** What a user may say: a text, a part, several parts, or a whole content. */
export type Message = string | Part | readonly Part[] | Content;

/**
 * A message as the content of a user's event, read as {@link readContent} reads it.
 *
 * @throws {MessageInvalidError} if it is empty, of another role, holds a value of the wrong kind, or a function
 *   call, which only a model makes
 */
export function toUserContent(message: Message): Content {
  try {
    return readMessage(message);
  } catch (error) {
    if (error instanceof MessageInvalidError) throw error;
    throw new MessageInvalidError('It cannot be read: one of its fields throws.');
  }
}

function readMessage(message: Message): Content {
  const given = partsOf(message);
  if (!Array.isArray(given)) throw new MessageInvalidError(`Its parts are ${kindOf(given)}.`);
  if (given.length === 0) throw new MessageInvalidError('It has no parts.');
  for (const part of given) checkKind(part);
  const { parts = [] } = readContent({ role: 'user', parts: given }, refuse) ?? {};
  if (parts.length < given.length || parts.some(({ text }) => text === '')) {
    throw new MessageInvalidError('One of its parts is empty.');
  }
  if (parts.some(({ functionCall }) => functionCall !== undefined)) {
    throw new MessageInvalidError('It holds a function call, which only a model may make.');
  }
  return { role: 'user', parts };
}

function partsOf(message: Message): Part[] {
  if (typeof message === 'string') return [{ text: message }];
  if (Array.isArray(message)) return (message as readonly Part[]).slice();
  if (typeof message !== 'object' || (message as unknown) === null) {
    throw new MessageInvalidError(`It is ${kindOf(message)}.`);
  }
  if (!('parts' in message) && !('role' in message)) return [message as Part];
  const { role, parts } = message;
  if ((role ?? 'user') !== 'user') throw new MessageInvalidError(`Its role is ${shownRole(role)}.`);
  return (parts as Part[] | null | undefined) ?? [];
}

function shownRole(role: unknown): string {
  return typeof role === 'string' ? `"${role.slice(0, 60)}"` : kindOf(role);
}

function checkKind(part: unknown): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    throw new MessageInvalidError(`One of its parts is ${kindOf(part)}.`);
  }
}

function refuse({ field, wanted, found }: ContentFault): never {
  throw new MessageInvalidError(`Its ${field} is not ${wanted}, but ${found}.`);
}

/** What was handed in as a user's message is none. */
export class MessageInvalidError extends AdornError {
  readonly code = 'MESSAGE_INVALID';

  constructor(fault: string) {
    super(
      `The message cannot be taken as a user's. ${fault} ` +
        "Pass a text, a part, an array of parts, or a content whose role is 'user'.",
    );
  }
}
