import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { FunctionResponse } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import { answersCalls, isRequestName, requestsOf } from '../events/pending-request.js';

/** The calls of one event, or one request to a person, and all events that answer them. */
interface Batch {
  /** Indexes of events, the event with the calls first. */
  readonly events: number[];
  /** Ids without a final answer. */
  readonly open: Set<string>;
}

/**
 * The events that a summary must not cover: events of calls without a final answer, and of calls whose events are not
 * all within the covered range. So a call and its responses stay together, and open requests can still be answered.
 *
 * @param isSpanned whether the event at an index is within the covered range
 * @returns indexes of the events
 */
export function unfinishedCalls(
  events: readonly Event[],
  isSpanned: (index: number) => boolean,
): ReadonlySet<number> {
  const batches = batchesOf(events);
  const isUnfinished = ({ open, events: own }: Batch): boolean => open.size > 0 || !own.every(isSpanned);
  const held = new Set<number>();
  const unfinished = new Set([...batches.values()].flat().filter(isUnfinished));
  // The set grows while it is iterated.
  for (const batch of unfinished) {
    for (const index of batch.events) {
      held.add(index);
      for (const other of batches.get(index) ?? []) unfinished.add(other);
    }
  }
  return held;
}

/** The batches of each event: an event may answer calls of several. */
function batchesOf(events: readonly Event[]): Map<number, Batch[]> {
  const byEvent = new Map<number, Batch[]>();
  const byCall = new Map<string, Batch>();
  for (const [index, event] of events.entries()) {
    const begun = [...callsOf(event, index, byCall), ...requestsIn(event, index, byCall)];
    const responses = answersCalls(event) ? functionResponsesOf(event.content) : [];
    const continued = responses.flatMap((response) => settle(response, event.author, byCall));
    for (const batch of continued) batch.events.push(index);
    byEvent.set(index, [...begun, ...continued]);
  }
  return byEvent;
}

function callsOf({ content }: Event, index: number, byCall: Map<string, Batch>): Batch[] {
  if (content?.role === 'user') return [];
  const calls = functionCallsOf(content).filter(({ name }) => !isRequestName(name));
  if (calls.length === 0) return [];
  const batch = { events: [index], open: new Set(calls.map(({ id = '' }) => id)) };
  for (const id of batch.open) byCall.set(id, batch);
  return [batch];
}

/** Requests to a person. They are answered under their own id or under the id of the call. */
function requestsIn(event: Event, index: number, byCall: Map<string, Batch>): Batch[] {
  const requests = requestsOf(event).filter(({ kind }) => kind !== 'result');
  return requests.map(({ id, functionCallId }) => {
    const batch = { events: [index], open: new Set([id]) };
    byCall.set(requestKey(id), batch);
    byCall.set(requestKey(functionCallId), batch);
    return batch;
  });
}

function settle(
  { id = '', name, willContinue }: FunctionResponse,
  author: string,
  byCall: ReadonlyMap<string, Batch>,
): Batch[] {
  const isAnswer = isRequestName(name);
  const batch = byCall.get(isAnswer ? requestKey(id) : id);
  if (batch === undefined || (isAnswer && author !== 'user')) return [];
  if (isAnswer) batch.open.clear();
  else if (willContinue !== true) batch.open.delete(id);
  return [batch];
}

function requestKey(id: string): string {
  return `request ${id}`;
}
