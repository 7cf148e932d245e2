/** @slow @waits */

import { existsSync } from 'node:fs';
import { connect } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { RestateServer } from '@adorn/testing/servers';

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
import { onLaterNode } from '../../fleet/src/later-node.fixture.js';
import { Machines } from '../../fleet/src/machines.fixture.js';
import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';
import { RestateQueue, type RestateQueueOptions } from './restate.queue.js';

const PROGRAM = join(
  process.cwd(),
  `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);
const RESTATE = {
  needing: 'The SDK of Restate',
  spec: 'restate.queue.spec',
  open: () => new RestateQueue().open(),
};

describe('the worker of RestateQueue', () => {
  it.each<[RestateQueueOptions]>([
    [{ host: '0.0.0.0' }],
    [{ host: '::' }],
    [{ host: '10.0.0.5', identityKeys: [] }],
    [{ host: 'worker.example', dangerouslyAllowUnauthenticatedRemote: false }],
  ])('does not listen for other machines without a key of Restate: %j', (options) => {
    expect(() => new RestateQueue(options)).toThrow(
      expect.objectContaining({ code: 'RESTATE_WORKER_OPEN' }) as Error,
    );
  });

  it.each<[RestateQueueOptions]>([
    [{}],
    [{ host: '127.0.0.1' }],
    [{ host: '::1' }],
    [{ host: '0.0.0.0', identityKeys: ['publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9'] }],
    [{ host: '0.0.0.0', dangerouslyAllowUnauthenticatedRemote: true }],
  ])('is opened with %j', (options) => {
    expect(() => new RestateQueue(options)).not.toThrow();
  });
});

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

  it('listens at this machine alone, and answers no request that its Restate has not signed', async () => {
    const { ingress, admin } = restate;
    const port = 20_000 + (process.pid % 20_000) + ++count;
    const identityKeys = ['publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9'];
    const open = new RestateQueue({ ingress, admin, port, service: `open${String(port)}` });
    const signed = new RestateQueue({ ingress, admin, port: port + 1, service: 'signed', identityKeys });
    try {
      await open.take(() => Promise.resolve(), 1);
      // Restate here signs nothing, so its own discovery is refused, too.
      await expect(signed.take(() => Promise.resolve(), 1)).rejects.toMatchObject({
        code: 'RESTATE_REQUEST_FAILED',
      });

      expect(await statusAt('127.0.0.1', port)).toBe(200);
      expect(await statusAt('127.0.0.1', port + 1)).toBe(401);
      for (const address of otherAddresses()) expect(await statusAt(address, port)).toBe('ECONNREFUSED');
    } finally {
      count++;
      await Promise.all([open.close(0), signed.close(0)]);
    }
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

/** The status of the discovery of a worker, or the code of the connection's error. */
function statusAt(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const client = connect(`http://${host}:${String(port)}`);
    client.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    const accept = 'application/vnd.restate.endpointmanifest.v4+json';
    const request = client.request({ ':method': 'GET', ':path': '/discover', accept });
    request.on('error', () => undefined);
    request.on('response', ({ ':status': status }) => {
      resolve(status);
      client.destroy();
    });
  });
}

function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}
