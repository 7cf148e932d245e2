import type { ArtifactService } from '../../stores/artifacts/artifact.service.js';
import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import type { Part } from '../../events/genai-types.js';
import { runIdOf } from '../../events/event-place.js';
import { Event } from '../../events/event.js';
import { withoutRemark } from '../../events/remark.js';
import { isRequestName } from '../../events/pending-request.js';
import { keyOf, type Session, type SessionKey } from '../../events/session.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import type { OpenCall } from '../../log/pending-call-index.js';
import { PendingIndex } from '../../log/pending-index.js';
import { newInvocationId } from '../../runtime/ids.js';
import { SessionExistsError, SessionNotFoundError } from '../../stores/sessions/errors.js';
import { deltasOf, ownState, type StateUpdate } from '../../stores/sessions/session-record.js';
import { applyKey } from '../../events/state.js';
import { ForkPointNotFoundError } from '../errors.js';

/** The key of the custom metadata of a fork's marker event: the original session, and the last event that was copied. */
export const FORKED_FROM = 'adorn:forkedFrom';

/**
 * Copies a conversation up to an event, with its state and artifacts, into a new session.
 *
 * @param at the id of an event, or of an invocation; undefined copies the whole conversation
 * @throws {SessionNotFoundError | ForkPointNotFoundError | SessionExistsError}
 */
export async function forkSession(
  { sessions, artifacts, clock }: InvocationServices,
  source: SessionKey,
  { at, target }: { readonly at: string | undefined; readonly target: SessionKey },
): Promise<void> {
  const session = await sessions.getSession(source);
  if (!session) throw new SessionNotFoundError(source.sessionId);
  const { events: log, title } = session;
  const { state: lastState } = session;
  const end = at === undefined ? log.length : endOf(log, at);
  if (end === 0) throw new ForkPointNotFoundError(at, source.sessionId);
  const updates = (await sessions.stateUpdates(source)).filter(({ seq }) => seq <= end);
  if (await sessions.getSession(target, { numRecentEvents: 1 }))
    throw new SessionExistsError(target.sessionId);
  const copied = log.slice(0, end).map(withoutRemember).map(withoutRemark);
  const closing = closingResponses(session, copied, clock.now());
  const marker = markerOf(source, copied.at(-1), clock.now());
  const state = end === log.length ? ownState(lastState) : stateAfter(copied, updates);
  const { invocationId: id, timestamp: openedAt } = marker;
  const run = { id, status: 'ended', epoch: 1, openedAt, attempts: 0 } as const;
  const events = [...copied, ...closing, marker];
  await sessions.importSession(target, { title, state, events, stateUpdates: updates, run });
  try {
    await copyArtifacts(artifacts, { source, target, later: log.slice(end) });
  } catch (error) {
    await sessions.deleteSession(target);
    throw error;
  }
}

/** The number of events up to and including an event, or the last one of an invocation; 0 if there is none. */
function endOf(log: readonly Event[], at: string): number {
  const event = log.findIndex(({ id }) => id === at);
  if (event !== -1) return event + 1;
  return log.findLastIndex((one) => one.invocationId === at || runIdOf(one) === at) + 1;
}

/** An approval for the whole session holds in the session that it was given in. */
function withoutRemember(event: Event): Event {
  const { author, content } = event;
  if (author !== 'user' || !functionResponsesOf(content).some(isRemembered)) return event;
  const parts = content?.parts?.map((part): Part => {
    const { functionResponse } = part;
    if (!functionResponse || !isRemembered(functionResponse)) return part;
    const { remember: _dropped, ...response } = functionResponse.response ?? {};
    return { ...part, functionResponse: { ...functionResponse, response } };
  });
  return event.with({ content: { ...content, parts } });
}

function isRemembered({ name, response }: NonNullable<Part['functionResponse']>): boolean {
  return isRequestName(name) && response !== undefined && 'remember' in response;
}

const OPEN_IN_ORIGINAL = Object.freeze({
  error:
    'outcome unknown: the conversation was copied while this call was open. It does not run here, and may take effect in ' +
    'the original conversation.',
  outcome: 'unknown',
});

/**
 * Responses to the calls that are open at the end of the copied events, so that neither an approval nor a crash runs a call
 * in both conversations. The calls of an agent that runs as a tool are closed before the call that runs it.
 */
function closingResponses(session: Session, copied: readonly Event[], timestamp: number): Event[] {
  const responses: Event[] = [];
  for (let open = openCalls(session, copied); open.length > 0;) {
    const origins = new Set(open.map(({ event }) => event));
    const ids = new Set(open.map(({ call }) => call.id));
    // An agent that runs as a tool makes its calls after the call that runs it.
    const added = [...origins].reverse().map((origin) => closingResponse(origin, ids, timestamp));
    responses.push(...added);
    // Logs of other kits may have several open calls of one id, of which one is found at a time.
    open = openCalls(session, [...copied, ...responses]);
  }
  return responses;
}

function openCalls(session: Session, events: readonly Event[]): OpenCall[] {
  const copy: Session = { ...keyedCopy(session), events, nextSeq: events.length };
  return PendingIndex.of(copy).calls();
}

function keyedCopy(session: Session): Omit<Session, 'events' | 'nextSeq'> {
  const { appName, userId, sessionId: id } = keyOf(session);
  return { appName, userId, id, state: {}, lastUpdateTime: session.lastUpdateTime };
}

function closingResponse(origin: Event, ids: ReadonlySet<string | undefined>, timestamp: number): Event {
  const { author, nodeInfo, branch, isolationScope, invocationId } = origin;
  const calls = functionCallsOf(origin.content).filter(({ id }) => ids.has(id));
  const parts = calls.map(({ id, name }): Part => {
    return { functionResponse: { id, name, response: OPEN_IN_ORIGINAL } };
  });
  return new Event(
    { author, nodeInfo, branch, isolationScope, content: { role: 'user', parts } },
    { invocationId, timestamp },
  );
}

/** The event that says where a conversation was copied from. */
function markerOf({ userId, sessionId }: SessionKey, last: Event | undefined, timestamp: number): Event {
  const customMetadata = { [FORKED_FROM]: { userId, sessionId, eventId: last?.id } };
  return new Event({ author: 'user', customMetadata }, { invocationId: newInvocationId(), timestamp });
}

/** The session's own keys after events. */
export function stateAfter(
  events: readonly Event[],
  updates: readonly StateUpdate[],
): Record<string, unknown> {
  const state = Object.create(null) as Record<string, unknown>;
  for (const delta of deltasOf(events, updates))
    for (const [key, value] of Object.entries(ownState(delta))) applyKey(state, key, value);
  return state;
}

/**
 * Copies the session's own artifacts under their version numbers: of each name, the versions before the first one that a
 * later event saved.
 */
async function copyArtifacts(
  artifacts: ArtifactService,
  fork: { readonly source: SessionKey; readonly target: SessionKey; readonly later: readonly Event[] },
): Promise<void> {
  const firstLater = new Map<string, number>();
  for (const { actions } of fork.later)
    for (const [name, version] of Object.entries(actions.artifactDelta))
      firstLater.set(name, Math.min(version, firstLater.get(name) ?? version));
  for (const name of await artifacts.list(fork.source)) {
    if (name.startsWith('user:')) continue;
    for (const version of await artifacts.versions(fork.source, name)) {
      if (version >= (firstLater.get(name) ?? Infinity)) break;
      const part = await artifacts.load(fork.source, name, version);
      if (part) await artifacts.save(fork.target, name, part);
    }
  }
}
