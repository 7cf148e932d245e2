import type { Content, Part } from '../events/genai-types.js';
import { COVERED_SEQS } from './compaction-event.js';
import { Event } from '../events/event.js';

/** What one says; `clerk` is the agent. */
export function said(author: string, text: string, invocationId = 'e-1', timestamp = 0): Event {
  const content = { role: author === 'user' ? 'user' : 'model', parts: [{ text }] };
  return new Event({ author, content, invocationId, timestamp });
}

export function called(ids: readonly string[], invocationId = 'e-1'): Event {
  const parts: Part[] = ids.map((id) => ({ functionCall: { id, name: 'look', args: {} } }));
  return new Event({ author: 'clerk', content: { role: 'model', parts }, invocationId });
}

/** @param isHandle whether the real answer is still to come */
export function answered(
  ids: readonly string[],
  value: string,
  isHandle = false,
  invocationId = 'e-1',
): Event {
  const parts: Part[] = ids.map((id) => ({
    functionResponse: { id, name: 'look', response: { value }, ...(isHandle && { willContinue: true }) },
  }));
  const longRunningToolIds = isHandle ? ids : [];
  return new Event({ author: 'clerk', content: { role: 'user', parts }, longRunningToolIds, invocationId });
}

export function undone(rewindBeforeInvocationId: string, invocationId: string): Event {
  return new Event({ author: 'user', actions: { rewindBeforeInvocationId }, invocationId });
}

/** A summary of what stands at some places, both ends included. */
export function summary(text: string, start: number, end: number, invocationId = `m-${text}`): Event {
  return marker(
    text,
    { startTimestamp: 0, endTimestamp: 0 },
    { [COVERED_SEQS]: { start, end } },
    invocationId,
  );
}

/** A summary such as another ADK's, which knows of times alone. */
export function timedSummary(text: string, startTimestamp: number, endTimestamp: number): Event {
  return marker(text, { startTimestamp, endTimestamp }, undefined, `m-${text}`, 'model');
}

function marker(
  text: string,
  times: { startTimestamp: number; endTimestamp: number },
  customMetadata: Record<string, unknown> | undefined,
  invocationId: string,
  role = 'user',
): Event {
  const compactedContent: Content = { role, parts: [{ text }] };
  const actions = { compaction: { ...times, compactedContent } };
  return new Event({ author: 'user', actions, customMetadata, invocationId });
}
