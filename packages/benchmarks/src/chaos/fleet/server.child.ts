import { setTimeout } from 'node:timers/promises';

import { openFleet, type Submission } from '@adorn/fleet';

import { queueOf } from './engine.js';
import { openClerk } from './open-clerk.js';

/** `server.child.js URL ENGINE SESSIONS FIRST`: submits messages until it is killed, and says the text of each that was acknowledged. */
const [url = '', engine = '', sessions = '', first = ''] = process.argv.slice(2);
const fleet = await openFleet(await openClerk(url), { queue: queueOf(engine, url), url });
for (let message = Number(first); ; message++) {
  for (let session = 0; session < Number(sessions); session++) {
    const text = `${String(session)}.${String(message)}`;
    const submission = { userId: 'ada', sessionId: `s${String(session)}`, invocationId: text, message: text };
    // The store may be down: the same submission is repeated, as its caller would.
    while (!(await isAccepted(submission))) await setTimeout(200);
    console.log(text);
    await setTimeout(10);
  }
}

function isAccepted(submission: Submission): Promise<boolean> {
  return fleet.submit(submission).then(
    () => true,
    () => false,
  );
}
