import type { ArtifactService } from '../../stores/artifacts/artifact.service.js';
import { Event } from '../../events/event.js';
import type { SessionKey } from '../../events/session.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import { copyJson } from '@adorn/schema';
import { SessionNotFoundError } from '../../stores/sessions/errors.js';
import { deltasOf, type StateUpdate } from '../../stores/sessions/session-record.js';
import { scopeOf, type StateDelta } from '../../events/state.js';
import { InvocationNotFoundError } from '../errors.js';

/**
 * Appends a rewind event that undoes an invocation and everything after it. Fails if the log has moved on.
 *
 * @throws {SessionNotFoundError | InvocationNotFoundError | SessionConflictError}
 */
export async function rewind(
  { sessions, artifacts, clock }: InvocationServices,
  key: SessionKey,
  { invocationId, rewindId }: { readonly invocationId: string; readonly rewindId: string },
): Promise<Event> {
  const session = await sessions.getSession(key);
  if (!session) throw new SessionNotFoundError(key.sessionId);
  const { nextSeq: expectedSeq, events } = session;
  const start = events.findIndex((event) => event.invocationId === invocationId);
  if (start === -1) throw new InvocationNotFoundError(invocationId, key.sessionId);
  const stateDelta = restoredState(events, start, await sessions.stateUpdates(key));
  const artifactDeltas = events.map(({ actions }) => actions.artifactDelta);
  const changedFiles = overwritten(artifactDeltas.slice(0, start), artifactDeltas.slice(start));
  const artifactDelta = await restoreArtifacts(artifacts, key, changedFiles);
  const actions = { rewindBeforeInvocationId: invocationId, stateDelta, artifactDelta };
  const stamp = { invocationId: rewindId, timestamp: clock.now() };
  const event = new Event({ author: 'user', actions }, stamp);
  const opens = { id: rewindId, after: session.lastRun?.epoch ?? 0, at: stamp.timestamp };
  await sessions.appendEvent(session, event, { expectedSeq, opens, becomes: 'ended' });
  return event;
}

/** A delta that sets the session's own keys, as far as undone events wrote them, to their values before those events. */
function restoredState(events: readonly Event[], start: number, updates: readonly StateUpdate[]): StateDelta {
  const undone = events.slice(start).map(({ actions }) => actions.stateDelta);
  const changed = overwritten(deltasOf(events.slice(0, start), updates), undone);
  const own = [...changed].filter(([key]) => scopeOf(key) === 'session');
  return Object.fromEntries(own.map(([key, value]) => [key, copyJson(value ?? null)]));
}

/** Saves the earlier version of each file again. A file that did not exist before stays, because the log refers to it. */
async function restoreArtifacts(
  artifacts: ArtifactService,
  key: SessionKey,
  changed: ReadonlyMap<string, number | undefined>,
): Promise<Record<string, number>> {
  const restored = new Map<string, number>();
  for (const [name, version] of changed) {
    if (version === undefined || name.startsWith('user:')) continue;
    const part = await artifacts.load(key, name, version);
    if (part) restored.set(name, await artifacts.save(key, name, part));
  }
  return Object.fromEntries(restored);
}

/** The keys of the undone deltas, each with its last value in the deltas before; undefined if it had none. */
function overwritten<Value>(
  before: readonly Readonly<Record<string, Value>>[],
  undone: readonly Readonly<Record<string, Value>>[],
): Map<string, Value | undefined> {
  const values = new Map(before.flatMap((delta) => Object.entries(delta)));
  return new Map(undone.flatMap((delta) => Object.keys(delta)).map((key) => [key, values.get(key)]));
}
