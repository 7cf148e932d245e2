import { setTimeout as sleep } from 'node:timers/promises';

import Libsql from 'libsql';

import { seededRandom } from '../seeded-random.js';

/** `locker.child.js PATH SEED`: another program, which takes the lock of a SQLite file at random until it is killed. */
const [path = '', seed = '1'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const database = new Libsql(path);
database.exec('PRAGMA busy_timeout = 30000');
database.exec('create table if not exists theirs (value integer)');

for (;;) {
  database.exec('begin immediate');
  await sleep(random() * 60);
  if (random() < 0.5) database.exec('insert into theirs values (1)');
  database.exec(random() < 0.8 ? 'commit' : 'rollback');
  console.log('released');
  await sleep(random() * 100);
}
