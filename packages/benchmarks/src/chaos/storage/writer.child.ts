import { writeSync } from 'node:fs';

import { Event, type SessionKey } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

/** `writer.child.js URL SESSION NAME`: appends until it is killed, and says each number once it was acknowledged. */
const [url = '', sessionId = '', name = ''] = process.argv.slice(2);
const key: SessionKey = { appName: 'chaos', userId: 'ada', sessionId };
const sessions = new SqlSessionService(new Database(url));
let session = await sessions.getSession(key);
if (session === undefined) throw new Error('The session is not there.');
for (let number = 0; ; number++) {
  const event = new Event({
    id: `${name}-${String(number)}`,
    invocationId: `e-${name}`,
    author: name,
    content: { role: 'model', parts: [{ text: 'x'.repeat(number % 50) }] },
    actions: { stateDelta: number % 3 === 0 ? { [name]: number, [`user:${name}`]: number } : {} },
  });
  session = await sessions.appendEvent(session, event);
  writeSync(1, `${String(number)}\n`);
}
