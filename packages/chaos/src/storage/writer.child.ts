import { writeSync } from 'node:fs';

import { Event } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import { sessionOf } from './session-of.js';

/**
 * `writer.child.js URL NAME SESSION...`: appends to all the sessions at once until it is killed, and says
 * `SESSION NUMBER` once an event was acknowledged.
 */
const [url = '', name = '', ...ids] = process.argv.slice(2);
const sessions = new SqlSessionService(new Database(url));
await Promise.all(ids.map(appendTo));

async function appendTo(sessionId: string): Promise<never> {
  let session = await sessionOf(sessions, { appName: 'chaos', userId: 'ada', sessionId });
  for (let number = 0; ; number++) {
    session = await sessions.appendEvent(session, eventOf(number));
    writeSync(1, `${sessionId} ${String(number)}\n`);
  }
}

function eventOf(number: number): Event {
  return new Event({
    id: `${name}-${String(number)}`,
    invocationId: `e-${name}`,
    author: name,
    content: { role: 'model', parts: [{ text: 'x'.repeat(number % 50) }] },
    actions: { stateDelta: number % 3 === 0 ? { [name]: number, [`user:${name}`]: number } : {} },
  });
}
