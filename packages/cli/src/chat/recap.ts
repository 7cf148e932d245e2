import { type Event, type Session, effectiveEvents } from '@adorn/core';

import type { Line } from '../terminal/line.js';
import { renderEvent } from './render-event.js';
import type { Screen } from './screen.js';
import type { ChatSession } from './chat-session.js';

/** How many events of a conversation that is taken up are shown again. */
const SHOWN = 8;

/** Shows the end of the conversation that is taken up, without what was undone; nothing where it is new. */
export async function recap(chat: ChatSession): Promise<void> {
  const { screen } = chat;
  const session = await load(chat, { numRecentEvents: SHOWN });
  if (session === undefined || session.events.length === 0) return;
  screen.note(`Continuing the conversation after ${String(session.nextSeq)} events; /new starts another.`);
  for (const event of await latestStanding(chat, session)) screen.lines(linesOf(event, screen));
}

/** A rewind may lead back to before what was loaded: then all of the conversation is looked at. */
async function latestStanding(chat: ChatSession, { events }: Session): Promise<readonly Event[]> {
  if (!events.some(isRewind)) return events;
  const whole = await load(chat);
  return effectiveEvents(whole?.events ?? []).slice(-SHOWN);
}

function isRewind({ actions }: Event): boolean {
  return actions.rewindBeforeInvocationId !== undefined;
}

function load(
  { runner, userId, sessionId }: ChatSession,
  options: { readonly numRecentEvents?: number } = {},
): Promise<Session | undefined> {
  return runner.sessions.getSession({ appName: runner.appName, userId, sessionId }, options);
}

function linesOf(event: Event, { width }: Screen): Line[] {
  const isMessage = event.author === 'user' && event.text !== '';
  return isMessage ? [{ tone: 'note', text: `› ${event.text}` }] : renderEvent(event, { width });
}
