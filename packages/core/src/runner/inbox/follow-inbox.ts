import { setTimeout as pause } from 'node:timers/promises';

import { AdornError } from '@adorn/schema';

import type { Logger } from '../../runtime/logger.js';
import type { Runner } from '../runner.js';
import type { InboxChange } from './watch-inbox.js';

/** Who follows an inbox. */
export interface InboxFollower {
  /** Takes one change after another. If it throws, all open requests are told again. */
  readonly onChange: (change: InboxChange) => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Is told that the store has failed, and that nothing can be read any more. */
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** What follows the inbox, for the log: `the inbox webhook`. */
  readonly name: string;
}

/** The pause after the first failure, which doubles with each one that follows, and the longest one, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The codes of failures after which nothing can be read any more. */
const FINAL: readonly string[] = ['NOT_SUPPORTED', 'RUNNER_CLOSED'];

/**
 * Calls `onChange` for each open request and then for each change of them, also after the store has failed. Ends with the signal, and
 * with the runner.
 */
export async function followInbox(
  runner: Pick<Runner<unknown>, 'appName' | 'watchInbox'>,
  { onChange, signal, logger, name }: InboxFollower,
): Promise<void> {
  const { appName } = runner;
  const hasEnded = (): boolean => signal.aborted;
  for (let failures = 0; !hasEnded(); failures++) {
    try {
      for await (const change of runner.watchInbox({}, { signal })) {
        await onChange(change);
        failures = 0;
      }
    } catch (error) {
      if (AdornError.is(error) && FINAL.includes(error.code)) {
        logger.error(`${name} has ended`, { appName, error });
        return;
      }
      if (!hasEnded()) logger.warn(`${name} cannot follow the inbox, and tries again`, { appName, error });
    }
    const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
