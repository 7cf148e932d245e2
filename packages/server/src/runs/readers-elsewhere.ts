import type { Runner, SessionKey } from '@adorn/core';

import type { ServedApps } from '../apps/served-apps.js';

/** How often a reader of a run of another process records that it is there, in milliseconds. */
const NOTE_MS = 1_000;

/** How long a reader counts after it was last recorded, in milliseconds. */
const READER_LEASE_MS = 3 * NOTE_MS;

/** Whether somebody reads a run of this process at another server with the same store. */
export async function isReadElsewhere(
  apps: Pick<ServedApps, 'get'>,
  key: SessionKey,
  invocationId: string,
): Promise<boolean> {
  const hold = await apps.get(key.appName).sessions.findHold(key);
  return hold?.id === invocationId && hold.readBefore !== undefined && hold.readBefore < READER_LEASE_MS;
}

/** Records, at most once a second, that a run of another process is read here. */
export class ReaderNotes {
  private notedAt = -Infinity;

  constructor(private readonly sessions: Runner<unknown>['sessions']) {}

  async note(key: SessionKey, run: { readonly id: string; readonly epoch: number }): Promise<void> {
    const now = performance.now();
    if (now - this.notedAt < NOTE_MS) return;
    this.notedAt = now;
    await this.sessions.noteReader({ ...key, id: run.id, epoch: run.epoch });
  }
}
