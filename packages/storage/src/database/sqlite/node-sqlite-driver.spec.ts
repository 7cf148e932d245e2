import { SqlSessionService } from '../../sessions/sql-session.service.js';
import { describeSessionService } from '@adorn/testing/contracts';

import { Database } from '../database.js';
import { nodeSqliteDriver } from './node-sqlite-driver.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isThere = major > 22 || (major === 22 && minor >= 16);

if (isThere) {
  describeSessionService('SqlSessionService on node:sqlite', () => {
    const database = new Database(':memory:', { sqliteDriver: nodeSqliteDriver });
    return Promise.resolve(new SqlSessionService(database));
  });
} else {
  it.skip('node:sqlite comes with Node 22.16', () => undefined);
}
