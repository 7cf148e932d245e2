import { hash } from 'node:crypto';

import { AdornError, OptionInvalidError, optionFault, type OptionRules, rule } from '@adorn/schema';

import { secondsIn } from '../approvals/approver-rule.js';
import { startTimer } from '../runtime/clock.js';
import type { EffectAddress, EffectEntry } from '../stores/effects/effect-ledger.js';
import type { RunSetting } from './begin/run-setting.js';
import { applyRetention, RETENTION_POLICY, type RetentionPolicy } from './retention.js';

/** What a runner deletes by age, and how often it looks. */
export interface RetentionOptions extends RetentionPolicy {
  /** How often it is applied, over all processes of the application: milliseconds, or a text such as `6h`. Default: `1h`. */
  readonly every?: number | string;
}

const RULES: OptionRules<RetentionOptions> = {
  ...RETENTION_POLICY,
  every: rule(
    (value) => (typeof value === 'string' || typeof value === 'number') && (secondsIn(value) ?? 0) >= 1,
    "Pass milliseconds, or a number with a unit, such as '6h': at least a second.",
  ),
};

/**
 * Checks the option `retention` of a runner.
 *
 * @throws {OptionInvalidError} also if it names nothing that is deleted
 */
export function checkRetention(owner: string, options: unknown): void {
  const found = optionFault(options, RULES);
  if (found) throw new OptionInvalidError(owner, `in retention, ${found.fault}`, found.cure);
  const { sessions, artifacts, memories } = options as RetentionOptions;
  if (sessions === undefined && artifacts === undefined && memories === undefined)
    throw new OptionInvalidError(
      owner,
      'retention names nothing to delete',
      "Pass sessions, artifacts or memories, such as { sessions: '90d' }.",
    );
}

/** How long a process is known to apply a policy without a renewal of its claim, in seconds. */
const LEASE_S = 30;
const RENEW_MS = 10_000;
/** The longest pause between two looks, in milliseconds: the clocks of machines differ, and are set. */
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Applies a policy of retention when its time has come. The processes of an application agree in the effect ledger of their store: one of
 * them claims each pass, and another one takes it over if it dies. The timer does not keep the process alive.
 */
export class RetentionSchedule {
  private readonly stopped = new AbortController();
  private passing: Promise<void> = Promise.resolve();
  private cancelTimer: () => void = () => undefined;

  constructor(
    private readonly setting: RunSetting,
    private readonly options: RetentionOptions,
  ) {
    this.look();
  }

  /** Waits for the end of a pass, which stops behind the conversation that it deletes. */
  async close(): Promise<void> {
    this.stopped.abort();
    this.cancelTimer();
    await this.passing;
  }

  private look(): void {
    this.passing = this.pass().then((pauseMs) => {
      if (pauseMs === undefined || this.stopped.signal.aborted) return;
      this.cancelTimer = idleTimer(this.setting, Math.min(pauseMs, LONGEST_PAUSE_MS), () => {
        this.look();
      });
    });
  }

  /** @returns how long to wait for the next one, in milliseconds; undefined for ever */
  private async pass(): Promise<number | undefined> {
    const { clock, logger } = this.setting.services;
    try {
      const id = `retention-${crypto.randomUUID()}`;
      const { claim, isNew, done } = await this.claim(id);
      if (isNew) await this.apply(id);
      const due = isNew || done ? (claim.expiresAt ?? Infinity) : claim.until;
      return Math.max(1_000, Math.ceil((due - clock.now()) * 1_000));
    } catch (error) {
      if (AdornError.is(error) && error.code === 'NOT_SUPPORTED') {
        logger.error('the option retention cannot be applied to the stores of the application', { error });
        return undefined;
      }
      logger.warn('retention could not be applied', { error });
      return this.everyMs;
    }
  }

  /** Claims the pass, also in place of a process that has died in it. */
  private async claim(id: string): Promise<EffectEntry> {
    const { clock, effects } = this.setting.services;
    const at = clock.now();
    const claim = { id, by: NAME, at, until: at + LEASE_S, expiresAt: at + this.everyMs / 1_000 };
    const entry = await effects.claim(this.address, claim);
    const isLeft = !entry.isNew && !entry.done && entry.claim.until <= at;
    return isLeft ? effects.claim(this.address, claim, entry.claim.id) : entry;
  }

  private async apply(id: string): Promise<void> {
    const { clock, effects, logger } = this.setting.services;
    const renew = (): void => {
      effects.renew(this.address, id, clock.now() + LEASE_S).catch((error: unknown) => {
        logger.warn('the claim of a pass of retention could not be renewed', { error });
      });
    };
    const timer = setInterval(renew, RENEW_MS).unref();
    try {
      const { every: _every, ...policy } = this.options;
      const report = await applyRetention(this.setting, policy, this.stopped.signal);
      if (this.stopped.signal.aborted) await effects.release(this.address, id);
      else await effects.complete(this.address, id, { result: report, at: clock.now() });
      logger.info('retention was applied', { ...report });
    } catch (error) {
      await effects.release(this.address, id).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  private get everyMs(): number {
    return (secondsIn(this.options.every ?? '1h') ?? Infinity) * 1_000;
  }

  private get address(): EffectAddress {
    return { appName: this.setting.appName, scope: NAME, tool: NAME, key: KEY };
  }
}

const NAME = 'adorn:retention';
const KEY = hash('sha256', NAME, 'base64url');

/** Calls back once, and does not keep the process alive. */
function idleTimer(
  { services: { clock } }: RunSetting,
  milliseconds: number,
  callback: () => void,
): () => void {
  if (clock.after) return startTimer(clock, milliseconds, callback);
  const timer = setTimeout(callback, milliseconds).unref();
  return () => {
    clearTimeout(timer);
  };
}
