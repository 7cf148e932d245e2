import type { FunctionCall } from '@adorn/core';
import type { LiveEvent, LiveToolResponse } from '@adorn/core/backend';

import type { LiveReader } from './live-reader.js';
import type { ScriptedLiveConnection } from './scripted-live-connection.js';

/** Something that a session has sent to a scripted live model, in the order in which it was sent. */
export type LiveSent =
  | { readonly kind: 'text'; readonly text: string; readonly respond: boolean }
  | { readonly kind: 'audio'; readonly data: Uint8Array }
  | { readonly kind: 'endAudio' }
  | { readonly kind: 'video'; readonly data: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'activity'; readonly activity: 'start' | 'end' }
  | { readonly kind: 'response'; readonly response: LiveToolResponse }
  | { readonly kind: 'interrupt'; readonly playedMs: number }
  | { readonly kind: 'update'; readonly instruction: string; readonly tools: readonly string[] }
  | { readonly kind: 'close' };

/**
 * A step of a scripted live model: events that it reports, a wait, a failure, or a function that is given the open
 * connection, and returns the steps that are played next.
 */
export type LiveStep =
  | LiveEvent
  | readonly LiveStep[]
  | {
      readonly kind: 'until';
      readonly isMet: (sent: LiveSent) => boolean;
      readonly times: number;
      /** What is waited for, such as `audio`. */
      readonly what: string;
      /** True if the connection before has closed within the wait: all that was sent on the next one counts. Default: false. */
      readonly isContinued?: boolean;
    }
  | {
      readonly kind: 'untilRead';
      /** Reads the events of the session that the model follows. */
      readonly read: (session: LiveReader) => Promise<unknown>;
      /** What is waited for, such as `state.mood`. */
      readonly what: string;
    }
  | { readonly kind: 'pause'; readonly milliseconds: number }
  | { readonly kind: 'refuse'; readonly error: Error }
  | ((connection: ScriptedLiveConnection) => LiveStep | undefined | Promise<LiveStep | undefined>);

/** The model speaks a text: 20 ms of audio per word, the transcript, and the end of its turn. */
export function speaks(text: string): readonly LiveEvent[] {
  return [...speech(text), { kind: 'generationComplete' }, { kind: 'turnComplete' }];
}

/** The model begins to speak a text, and does not end its turn. */
export function speech(text: string): readonly LiveEvent[] {
  return text.split(/(?<= )/).flatMap((word): LiveEvent[] => [
    { kind: 'audio', data: SILENT_PIECE },
    { kind: 'outputTranscript', text: word },
  ]);
}

/** The model writes a text, in a conversation with answers as text, and ends its turn. */
export function writes(text: string): readonly LiveEvent[] {
  return [{ kind: 'text', text }, { kind: 'generationComplete' }, { kind: 'turnComplete' }];
}

/** The transcription of the user's speech. */
export function hears(text: string): LiveEvent {
  return { kind: 'inputTranscript', text, finished: true };
}

/** The model calls a tool. */
export function callsLive(name: string, args: Record<string, unknown> = {}, id?: string): LiveEvent {
  return { kind: 'toolCall', calls: [{ id, name, args }] };
}

/** The model calls several tools at once. */
export function callsAllLive(...calls: readonly FunctionCall[]): LiveEvent {
  return { kind: 'toolCall', calls };
}

/** The model does not need calls any more. */
export function cancelsCalls(...ids: readonly string[]): LiveEvent {
  return { kind: 'toolCallCancellation', ids };
}

/** The user interrupts the model, whose turn ends. */
export function isInterrupted(): readonly LiveEvent[] {
  return [{ kind: 'interrupted' }, { kind: 'turnComplete' }];
}

/** The end of a turn without words. */
export function endsTurn(): LiveEvent {
  return { kind: 'turnComplete' };
}

/** The connection can be continued by this handle. */
export function isResumable(handle: string): LiveEvent {
  return { kind: 'resumption', handle };
}

/** The provider will close the connection. */
export function goesAway(timeLeftMs = 60_000): LiveEvent {
  return { kind: 'goAway', timeLeftMs };
}

/** The connection drops. The rest of the script is played on the next connection. */
export function drops(reason = 'the connection was lost'): LiveEvent {
  return { kind: 'closed', clean: false, reason };
}

/** The next attempts to connect fail. */
export function refuses(error: Error, times = 1): readonly LiveStep[] {
  return Array.from({ length: times }, () => ({ kind: 'refuse', error }));
}

/** Each event twice in a row. */
export function twice(events: LiveEvent | readonly LiveEvent[]): readonly LiveEvent[] {
  const all = isEvents(events) ? events : [events];
  return all.flatMap((event) => [event, event]);
}

/** Steps after a while, by the clock of the model. */
export function after(milliseconds: number, step: LiveStep = []): LiveStep {
  return [{ kind: 'pause', milliseconds }, step];
}

/**
 * Waits until the user has written something, or the session has prompted the model. Like each wait, it counts what is sent from
 * then on: what was sent before the script came to it is not waited for.
 */
export function untilText(times = 1): LiveStep {
  return { kind: 'until', isMet: (sent) => sent.kind === 'text' && sent.respond, times, what: 'text' };
}

/** Waits for chunks of speech. */
export function untilAudio(times = 1): LiveStep {
  return { kind: 'until', isMet: ({ kind }) => kind === 'audio', times, what: 'audio' };
}

/** Waits for responses to calls: of one id, or of any. */
export function untilResponse(id?: string, times = 1): LiveStep {
  const isMet = (sent: LiveSent): boolean =>
    sent.kind === 'response' && (id === undefined || sent.response.id === id);
  const what = id === undefined ? 'a response' : `the response to ${id}`;
  return { kind: 'until', isMet, times, what };
}

/** Waits for anything that the session sends. */
export function untilSent(isMet: (sent: LiveSent) => boolean, times = 1): LiveStep {
  return { kind: 'until', isMet, times, what: `untilSent(${isMet.toString()})` };
}

/**
 * Waits until the session has written a value to the state, such as a tool that listens, also if it has written it before.
 * The model reads the session by `follow`.
 *
 * @param key with its prefix, such as `mood` or `user:tier`
 * @param wanted the value, or a function that is true for it. Default: any value but null
 */
export function untilState(key: string, wanted?: unknown): LiveStep {
  return { kind: 'untilRead', read: (session) => session.toState(key, wanted), what: `state.${key}` };
}

/**
 * Waits until a tool has yielded while it runs; further waits are for its further yields. The model reads the session by `follow`.
 *
 * @param tool the tool's name, such as `listen`. Default: any tool
 */
export function untilYield(tool?: string): LiveStep {
  const what = tool === undefined ? 'a yield' : `a yield of ${tool}`;
  return { kind: 'untilRead', read: (session) => session.toYield(tool), what };
}

function isEvents(events: LiveEvent | readonly LiveEvent[]): events is readonly LiveEvent[] {
  return Array.isArray(events);
}

/** 20 ms of silence at 24,000 samples per second. */
const SILENT_PIECE = new Uint8Array(960);
