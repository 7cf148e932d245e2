import { Event } from '../events/event.js';
import { InMemorySessionService } from '../stores/sessions/in-memory-session.service.js';

export const address = { userId: 'user', sessionId: 's1' };

/** A call of `pay` by the agent `clerk`. */
export const CALL = {
  author: 'clerk',
  content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'pay', args: {} } }] },
};

/** A store with a session of the application `clerk` whose process died after a message and these events. */
export async function crashed(
  ...events: readonly ConstructorParameters<typeof Event>[0][]
): Promise<InMemorySessionService> {
  const store = new InMemorySessionService();
  const message = { author: 'user', content: { role: 'user', parts: [{ text: 'Pay.' }] } };
  let session = await store.createSession({ appName: 'clerk', ...address });
  for (const event of [message, ...events])
    session = await store.appendEvent(session, new Event(event, { invocationId: 'e-1', timestamp: 1 }));
  return store;
}
