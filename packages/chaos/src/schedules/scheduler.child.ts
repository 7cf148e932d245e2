import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { startSchedules } from '@adorn/schedules';

import { stepClock } from '../fleet/stepped-date.js';
import { openWatch } from './scheduled-agent.js';

/** `scheduler.child.js URL`: begins schedules, and what dead processes left; a line of its input sets its clock by milliseconds. */
const [url = ''] = process.argv.slice(2);
const runner = await openWatch(url);
createInterface(process.stdin).on('line', (line) => {
  stepClock(Number(line));
});
await startSchedules(runner);
writeSync(1, 'ready\n');
setInterval(() => void runner.recoverLapsed().catch(() => undefined), 1_000);
