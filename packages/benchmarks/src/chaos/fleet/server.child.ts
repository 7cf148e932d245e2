import { openFleet } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';

import { openClerk } from './open-clerk.js';

/** `server.child.js URL SESSIONS MESSAGES`: submits messages, and says the text of each that was acknowledged. */
const [url = '', sessions = '', messages = ''] = process.argv.slice(2);
const fleet = await openFleet(await openClerk(url), { queue: new PgBossQueue(url), url });
for (let message = 0; message < Number(messages); message++) {
  for (let session = 0; session < Number(sessions); session++) {
    const text = `${String(session)}.${String(message)}`;
    await fleet.submit({ userId: 'ada', sessionId: `s${String(session)}`, message: text });
    console.log(text);
  }
}
await fleet.close();
await fleet.runner.close();
