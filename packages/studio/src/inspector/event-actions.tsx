import { app, sessionId } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { clientOf, faultOf, jsonBody, optionalJson, routeOf } from '../server/connection.js';
import { fault } from '../server/open-session.js';
import { loadSessions, openSession } from '../server/session-list.js';

/** What can be done from an event on. */
export function EventActions({ id }: { readonly id: string }) {
  return (
    <p class="event-actions">
      <button type="button" class="button" onClick={() => void fork(id)}>
        <Icon name="fork" /> Fork from here
      </button>
      <a
        class="button"
        href={routeOf(app.value ?? '', `/sessions/${encodeURIComponent(sessionId.value ?? '')}/export`)}
        download
      >
        Export session
      </a>
    </p>
  );
}

/** Opens a new session with the events up to the given one. */
async function fork(at: string): Promise<void> {
  try {
    const path = `/sessions/${encodeURIComponent(sessionId.value ?? '')}/fork`;
    const made = await optionalJson<{ id: string; title?: string }>(
      routeOf(app.value ?? '', path),
      jsonBody({ at }),
    );
    if (!made) {
      fault.value = { code: 'NOT_SERVED', message: 'This server cannot fork sessions.' };
      return;
    }
    if (made.title !== undefined) await clientOf(app.value).session(made.id).rename(`${made.title} (fork)`);
    await loadSessions();
    openSession(made.id);
  } catch (error) {
    fault.value = faultOf(error);
  }
}
