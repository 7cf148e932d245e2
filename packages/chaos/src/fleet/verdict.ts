import type { Check } from '@adorn/conformance/check';
import type { Event, Runner } from '@adorn/core';
import { type PendingRequestData, principalIn } from '@adorn/core/backend';
import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { DeedLog } from '../processes/deed-log.js';
import { peopleNeededFor } from '../processes/approver.js';
import { DONE, escalatedAfter, OWNER, REPEATABLE, UNDO } from './desk.js';
import { type Place, USER } from './open-machine.js';
import { messageOf, sessionIdOf, stepsIn } from './step.js';
import { finalTexts, undisturbedTexts } from './undisturbed.js';

/** What is left in the store, and whether it is what was promised. */
export async function verdict(
  runner: Runner<unknown>,
  place: Place,
  accepted: ReadonlySet<string>,
): Promise<Record<string, Check[]>> {
  const logs = new Map<number, readonly Event[]>();
  const sessions: Check[] = [{ what: 'inbox', fault: await inboxFault(runner.get(Database)) }];
  for (let no = 0; no < place.sessions; no++) {
    const key = { appName: runner.appName, userId: USER, sessionId: sessionIdOf(no) };
    const session = await runner.sessions.getSession(key);
    logs.set(no, session?.events ?? []);
    const pending = await runner.pending(key);
    const isOpen = session?.lastRun?.status === 'open';
    const isAsking = pending.length > 0;
    const fault = isOpen ? 'has an open run' : isAsking ? 'waits for an answer' : undefined;
    sessions.push({ what: sessionIdOf(no), fault });
  }
  return {
    'acknowledged messages in the log once': lostMessages(logs, accepted),
    'sessions at rest': sessions,
    'effects as promised': effects(logs, place.deeds),
    'approvals by as many as are needed': approvals(logs),
    'escalations in their time': escalations(logs, place),
    'undos of what was filed': undos(logs, place.deeds, accepted),
    'events without gaps, in order': [...(await gaps(runner.get(Database))), ...misorders(logs)],
    'final texts of an undisturbed run': await differences(logs, place),
  };
}

async function inboxFault(database: Database): Promise<string | undefined> {
  const { rows } = await database.run((queries) =>
    sql<{
      invocation: string;
      parked: number;
      attempts: number;
      error: string | null;
    }>`select invocation, parked,
      attempts, error from adorn_inbox`.execute(queries),
  );
  return rows.length === 0 ? undefined : `has ${JSON.stringify(rows.slice(0, 5))}`;
}

/** Messages by the ids of their invocations, as are the answers. */
function lostMessages(logs: ReadonlyMap<number, readonly Event[]>, accepted: ReadonlySet<string>): Check[] {
  const counts = new Map<string, number>();
  for (const events of logs.values())
    for (const { author, invocationId } of events)
      if (author === 'user') counts.set(invocationId, (counts.get(invocationId) ?? 0) + 1);
  return [...accepted].map((id) => {
    const times = counts.get(id) ?? 0;
    // An undo of nothing is not in the log.
    const isOnce = times === 1 || (times === 0 && id.endsWith('.u'));
    return { what: id, fault: isOnce ? undefined : `is in the log ${String(times)} times` };
  });
}

/** A repeatable tool has one key for a message, any other one effect; and what the log says is done has had its effect. */
function effects(logs: ReadonlyMap<number, readonly Event[]>, file: string): Check[] {
  const keys = new Map<string, string[]>();
  for (const { sessionId: id, tool, key } of new DeedLog(file).all()) {
    const of = `${tool} ${id}`;
    keys.set(of, [...(keys.get(of) ?? []), key]);
  }
  const checks = [...keys].map(([of, stated]) => {
    const isRepeatable = REPEATABLE.has(of.split(' ')[0] ?? '');
    const count = isRepeatable ? new Set(stated).size : stated.length;
    const kind = isRepeatable ? 'keys' : 'effects';
    return { what: of, fault: count === 1 ? undefined : `had ${String(count)} ${kind}` };
  });
  for (const events of logs.values()) {
    const ids = new Map<string, string>();
    for (const { functionCalls, functionResponses } of events) {
      for (const { id = '', args } of functionCalls) ids.set(id, String(args?.['id']));
      for (const { id = '', name = '', response } of functionResponses) {
        if (response?.['result'] !== DONE) continue;
        const of = `${name} ${ids.get(id) ?? '?'}`;
        if (name !== UNDO && !keys.has(of))
          checks.push({ what: of, fault: 'is said to be done, and had no effect' });
      }
    }
  }
  return checks;
}

/** A request of several approvers is closed by a rejection, or by as many different people as it needs. */
function approvals(logs: ReadonlyMap<number, readonly Event[]>): Check[] {
  return [...logs.values()].flatMap((events) => {
    const people = new Map<string, Set<string>>();
    const needed = new Map(
      requestsOfOthers(events).map(({ id, approvers }) => [id, peopleNeededFor(approvers)]),
    );
    return events.flatMap(({ author, functionResponses }) =>
      functionResponses.flatMap(({ id = '', response, willContinue }) => {
        const count = needed.get(id);
        if (author !== 'user' || count === undefined || response?.['confirmed'] !== true) return [];
        const approved = people.get(id) ?? new Set<string>();
        people.set(id, approved.add(principalIn(response)?.principal.id ?? ''));
        const isEnough = approved.size === count;
        const fault = `${String(approved.size)} of ${String(count)} have approved, and it is ${isEnough ? 'open' : 'closed'}`;
        return [{ what: id, fault: isEnough === (willContinue !== true) ? undefined : fault }];
      }),
    );
  });
}

