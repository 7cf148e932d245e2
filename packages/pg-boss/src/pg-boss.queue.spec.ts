/** @slow @waits */

import { describeInvocationQueue } from '../../fleet/src/contract.fixture.js';
import { onLaterNode } from '../../fleet/src/later-node.fixture.js';
import { Machines } from '../../fleet/src/machines.fixture.js';
import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';
import { PgBossQueue } from './pg-boss.queue.js';

const PG_BOSS = {
  needing: 'pg-boss',
  spec: 'pg-boss.queue.spec',
  open: () => new PgBossQueue('postgres://localhost/none').open(),
};

onLaterNode('pg-boss on a Node.js that is too old for it', PG_BOSS, () => {
  let prepared: string;
  const worldAt = (url: string) => ({ url, queue: () => new PgBossQueue(url), hasMachines: true });
  beforeAll(async () => {
    prepared = await newPostgresDatabase();
    await Machines.prepare(worldAt(prepared));
  }, A_MINUTE);

  describeInvocationQueue('pg-boss', async () => worldAt(await newPostgresDatabase(prepared)), {
    hasMachines: true,
  });
});
