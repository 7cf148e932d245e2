import { createInterface } from 'node:readline';

import { startWorker } from '@adorn/fleet';

import { openMachine, type Place } from './open-machine.js';
import { stepClock } from './stepped-date.js';

/** `worker.child.js PLACE`: says the id of its leases, and runs invocations, and begins what is due, until it is killed. `clock MS` steps its clock. */
const { fleet, startAlarm } = await openMachine(JSON.parse(process.argv[2] ?? '') as Place);
const worker = await startWorker(fleet, { maxAttempts: 50 });
await startAlarm();
console.log(fleet.leases.worker);
process.once('SIGTERM', () => void worker.stop(3000).then(() => process.exit()));
createInterface(process.stdin).on('line', (line) => {
  stepClock(Number(line.split(' ')[1]));
});
