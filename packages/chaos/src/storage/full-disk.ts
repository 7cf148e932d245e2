import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CheckGroup } from '@adorn/conformance/check';
import { Event, type SessionKey } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import { sessionOf } from './session-of.js';

const KEY: SessionKey = { appName: 'chaos', userId: 'ada', sessionId: 'full' };

/** A disk of 2 MB that fills up, and has room again; the reason where no such disk can be made. */
export async function fullDisk(): Promise<CheckGroup[] | string> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-disk-'));
  const refusal = mount(folder);
  if (refusal !== undefined) {
    rmSync(folder, { recursive: true });
    return refusal;
  }
  try {
    return await fill(folder);
  } finally {
    // Lazily: libsql lets go of a file only when its statements are collected.
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  }
}

function mount(folder: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `no small disk could be mounted: ${(error as Error).message.split('\n')[0] ?? ''}`;
  }
}

async function fill(folder: string): Promise<CheckGroup[]> {
  const database = new Database(join(folder, 'app.db'));
  const sessions = new SqlSessionService(database);
  try {
    await sessions.createSession(KEY);
    const ballast = join(folder, 'ballast');
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 200_000)));
    const { acknowledged, code } = await appendUntilRefused(sessions);
    const before = await countOf(folder);
    rmSync(ballast);
    const { acknowledged: more } = await appendUntilRefused(sessions, 5);
    const after = await countOf(folder);
    return [
      {
        name: `a full disk (after ${String(acknowledged)} events)`,
        checks: [
          { what: 'the append', fault: code === 'STORAGE_FULL' ? undefined : `was ${String(code)}` },
          { what: 'the log', fault: before === acknowledged ? undefined : `holds ${String(before)}` },
          { what: 'room again', fault: more === 5 ? undefined : `only ${String(more)} of 5 were taken` },
          {
            what: 'the log then',
            fault: after === acknowledged + more ? undefined : `holds ${String(after)}`,
          },
        ],
      },
    ];
  } finally {
    await database.close();
  }
}

async function appendUntilRefused(
  sessions: SqlSessionService,
  most = 10_000,
): Promise<{ acknowledged: number; code?: string | undefined }> {
  const session = await sessionOf(sessions, KEY);
  for (let acknowledged = 0; acknowledged < most; acknowledged++) {
    const content = { role: 'model', parts: [{ text: 'x'.repeat(1000) }] };
    try {
      await sessions.appendEvent(session, new Event({ invocationId: 'e-1', author: 'ada', content }));
    } catch (error) {
      return { acknowledged, code: (error as { code?: string }).code };
    }
  }
  return { acknowledged: most };
}

/** How many events another process would find. */
async function countOf(folder: string): Promise<number> {
  const database = new Database(join(folder, 'app.db'));
  try {
    return (await new SqlSessionService(database).getSession(KEY))?.events.length ?? 0;
  } finally {
    await database.close();
  }
}
