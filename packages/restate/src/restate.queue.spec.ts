/** @slow */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { RestateServer } from '@adorn/testing/servers';

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
import { onLaterNode } from '../../fleet/src/later-node.fixture.js';
import { Machines } from '../../fleet/src/machines.fixture.js';
import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';
import { RestateQueue } from './restate.queue.js';

const PROGRAM = join(
  process.cwd(),
  `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);
const RESTATE = {
  needing: 'The SDK of Restate',
  spec: 'restate.queue.spec',
  open: () => new RestateQueue().open(),
};

onLaterNode('Restate on a Node.js that is too old for its SDK', RESTATE, () => {
  if (existsSync(PROGRAM)) describeRestate();
  else
    it.skip('passes the contract of a queue; skipped, as @restatedev/restate-server has no program here', () =>
      undefined);
});

function describeRestate(): void {
  let prepared: string;
  let restate: RestateServer;
  let count = 0;
  beforeAll(async () => {
    const queue = (): RestateQueue => new RestateQueue();
    [prepared, restate] = await Promise.all([newPostgresDatabase(), RestateServer.start()]);
    await Machines.prepare({ url: prepared, queue, hasMachines: true });
  }, A_MINUTE);
  afterAll(async () => {
    await restate.stop();
  }, A_MINUTE);

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
      const url = await newPostgresDatabase(prepared);
      const { ingress, admin } = restate;
      // Workers of one machine share a port, so that Restate has one address of them all.
      const port = 20_000 + (process.pid % 20_000) + ++count;
      const service = `fleet${String(count)}`;
      const queue = (): RestateQueue => new RestateQueue({ ingress, admin, port, service });
      return { url, queue, hasMachines: true };
    },
    { hasMachines: true },
  );
}
