import type { Event } from '@adorn/core';

import type { Line } from '../terminal/line.js';
import { renderEvent } from './render-event.js';
import type { Screen } from './screen.js';
import type { Talk } from './talk.js';

/** How many events of a conversation that is taken up are shown again. */
const SHOWN = 8;

/** Shows the end of the conversation that is taken up; nothing where it is new. */
export async function recap({ runner, userId, sessionId, screen }: Talk): Promise<void> {
  const key = { appName: runner.appName, userId, sessionId };
  const session = await runner.sessions.getSession(key, { numRecentEvents: SHOWN });
  if (session === undefined || session.events.length === 0) return;
  screen.note(`The conversation goes on after ${String(session.nextSeq)} events; /new begins another.`);
  for (const event of session.events) screen.lines(linesOf(event, screen));
}

function linesOf(event: Event, { width }: Screen): Line[] {
  const isMessage = event.author === 'user' && event.text !== '';
  return isMessage ? [{ tone: 'note', text: `› ${event.text}` }] : renderEvent(event, { width });
}
