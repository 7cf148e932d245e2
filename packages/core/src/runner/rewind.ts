import type { ArtifactService } from '../artifacts/artifact.service.js';
import { Event } from '../events/event.js';
import type { SessionKey } from '../events/session.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import { SessionNotFoundError } from '../sessions/session-not-found.error.js';
import type { StateDelta } from '../state/state-delta.js';
import { scopeOf } from '../state/state-scope.js';
import { InvocationNotFoundError } from './invocation-not-found.error.js';

/**
 * Undoes an invocation and all that came after it by one more event, appended at the place that follows what it was
 * made of.
 *
 * @throws {SessionNotFoundError | InvocationNotFoundError | SessionConflictError}
 */
export async function rewind(
  { sessions, artifacts, clock }: InvocationServices,
  key: SessionKey,
  { invocationId, rewindId }: { readonly invocationId: string; readonly rewindId: string },
): Promise<Event> {
  const session = await sessions.getSession(key);
  if (session === undefined) throw new SessionNotFoundError(key.sessionId);
  const { nextSeq: expectedSeq, events } = session;
  const start = events.findIndex((event) => event.invocationId === invocationId);
  if (start === -1) throw new InvocationNotFoundError(invocationId, key.sessionId);
  const stateDelta = stateBefore(events, start);
  const changedFiles = overwritten(events, start, ({ actions }) => actions.artifactDelta);
  const artifactDelta = await restoreArtifacts(artifacts, key, changedFiles);
  const actions = { rewindBeforeInvocationId: invocationId, stateDelta, artifactDelta };
  const stamp = { invocationId: rewindId, timestamp: clock.now() };
  const event = new Event({ author: 'user', actions }, stamp);
  await sessions.appendEvent(session, event, { expectedSeq });
  return event;
}

/** The delta that gives the session's own keys what events had written before; what none had is removed. */
function stateBefore(events: readonly Event[], start: number): StateDelta {
  const changed = overwritten(events, start, ({ actions }) => actions.stateDelta);
  const own = [...changed].filter(([key]) => scopeOf(key) === 'session');
  return Object.fromEntries(own.map(([key, value]) => [key, value ?? null]));
}

/** Saves again what each file was. A file that did not exist stays: to delete it would lose what the log keeps. */
async function restoreArtifacts(
  artifacts: ArtifactService,
  key: SessionKey,
  changed: ReadonlyMap<string, number | undefined>,
): Promise<Record<string, number>> {
  const restored = new Map<string, number>();
  for (const [name, version] of changed) {
    if (version === undefined || name.startsWith('user:')) continue;
    const part = await artifacts.load(key, name, version);
    if (part !== undefined) restored.set(name, await artifacts.save(key, name, part));
  }
  return Object.fromEntries(restored);
}

/** What events from a place on wrote, by key, with what was written there before; undefined where nothing was. */
function overwritten<Value>(
  events: readonly Event[],
  start: number,
  deltaOf: (event: Event) => Readonly<Record<string, Value>>,
): Map<string, Value | undefined> {
  const before = new Map(events.slice(0, start).flatMap((event) => Object.entries(deltaOf(event))));
  const later = events.slice(start).flatMap((event) => Object.keys(deltaOf(event)));
  return new Map(later.map((key) => [key, before.get(key)]));
}
