import { isSameJson } from '@adorn/schema';

import type { Event } from './event.js';
import type { FunctionCall, FunctionResponse, Part } from './genai-types.js';

/** What a model reads for a call that waits for a person. */
export const PENDING_RESPONSE = Object.freeze({ status: 'pending' });

/** The response to a call that waits for a person. */
export function pendingPart({ id, name }: Pick<FunctionCall, 'id' | 'name'>): Part {
  return { functionResponse: { id, name, response: PENDING_RESPONSE, willContinue: true } };
}

/**
 * True for the response of an event that only stands in for that of a call which waits for a person. The request says what is
 * waited for, so clients show nothing of it. The progress of a tool, and the handle of one whose result comes later, are no
 * placeholders, whatever they look like.
 */
export function isPlaceholder(
  { partial, longRunningToolIds }: Pick<Event, 'partial' | 'longRunningToolIds'>,
  { id = '', response, willContinue }: FunctionResponse,
): boolean {
  const isPending = willContinue === true && isSameJson(response, PENDING_RESPONSE);
  return isPending && !partial && !longRunningToolIds.includes(id);
}
