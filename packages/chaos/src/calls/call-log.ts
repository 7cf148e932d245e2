import type { Event, PendingRequest } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import type { Child } from '../child-process.js';
import { type CountingTool, deedsIn, nameOf } from './counting-tools.js';

export const APP = 'chaos';
export const ADDRESS = { userId: 'ada', sessionId: 'calls' };

/** Where one case keeps its session and the effects of its tool. */
export interface Place {
  readonly url: string;
  readonly effects: string;
}

/** What is left of a case when its last process has ended. */
export interface Outcome {
  readonly began: number;
  readonly effects: number;
  /** Whether the model was told that the outcome of the call is unknown. */
  readonly isUnknown: boolean;
}

/** What a child said last of the open requests. */
export function pendingOf({ lines }: Child): PendingRequest[] {
  const line = lines.findLast((each) => each.startsWith('pending '));
  return line === undefined ? [] : (JSON.parse(line.slice('pending '.length)) as PendingRequest[]);
}

/**
 * Reads what is left, and what holds of it whatever the tool and wherever the process died.
 *
 * @returns the fault, if it does not hold
 */
export async function readOutcome(
  place: Place,
  tool: CountingTool,
  children: readonly Child[],
): Promise<Outcome | string> {
  const events = await eventsAt(place.url);
  const deeds = deedsIn(place.effects);
  const keys = new Set(deeds.map(({ key }) => key));
  const name = nameOf(tool);
  const calls = events.flatMap(({ functionCalls }) => functionCalls).filter((call) => call.name === name);
  const responses = events
    .filter(({ author }) => author !== 'user')
    .flatMap(({ functionResponses }) => functionResponses)
    .filter((response) => response.name === name && response.willContinue !== true);
  const [response] = responses;
  const isUnknown = (response?.response as { outcome?: unknown } | undefined)?.outcome === 'unknown';
  const told = events.at(-1)?.text ?? '';
  const wasAsked = events.some(
    ({ author, functionResponses }) => author === 'user' && functionResponses.length > 0,
  );
  const last = children.at(-1);
  const faults: readonly (readonly [boolean, string])[] = [
    [new Set(events.map(({ id }) => id)).size < events.length, 'events stand there twice'],
    [lostOf(children, events) > 0, `${String(lostOf(children, events))} acknowledged events are lost`],
    [calls.length !== 1, `${String(calls.length)} calls are in the log`],
    [responses.length !== 1, `${String(responses.length)} final responses are in the log`],
    [response?.id !== calls[0]?.id, 'the response has the id of another call'],
    [!told.startsWith('told '), `the session ends with "${told}"`],
    [told.includes('"outcome":"unknown"') !== isUnknown, `the model read ${told}`],
    [
      !isUnknown && events.some(({ text }) => text.includes('unknown')),
      'the model was told of an unknown outcome while the call waited for its approval',
    ],
    [last === undefined || pendingOf(last).length > 0, 'a request still waits'],
    [keys.size > 1, `the tool was given ${String(keys.size)} keys`],
    [tool.isConfirmed && deeds.length > 0 && !wasAsked, 'the tool ran without an approval'],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault) return fault[1];
  return {
    began: deeds.filter(({ kind }) => kind === 'began').length,
    effects: deeds.filter(({ kind }) => kind === 'effect').length,
    isUnknown,
  };
}

async function eventsAt(url: string): Promise<readonly Event[]> {
  const database = new Database(url);
  try {
    const session = await new SqlSessionService(database).getSession({ appName: APP, ...ADDRESS });
    return [...(session?.events ?? [])];
  } finally {
    await database.close();
  }
}

function lostOf(children: readonly Child[], events: readonly Event[]): number {
  const kept = new Set(events.map(({ id }) => id));
  const given = children
    .flatMap(({ lines }) => lines)
    .filter((line) => line.startsWith('event '))
    .map((line) => line.slice('event '.length));
  return given.filter((id) => !kept.has(id)).length;
}
