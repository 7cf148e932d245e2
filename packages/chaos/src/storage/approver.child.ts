import { once } from 'node:events';

import { type PendingRequest, AdornError } from '@adorn/core';
import { eventsOf } from '@adorn/testing';

import { openChaosRunner } from './chaos-agent.js';

/**
 * `approver.child.js URL EFFECTS ask COUNT` asks for so many payments; `approver.child.js URL EFFECTS approve` says
 * `ready`, waits for a line, and approves all payments; `approver.child.js URL EFFECTS pending` says how many payments
 * still wait.
 */
const [url = '', effects = '', step = '', count = '0'] = process.argv.slice(2);
const ADDRESS = { userId: 'ada', sessionId: 'payments' };
const runner = await openChaosRunner(url, effects);

if (step === 'ask') {
  for (let payment = 0; payment < Number(count); payment++) {
    await eventsOf(runner.run({ ...ADDRESS, message: `pay ${String(payment)}` }));
  }
} else if (step === 'approve') {
  const requests = await runner.pending(ADDRESS);
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  for (const request of requests) await approve(request);
} else {
  const requests = await runner.pending(ADDRESS);
  console.log(String(requests.length));
}
await runner.close();

/** Approves as a client does: again, where a run of another process took the session over, until somebody has. */
async function approve(request: PendingRequest): Promise<void> {
  for (;;) {
    try {
      await eventsOf(runner.approve(request));
      return;
    } catch (error) {
      if (AdornError.is(error) && error.code === 'REQUEST_NOT_PENDING') return;
      if (!AdornError.is(error) || error.code !== 'SESSION_TAKEN_OVER') throw error;
    }
  }
}
