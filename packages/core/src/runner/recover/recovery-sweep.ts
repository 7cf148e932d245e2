import { AdornError } from '@adorn/schema';
import type { Logger } from '../../runtime/logger.js';
import type { RecoveredRun, RecoverOptions } from './recover.js';
import type { Runner } from '../runner.js';

/** The interval of looking for runs whose processes died, in milliseconds. */
const SWEEP_MS = 5_000;

/** How a server recovers runs: see `RecoverOptions`. */
export type SweepOptions = Omit<RecoverOptions, 'olderThan' | 'signal'>;

/** What is recovered at the start. */
export interface SweepStart {
  /** The first time, recovers as `runner.recover` with these options does. Default: only runs whose holds have lapsed. */
  readonly atStart?: RecoverOptions;
}

/**
 * Recovers the runs of an application whose processes died, at once and then every five seconds, until it is closed. Of
 * several processes, one recovers each run. The timer does not keep the process alive.
 */
export class RecoverySweep {
  private readonly stopped = new AbortController();
  private readonly recovering = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly runner: Pick<Runner<unknown>, 'appName' | 'recover' | 'recoverLapsed'>,
    private readonly options: SweepOptions,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    { atStart }: SweepStart = {},
  ) {
    const { signal } = this.stopped;
    const lapsed = () => this.runner.recoverLapsed({ ...this.options, signal });
    this.timer = setInterval(() => {
      this.sweep(lapsed);
    }, SWEEP_MS);
    this.timer.unref();
    this.sweep(
      atStart ? () => this.runner.recover({ ...atStart, signal: either(signal, atStart.signal) }) : lapsed,
    );
  }

  /** Cancels the runs that are being recovered, and waits for their ends. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stopped.abort();
    await Promise.all(this.recovering);
  }

  private sweep(recover: Recover): void {
    const recovering: Promise<void> = this.recover(recover).finally(() => this.recovering.delete(recovering));
    this.recovering.add(recovering);
  }

  private async recover(recover: Recover): Promise<void> {
    const { appName } = this.runner;
    try {
      for (const run of await recover()) {
        const { userId, sessionId, invocationId, outcome, error } = run;
        const facts = { appName, userId, sessionId, invocationId, outcome };
        if (outcome === 'resumed') this.logger.info('an interrupted run was recovered', facts);
        else this.logger.warn('an interrupted run could not be recovered', { ...facts, error });
      }
    } catch (error) {
      // A store without records of runs, or a runner that its owner has closed.
      const isFinal =
        AdornError.is(error) && (error.code === 'NOT_SUPPORTED' || error.code === 'RUNNER_CLOSED');
      if (isFinal) clearInterval(this.timer);
      else this.logger.warn('interrupted runs could not be looked for', { appName, error });
    }
  }
}

type Recover = () => Promise<readonly RecoveredRun<unknown>[]>;

function either(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([signal, other]) : signal;
}
