import { once } from 'node:events';

import { AdornError } from '@adorn/core';
import { eventsOf } from '@adorn/testing';

import { openChaosRunner } from './chaos-agent.js';

/**
 * `approver.child.js URL EFFECTS ask COUNT` asks for so many payments; `approver.child.js URL EFFECTS approve` says
 * `ready`, waits for a line, approves all payments, and says how many approvals it won.
 */
const [url = '', effects = '', step = '', count = '0'] = process.argv.slice(2);
const ADDRESS = { userId: 'ada', sessionId: 'payments' };
const runner = await openChaosRunner(url, effects);

if (step === 'ask') {
  for (let payment = 0; payment < Number(count); payment++) {
    await eventsOf(runner.run({ ...ADDRESS, message: `pay ${String(payment)}` }));
  }
} else {
  const requests = await runner.pending(ADDRESS);
  console.log('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  let won = 0;
  for (const request of requests) {
    try {
      await eventsOf(runner.approve(request));
      won++;
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'REQUEST_NOT_PENDING') throw error;
    }
  }
  console.log(String(won));
}
await runner.close();
