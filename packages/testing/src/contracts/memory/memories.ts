import type { Event } from '@adorn/core';
import { InMemorySessionService, type MemoryService, type Session } from '@adorn/core';
import type { EventFields, MemoryEntry } from '@adorn/core/backend';

export const ADA = { appName: 'app', userId: 'ada' };

/** An event of which a harbour is remembered. */
export const HEARD: EventFields = {
  invocationId: 'e-1',
  author: 'clerk',
  content: { role: 'model', parts: [{ text: 'The harbour.' }] },
};

export function entry(text: string): MemoryEntry {
  return { content: { role: 'user', parts: [{ text }] } };
}

/** A session of Ada's with the events in its log. */
export async function sessionWith(events: readonly Event[]): Promise<Session> {
  const sessions = new InMemorySessionService();
  let session = await sessions.createSession({ ...ADA, sessionId: 's1' });
  for (const event of events) session = await sessions.appendEvent(session, event);
  return session;
}

export async function textsOf(memory: MemoryService, query: string): Promise<(string | undefined)[]> {
  const found = await memory.searchMemory(ADA, query);
  return found.map(({ content }) => content.parts?.[0]?.text).sort();
}
