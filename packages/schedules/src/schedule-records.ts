import { hash, randomUUID } from 'node:crypto';

import type { EffectAddress, EffectClaim, EffectLedger } from '@adorn/core/backend';

import type { Occurrence, StoredRun } from './occurrence.js';

/** Where a schedule is. */
export interface Position {
  /** Occurrences up to this time have begun, in milliseconds since 1970. */
  readonly doneUntil: number;
  /** The id of the claim that says so. */
  readonly claim: string;
  /** Until when a process is known to work on the next ones, in seconds since 1970. */
  readonly heldUntil: number;
}

/** How long a process is known to work on a schedule without a sign of life, in seconds. */
export const LEASE_S = 30;

/** What the method of an occurrence has returned: the run to begin, or nothing. */
export interface StoredResult {
  readonly run?: StoredRun;
}

/**
 * What the processes of an application agree on, in the effect ledger of their store: one entry for each schedule says up to when it
 * has begun, and is held by the process that is at work; one entry for each occurrence has what its method returned, so that whoever
 * begins it begins the same run.
 */
export class ScheduleRecords {
  constructor(
    private readonly ledger: EffectLedger,
    private readonly appName: string,
  ) {}

  /** Reads where a schedule is. One that nobody has seen begins now. @param now in seconds since 1970 */
  async read(schedule: string, now: number): Promise<Position> {
    const { claim } = await this.ledger.claim(this.addressOf(schedule), this.claimOf(now * 1_000, now, now));
    return positionOf(claim);
  }

  /** Takes a schedule to work on it. Undefined if another process has it, or was quicker. */
  async take(
    schedule: string,
    { doneUntil, claim, heldUntil }: Position,
    now: number,
  ): Promise<Position | undefined> {
    if (heldUntil > now) return undefined;
    const own = this.claimOf(doneUntil, now, now + LEASE_S);
    return this.replace(schedule, own, claim);
  }

  /** Says that the process of a position is alive. */
  async renew(schedule: string, { claim }: Position, now: number): Promise<void> {
    await this.ledger.renew(this.addressOf(schedule), claim, now + LEASE_S);
  }

  /** Gives a schedule back, done up to a time. Undefined if another process has taken it meanwhile. */
  async giveBack(
    schedule: string,
    held: Position,
    doneUntil: number,
    now: number,
  ): Promise<Position | undefined> {
    await this.renew(schedule, held, now - LEASE_S);
    return this.replace(schedule, this.claimOf(doneUntil, now, now), held.claim);
  }

  /**
   * Returns what the method of an occurrence has returned, in whatever process; calls it if nothing is stored. Of two processes that
   * call it, one stores its result, and both get that.
   */
  async resultOf(
    occurrence: Occurrence,
    now: number,
    call: () => Promise<StoredRun | undefined>,
  ): Promise<StoredResult | undefined> {
    const { id, schedule } = occurrence;
    const address = this.addressOf(schedule, id);
    const claim = { id, by: schedule, at: now, until: now };
    const { done } = await this.ledger.claim(address, claim);
    if (done) return done.result as StoredResult;
    const run = await call();
    // In the name of the user, whose erasure erases it.
    if (run) await this.ledger.claim(address, { ...claim, by: run.userId }, id);
    await this.ledger.complete(address, id, { result: run === undefined ? {} : { run }, at: now });
    const stored = await this.ledger.claim(address, claim);
    return stored.done?.result as StoredResult | undefined;
  }

  /** Deletes what the method of an occurrence returned, long after its run has begun. */
  async forget(schedule: string, occurrenceId: string): Promise<void> {
    await this.ledger.revoke(this.addressOf(schedule, occurrenceId), occurrenceId);
  }

  private async replace(schedule: string, own: EffectClaim, other: string): Promise<Position | undefined> {
    const { claim } = await this.ledger.claim(this.addressOf(schedule), own, other);
    return claim.id === own.id ? positionOf(claim) : undefined;
  }

  private claimOf(doneUntil: number, at: number, until: number): EffectClaim {
    return { id: `${String(doneUntil)}#${randomUUID()}`, by: SCOPE, at, until };
  }

  private addressOf(schedule: string, occurrence = ''): EffectAddress {
    const key = hash('sha256', occurrence, 'base64url');
    return { appName: this.appName, scope: SCOPE, tool: schedule, key };
  }
}

const SCOPE = 'adorn:schedules';

function positionOf({ id, until }: EffectClaim): Position {
  return { doneUntil: Number(id.split('#')[0]), claim: id, heldUntil: until };
}