/** The requests that others than the user answer. */
function requestsOfOthers(events: readonly Event[]): WithApprovers[] {
  return events.flatMap(({ pending }) =>
    pending.filter((request): request is WithApprovers => (request.approvers ?? []).length > 0),
  );
}

type WithApprovers = PendingRequestData & Required<Pick<PendingRequestData, 'approvers'>>;

/** The director answers no release before its time, by the clocks of the machines that asked and answered. */
function escalations(logs: ReadonlyMap<number, readonly Event[]>, { pace }: Place): Check[] {
  return [...logs.values()].flatMap((events) => {
    const released = new Map(
      requestsOfOthers(events)
        .filter(({ tool }) => tool === 'release')
        .map(({ id, askedAt = Infinity }) => [id, askedAt]),
    );
    return events.flatMap(({ author, functionResponses }) =>
      functionResponses.flatMap(({ id = '', response }) => {
        const askedAt = released.get(id);
        const answering = principalIn(response);
        if (author !== 'user' || askedAt === undefined || answering === undefined) return [];
        if (answering.principal.id === OWNER.id) return [{ what: `${id} of the owner`, fault: undefined }];
        const waited = (answering.at ?? 0) - askedAt;
        const fault = `was answered ${String(waited)} s after it was asked`;
        return [{ what: id, fault: waited >= escalatedAfter(pace) / 1000 ? undefined : fault }];
      }),
    );
  });
}

/** What was filed, and whose undo was accepted, is withdrawn, unless nobody knows the outcome. Nothing else is withdrawn. */
function undos(
  logs: ReadonlyMap<number, readonly Event[]>,
  file: string,
  accepted: ReadonlySet<string>,
): Check[] {
  const deeds = new DeedLog(file).all();
  const had = (tool: string): Set<string> =>
    new Set(deeds.filter((deed) => deed.tool === tool).map(({ sessionId: id }) => id));
  const [filed, withdrawn] = [had('file'), had(UNDO)];
  const checks: Check[] = [...withdrawn]
    .filter((id) => !filed.has(id))
    .map((id) => ({ what: id, fault: 'was withdrawn, and had not been filed' }));
  for (const events of logs.values()) {
    const responses = events.flatMap(({ invocationId, functionResponses }) =>
      functionResponses.map(({ name, response = {} }) => ({ of: messageOf(invocationId), name, response })),
    );
    for (const { response, of } of responses.filter(({ name }) => name === 'file')) {
      if (response['filed'] !== of || !accepted.has(`${of}.u`)) continue;
      const end = responses.find(({ name, of: id }) => name === UNDO && id === of)?.response;
      const isDone = end?.['result'] === DONE && withdrawn.has(of);
      const isKnown = end?.['outcome'] !== 'unknown';
      checks.push({
        what: of,
        fault: isDone || !isKnown ? undefined : `its undo says ${JSON.stringify(end)}`,
      });
    }
  }
  return checks;
}

/** The rows of the table itself: a reader numbers what it reads. */
async function gaps(database: Database): Promise<Check[]> {
  const { rows } = await database.run((queries) =>
    sql<{ id: string; count: string; last: number; ids: string }>`select session.id, count(*) as count,
      max(event.seq) as last, count(distinct event.id) as ids
      from adorn_events event join adorn_sessions session on session.no = event.session_no group by session.id`.execute(
      queries,
    ),
  );
  return rows.map(({ id, count, last, ids }) => {
    const isWhole = Number(count) === last + 1 && ids === count;
    const fault = `has ${count} events of ${ids} ids up to ${String(last)}`;
    return { what: id, fault: isWhole ? undefined : fault };
  });
}

/** The invocations of a session do not overlap, and begin in the order in which they were accepted. */
function misorders(logs: ReadonlyMap<number, readonly Event[]>): Check[] {
  return [...logs].map(([no, events]) => {
    const ids = events.map(({ invocationId }) => invocationId);
    const begun = ids.filter((id, index) => id !== ids[index - 1]);
    const wanted = [...new Set(ids)].sort(byPlace);
    const isInOrder = JSON.stringify(begun) === JSON.stringify(wanted);
    return { what: sessionIdOf(no), fault: isInOrder ? undefined : `ran ${begun.join(', ')}` };
  });
}

/** `3.10.0` comes behind `3.9.2`, and `3.9.2.a` too. */
function byPlace(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

async function differences(logs: ReadonlyMap<number, readonly Event[]>, place: Place): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [session, events] of logs) {
    const steps = stepsIn(events.map(({ invocationId }) => invocationId));
    const deeds = `${place.deeds}.undisturbed`;
    const wanted = await undisturbedTexts({ seed: place.seed, session, deeds }, steps);
    const found = finalTexts(events);
    for (const id of new Set([...wanted.keys(), ...found.keys()])) {
      const isSame = wanted.get(id) === found.get(id);
      const texts = `says ${String(found.get(id))} instead of ${String(wanted.get(id))}`;
      const fault = isSame ? undefined : `${texts}; its log: ${logOf(events, id)}`;
      checks.push({ what: id, fault });
    }
  }
  return checks;
}

/** The events of an invocation and of the answer to it, in short. */
function logOf(events: readonly Event[], id: string): string {
  return events
    .filter(({ invocationId }) => invocationId.startsWith(messageOf(id)))
    .map(({ author, invocationId, text, functionCalls, functionResponses, errorCode = '' }) => {
      const calls = functionCalls.map(({ name }) => `${String(name)}()`);
      const responses = functionResponses.map(({ response }) => JSON.stringify(response).slice(0, 60));
      return [`${invocationId}/${author}`, text.slice(0, 20), ...calls, ...responses, errorCode].join(' ');
    })
    .join(' · ');
}
