import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeInvocationQueue } from './contract.fixture.js';
import { InProcessQueue } from './in-process.queue.js';

const folder = mkdtempSync(join(tmpdir(), 'adorn-fleet-'));
let count = 0;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describeInvocationQueue(
  'a queue in the process, on SQLite',
  () =>
    Promise.resolve({
      url: join(folder, `${String(count++)}.db`),
      queue: () => new InProcessQueue(),
      hasMachines: false,
    }),
  { hasMachines: false },
);
