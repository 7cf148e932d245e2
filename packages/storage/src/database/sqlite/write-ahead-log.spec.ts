import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Event, type SessionKey } from '@adorn/core';

import { SqlSessionService } from '../../sessions/sql-session.service.js';
import { Database } from '../database.js';
import { libsqlDriver } from './sqlite-driver.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const MIB = 1024 * 1024;

describe('the write-ahead log of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-wal-'));
  const path = join(folder, 'app.db');
  const database = new Database(path);
  const sessions = new SqlSessionService(database);

  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('shrinks once a reader that held an old state is gone', async () => {
    const session = await sessions.createSession(KEY);
    const reader = await libsqlDriver(path);
    reader.exec('begin');
    reader.prepare('select count(*) from adorn_events').all([]);

    for (let count = 0; count < 30; count++) await sessions.appendEvent(session, said('x'.repeat(MIB)));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(25 * MIB);
    reader.exec('commit');
    reader.close();
    for (let count = 0; count < 3; count++) await sessions.appendEvent(session, said('y'));

    expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(16 * MIB);
  });
});

function said(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}
