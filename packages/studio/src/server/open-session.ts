import type { ClientRun, ClientSession, FeedbackOptions, Frame } from '@adorn/server/client';
import { isWaitingUiCall } from '@adorn/server/client';
import type { Feedback, PendingRequestData, ReadTime, UiResult } from '@adorn/core/backend';
import { batch, computed, effect, signal } from '@preact/signals';

import { threadOf } from '../conversation/thread.js';
import { isForOthers, waitsForText } from '../conversation/who-answers.js';
import { app, sessionId } from '../page/address.js';
import { announcement } from '../page/appearance.js';
import { runsOf } from '../timeline/run-timeline.js';
import { clientOf, type Fault, faultOf } from './connection.js';
import { loadSessions } from './session-list.js';

/** The frames of the session on the page. A new array whenever one was added. */
export const frames = signal<readonly Frame[]>([]);
export const pending = signal<readonly PendingRequestData[]>([]);
export const state = signal<Readonly<Record<string, unknown>>>({});
/** What people think of the answers. */
export const feedback = signal<readonly Feedback[]>([]);
/** The user of the session on the page. */
export const owner = signal<string | undefined>(undefined);
/** The id of the run that goes on; empty until the server has told it; undefined if none goes on. */
export const activeRun = signal<string | undefined>(undefined);
export const isLoading = signal(false);
/** Why the last thing that was tried failed. */
export const fault = signal<Fault | undefined>(undefined);

export const pendingIds = computed(() => new Set(pending.value.map(({ id }) => id)));
/** The request that the user of the page may answer, or else one that waits for others. */
export const foremost = computed(
  () => pending.value.find((request) => !isForOthers(request)) ?? pending.value[0],
);
export const thread = computed(() => threadOf(frames.value, pendingIds.value));
export const runIds = computed(() => runsOf(frames.value));

/** When the first piece of an answer came, by the id of its event. The log has whole answers only. */
export const firstPieces = new Map<string, number>();
const begun = new Map<string, number>();

/** Characters of a title that is made from a message. */
const MOST_TITLE = 60;

let current: { readonly id: string; readonly chat: ClientSession } | undefined;
let run: ClientRun | undefined;
let waiting: Frame[] = [];

/** A message: a text, or a content with parts. */
export type Outgoing = Parameters<ClientSession['send']>[0];

/** A message that was sent while a run went on. Its id is that of a run of its own, which is empty if another run has read it. */
interface Posted {
  readonly id: string;
  readonly message: Outgoing;
}

let posted: readonly Posted[] = [];

/** Shows the session of the address from now on. */
export function followAddress(): void {
  effect(() => {
    const id = sessionId.value;
    const name = app.value;
    if (id === current?.id) return;
    clear();
    if (id === undefined || name === undefined) return;
    const chat = clientOf(name).session(id);
    current = { id, chat };
    void load(chat);
  });
}

/** How often a session is looked at that waits for a person, who may answer elsewhere, in milliseconds. */
const LOOK_MS = 2_000;

/** Shows what somebody else has answered: an approver with another page, or another tab. */
export function followAnswers(): void {
  setInterval(() => {
    const chat = current?.chat;
    if (chat === undefined || document.hidden || activeRun.value !== undefined) return;
    if (pending.value.length > 0) void lookAt(chat).catch(() => undefined);
  }, LOOK_MS);
}

async function lookAt(chat: ClientSession): Promise<void> {
  const open = await chat.pending();
  const isSame = JSON.stringify(open) === JSON.stringify(pending.value);
  if (!isSame && isCurrent(chat) && activeRun.value === undefined) await load(chat);
}

function clear(): void {
  current = undefined;
  run = undefined;
  waiting = [];
  posted = [];
  batch(() => {
    frames.value = [];
    pending.value = [];
    state.value = {};
    feedback.value = [];
    activeRun.value = undefined;
    fault.value = undefined;
  });
}

async function load(chat: ClientSession): Promise<void> {
  isLoading.value = true;
  try {
    const active = await loadHistory(chat);
    if (active !== undefined && isCurrent(chat)) void read(chat, chat.follow(active, lastEvent()));
  } catch (error) {
    if (isCurrent(chat)) fault.value = faultOf(error);
  } finally {
    isLoading.value = false;
  }
}

async function loadHistory(chat: ClientSession): Promise<string | undefined> {
  const history = await chat.history();
  if (!isCurrent(chat)) return undefined;
  batch(() => {
    frames.value = history.frames;
    pending.value = history.pending;
    state.value = history.state;
    feedback.value = history.feedback;
    owner.value = history.userId;
  });
  return history.pending.length > 0 ? undefined : history.activeRun;
}

