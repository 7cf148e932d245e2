import { AdornError, kindOf, frozenJson } from '@adorn/schema';
import type { Content, FunctionCall, FunctionResponse, Part } from './genai-types.js';
import { type ContentFault, readContent } from './read-content.js';

/** The calls a content holds, in order. */
export function functionCallsOf(content: Content | undefined): FunctionCall[] {
  const parts = content?.parts ?? [];
  const lone = parts.length === 1 ? parts[0]?.functionCall : undefined;
  // An array that grows makes room for sixteen.
  if (lone) return [lone];
  const calls: FunctionCall[] = [];
  for (const part of parts) {
    if (part.functionCall) calls.push(part.functionCall);
  }
  return calls;
}

/** True if a content holds more than answers: a text, a file or the like. */
export function hasWords({ parts = [] }: Content): boolean {
  return parts.some(({ functionResponse }) => functionResponse === undefined);
}

/** The responses a content holds, in order. */
export function functionResponsesOf(content: Content | undefined): FunctionResponse[] {
  const responses: FunctionResponse[] = [];
  for (const part of content?.parts ?? []) {
    if (part.functionResponse) responses.push(part.functionResponse);
  }
  return responses;
}

/** The text of a content without thoughts; empty if there is none. */
export function joinText(content: Content | undefined): string {
  const parts = content?.parts;
  if (parts === undefined) return '';
  let text = '';
  for (const part of parts) {
    if (part.text !== undefined && part.thought !== true) text += part.text;
  }
  return text;
}

/** A user message: a string, a Part, an array of Parts, or a Content. */
export type Message = string | Part | readonly Part[] | Content;

/**
 * Converts a message to the Content of a user event, read as {@link readContent} reads it: a frozen copy, so that the
 * caller may change the message afterwards.
 *
 * @throws {MessageInvalidError} if the message is empty, has another role or a field of the wrong type, or contains a
 *   function call
 */
export function toUserContent(message: Message): Content {
  try {
    return readMessage(message);
  } catch (error) {
    if (error instanceof MessageInvalidError) throw error;
    throw new MessageInvalidError('One of its getters throws.');
  }
}

function readMessage(message: Message): Content {
  const given = partsOf(message);
  if (!Array.isArray(given))
    throw new MessageInvalidError(`Its "parts" must be an array, but is ${kindOf(given)}.`);
  if (given.length === 0) throw new MessageInvalidError('It has no parts.');
  for (const part of given) checkKind(part);
  const { parts = [] } = readContent({ role: 'user', parts: given }, refuse) ?? {};
  if (parts.length < given.length || parts.some(({ text }) => text === '')) {
    throw new MessageInvalidError('One of its parts is empty.');
  }
  if (parts.some(({ functionCall }) => functionCall !== undefined)) {
    throw new MessageInvalidError('It contains a function call; only models make function calls.');
  }
  return frozenJson({ role: 'user', parts });
}

function partsOf(message: Message): Part[] {
  if (typeof message === 'string') return [{ text: message }];
  if (Array.isArray(message)) return (message as readonly Part[]).slice();
  if (typeof message !== 'object' || (message as unknown) === null) {
    throw new MessageInvalidError(`It is ${kindOf(message)}.`);
  }
  if ('message' in message) {
    throw new MessageInvalidError(
      'It is an object with "message", as "run" takes it: write ask(message, { userId }).',
    );
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
  throw new MessageInvalidError(`Its ${field} must be ${wanted}, but is ${found}.`);
}

/** The message of a run is not a valid user message. */
export class MessageInvalidError extends AdornError {
  readonly code = 'MESSAGE_INVALID';

  constructor(fault: string) {
    super(
      `The message is not a valid user message. ${fault} ` +
        "Pass a string, a Part, an array of Parts, or a Content whose role is 'user'.",
    );
  }
}
