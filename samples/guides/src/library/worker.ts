import { startSchedules } from '@adorn/schedules';
import { sqlStorage } from '@adorn/storage';
import { createRunner } from 'adorn';

import { Desk, library } from './desk.agent.js';
import { NightlySums } from './nightly-sums.js';

// In as many processes as you like.
await using runner = await createRunner(Desk, { modules: [sqlStorage('app.db'), library('library.db')] });
await using schedules = await startSchedules(runner, { services: [NightlySums] });
console.log(schedules.schedules.map(({ name }) => name));
await new Promise((resolve) => process.once('SIGTERM', resolve));