function lastEvent(): { lastEventId?: string } {
  const last = frames.value.findLast((frame) => 'event' in frame && frame.event !== undefined);
  return last && 'eventId' in last && last.eventId !== undefined ? { lastEventId: last.eventId } : {};
}

function isCurrent(chat: ClientSession): boolean {
  return current?.chat === chat;
}

/** Sends a message, in a new session if none is shown. */
export async function send(message: Outgoing): Promise<void> {
  try {
    const chat = await requireSession(titleOf(message));
    showOwn(message);
    await read(chat, chat.send(message));
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Sends a message while a run goes on: to that run, after it, or in its place. */
export async function steer(message: Outgoing, when: ReadTime): Promise<void> {
  const chat = current?.chat;
  if (!chat) return;
  try {
    const { id } = await chat.post(message, { when });
    if (!isCurrent(chat)) return;
    posted = [...posted, { id, message }];
    announcement.value = 'The message was sent.';
    // The run that went on has ended meanwhile.
    if (activeRun.value === undefined) await readPosted(chat);
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Reads the runs of the messages that no other run has read, one after another. */
async function readPosted(chat: ClientSession): Promise<void> {
  const [first, ...others] = posted;
  if (first === undefined || !isCurrent(chat)) return;
  posted = others;
  const stored = frames.value.find((frame) => isSentAs(frame, first.id));
  if (stored && stored.invocationId !== first.id) return readPosted(chat);
  if (!stored) showOwn(first.message);
  await read(chat, chat.follow(first.id));
}

/** True for the event of a message that was sent under an id. */
function isSentAs(frame: Frame, id: string): boolean {
  if (!('event' in frame)) return false;
  const marks: unknown = frame.event?.customMetadata;
  return (
    typeof marks === 'object' && marks !== null && 'adorn:sentAs' in marks && marks['adorn:sentAs'] === id
  );
}

/** The session of the page, or a new one. @param title of a new one */
export async function requireSession(title: string): Promise<ClientSession> {
  return current?.chat ?? createSession(title);
}

/** Creates a session that is called after its first message. */
async function createSession(title: string): Promise<ClientSession> {
  const chat = await clientOf(app.value).createSession();
  await chat.rename(title);
  current = { id: chat.id, chat };
  sessionId.value = chat.id;
  void loadSessions().catch(() => undefined);
  return chat;
}

function titleOf(message: Outgoing): string {
  const text = typeof message === 'string' ? message : textOf(message);
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE)}…` : line;
}

/** Shows a message at once. The log has it too, which is read when the run has ended. */
function showOwn(message: Outgoing): void {
  const text = typeof message === 'string' ? message : textOf(message);
  const place = { author: 'user', timestamp: Date.now() / 1000, invocationId: '', eventId: '' };
  frames.value = [...frames.value, { kind: 'text', text, ...place }];
}

function textOf(message: Exclude<Outgoing, string>): string {
  const { parts = [] } = message as {
    parts?: readonly { text?: string; inlineData?: { displayName?: string } }[];
  };
  return parts.map(({ text, inlineData }) => text ?? `(${inlineData?.displayName ?? 'file'})`).join('\n');
}

/** The answer of a person to a request. */
export type Decision =
  | {
      readonly kind: 'approve';
      readonly args?: object | undefined;
      readonly remember?: 'session' | undefined;
    }
  | { readonly kind: 'reject'; readonly reason?: string | undefined }
  | { readonly kind: 'supply'; readonly value: unknown; readonly willContinue?: boolean | undefined };

/** Answers a request. The run goes on. */
export async function answer(request: PendingRequestData, decision: Decision): Promise<void> {
  const chat = current?.chat;
  if (!chat) return;
  pending.value = pending.value.filter(({ id }) => id !== request.id);
  await read(chat, runOfAnswer(chat, request, decision));
}

/** Begins the run of an answer. */
export function runOfAnswer(chat: ClientSession, request: PendingRequestData, decision: Decision): ClientRun {
  switch (decision.kind) {
    case 'approve': {
      const { args, remember } = decision;
      return chat.approve(request, { ...(args && { args }), ...(remember && { remember }) });
    }
    case 'reject': {
      const { reason } = decision;
      return chat.reject(request, reason === undefined ? {} : { reason });
    }
    case 'supply': {
      const { value, willContinue } = decision;
      return chat.supply(request, value, willContinue === undefined ? {} : { willContinue });
    }
  }
}

/** The id under which the person at this page gives feedback, once the server has told it. */
let giver: string | undefined;

/** What the person at this page thinks of an answer. */
export function ownFeedback(eventId: string): Feedback | undefined {
  const id = giver ?? owner.value;
  return feedback.value.find((one) => one.eventId === eventId && one.by.id === id);
}

/** Says what the person at this page thinks of an answer; `score: null` takes it back. */
export async function giveFeedback(eventId: string, options: FeedbackOptions): Promise<void> {
  const chat = current?.chat;
  if (!chat) return;
  try {
    const given = await chat.feedback({ eventId }, options);
    giver = given?.by.id ?? giver;
    const history = await chat.history();
    if (!isCurrent(chat)) return;
    feedback.value = history.feedback;
    announcement.value = given ? 'The feedback was stored.' : 'The feedback was taken back.';
  } catch (error) {
    if (isCurrent(chat)) fault.value = faultOf(error);
  }
}

/** The session on the page. */
export function shownSession(): ClientSession | undefined {
  return current?.chat;
}

/** Calls a tool for the page of a call (MCP Apps), and shows the call. Resolves to its result, after what it asks is answered. */
export async function callFromUi(callId: string, name: string, args: object): Promise<UiResult> {
  const chat = current?.chat;
  if (!chat) throw new Error('The conversation is closed.');
  let outcome = await chat.callFromUi(callId, { name, arguments: args });
  if (activeRun.value === undefined && isCurrent(chat)) await loadHistory(chat);
  while (isWaitingUiCall(outcome)) {
    const made = outcome.callId;
    await until(() => !isCurrent(chat) || frames.value.some((frame) => isResultOf(frame, made)));
    if (!isCurrent(chat)) throw new Error('The conversation is closed.');
    outcome = await chat.uiCall(callId, made);
  }
  return outcome;
}

function isResultOf(frame: Frame, callId: string): boolean {
  return frame.kind === 'result' && frame.id === callId && frame.willContinue !== true;
}

/** Resolves once the signals that a condition reads make it true. */
function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!condition()) return;
      resolve();
      // It may be met before the effect exists.
      queueMicrotask(() => stop());
    });
  });
}

/** Stops the active run. */
export async function stop(): Promise<void> {
  await run?.stop().catch((error: unknown) => {
    fault.value = faultOf(error);
  });
}

async function read(chat: ClientSession, started: ClientRun): Promise<void> {
  run = started;
  batch(() => {
    activeRun.value = started.invocationId ?? '';
    fault.value = undefined;
  });
  try {
    for await (const frame of started) {
      if (!isCurrent(chat)) continue; // The run goes on, its page shows another session.
      activeRun.value = started.invocationId ?? '';
      take(frame);
    }
  } catch (error) {
    if (isCurrent(chat)) fault.value = faultOf(error);
  }
  if (isCurrent(chat)) {
    flush();
    await loadHistory(chat).catch(() => undefined);
    if (run === started) {
      activeRun.value = undefined;
      await readPosted(chat);
    }
  }
  void loadSessions().catch(() => undefined);
}

function take(frame: Frame): void {
  if (frame.kind === 'end') {
    flush();
    if (frame.status === 'failed' && frame.error) fault.value = frame.error;
    if (frame.status === 'answered') announcement.value = 'The answer is complete.';
    return;
  }
  if (frame.kind === 'request') {
    pending.value = [...pending.value.filter(({ id }) => id !== frame.request.id), frame.request];
    announcement.value = `${frame.request.tool} ${waitsForText(frame.request)}. ${frame.request.hint ?? ''}`;
  }
  notePiece(frame);
  if (waiting.length === 0) requestAnimationFrame(flush);
  waiting.push(frame);
}

function notePiece(frame: Exclude<Frame, { kind: 'end' }>): void {
  const place = frame.path ?? frame.author ?? '';
  if ('partial' in frame && frame.partial === true) {
    if (!begun.has(place)) begun.set(place, frame.timestamp);
    return;
  }
  const time = begun.get(place);
  if (time === undefined || frame.eventId === undefined) return;
  firstPieces.set(frame.eventId, time);
  begun.delete(place);
}

/** Adds what has come since the last picture. */
function flush(): void {
  if (waiting.length === 0) return;
  const [first] = waiting;
  const known = first && 'invocationId' in first ? first.invocationId : undefined;
  const before = frames.value.map((frame) =>
    frame.kind === 'text' && frame.invocationId === '' && known !== undefined
      ? { ...frame, invocationId: known }
      : frame,
  );
  frames.value = [...before, ...waiting];
  waiting = [];
}

/** Reads the session again, after something else has written to it. */
export async function reload(): Promise<void> {
  if (current) await loadHistory(current.chat);
}
