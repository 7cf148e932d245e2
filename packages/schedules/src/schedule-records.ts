import { hash, randomUUID } from 'node:crypto';

import type { Runner } from '@adorn/core';
import { type EffectAddress, type EffectClaim, EffectLedger } from '@adorn/core/backend';

import type { Occurrence, StoredRun } from './occurrence.js';

/** Where a schedule is. */
export interface Position {
  /** Occurrences up to this time have begun, in milliseconds since 1970. */
  readonly doneUntil: number;
  /**
   * Up to when occurrences were due when the process took them that is at work, or died at it, in milliseconds since 1970. Undefined if
   * none is, or has.
   */
  readonly begunUntil: number | undefined;
  /** The id of the claim that says so. */
  readonly claim: string;
  /** Until when a process is known to work on the next ones, in seconds since 1970. */
  readonly heldUntil: number;
}

/** How long a process is known to work on a schedule without a sign of life, in seconds. */
export const LEASE_S = 30;

/** What is stored of what the method of an occurrence has returned. */
interface StoredResult {
  /** The ids of the runs to begin, each of which has an entry of its own, in the name of its user. */
  readonly runs?: readonly string[];
  /** The run itself, which earlier versions stored here. */
  readonly run?: Omit<StoredRun, 'id'>;
}

/**
 * What the processes of an application agree on, in the effect ledger of their store: one entry for each schedule says up to when it
 * has begun, and is held by the process that is at work; one entry for each occurrence, and for each of its runs, has what its method
 * returned, so that whoever begins it begins the same runs.
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
    { doneUntil, begunUntil, claim, heldUntil }: Position,
    now: number,
  ): Promise<Position | undefined> {
    if (heldUntil > now) return undefined;
    const own = this.claimOf(doneUntil, now, now + LEASE_S, begunUntil ?? Math.floor(now * 1_000));
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
   * Returns the runs that the method of an occurrence has returned, in whatever process; calls it if nothing is stored. Of two
   * processes that call it, one stores its result, and both get that. The runs of users who were erased meanwhile are left out.
   */
  async runsOf(
    occurrence: Occurrence,
    now: number,
    call: () => Promise<readonly StoredRun[]>,
  ): Promise<readonly StoredRun[]> {
    const { id, schedule } = occurrence;
    const address = this.addressOf(schedule, id);
    const claim = { id, by: schedule, at: now, until: now };
    const { done } = await this.ledger.claim(address, claim);
    if (!done) {
      const runs = await call();
      for (const run of runs) await this.keepRun(schedule, run, now);
      await this.ledger.complete(address, id, { result: { runs: runs.map((run) => run.id) }, at: now });
    }
    return this.readRuns(occurrence, claim);
  }

  /** Deletes what the method of an occurrence returned, long after its runs have begun. */
  async forget(schedule: string, occurrenceId: string, now: number): Promise<void> {
    const address = this.addressOf(schedule, occurrenceId);
    const claim = { id: occurrenceId, by: schedule, at: now, until: now };
    const { done } = await this.ledger.claim(address, claim);
    const { runs = [] } = (done?.result ?? {}) as StoredResult;
    for (const id of runs) await this.ledger.revoke(this.addressOfRun(schedule, id), id);
    await (done ? this.ledger.revoke(address, occurrenceId) : this.ledger.release(address, occurrenceId));
  }

  /** Keeps a run in the name of its user, whose erasure erases it. */
  private async keepRun(schedule: string, { id, ...run }: StoredRun, now: number): Promise<void> {
    const address = this.addressOfRun(schedule, id);
    await this.ledger.claim(address, { id, by: run.userId, at: now, until: now });
    await this.ledger.complete(address, id, { result: { run }, at: now });
  }

  private async readRuns({ id, schedule }: Occurrence, claim: EffectClaim): Promise<readonly StoredRun[]> {
    const { done } = await this.ledger.claim(this.addressOf(schedule, id), claim);
    const { run, runs = [] } = (done?.result ?? {}) as StoredResult;
    if (run) return [{ ...run, id }];
    const found: StoredRun[] = [];
    for (const runId of runs) {
      const entry = await this.ledger.claim(this.addressOfRun(schedule, runId), { ...claim, id: runId });
      const stored = (entry.done?.result ?? {}) as StoredResult;
      if (stored.run) found.push({ ...stored.run, id: runId });
    }
    return found;
  }

  private async replace(schedule: string, own: EffectClaim, other: string): Promise<Position | undefined> {
    const { claim } = await this.ledger.claim(this.addressOf(schedule), own, other);
    return claim.id === own.id ? positionOf(claim) : undefined;
  }

  private claimOf(doneUntil: number, at: number, until: number, begunUntil?: number): EffectClaim {
    const position = [doneUntil, ...(begunUntil === undefined ? [] : [begunUntil])];
    return { id: [...position, randomUUID()].join('#'), by: SCOPE, at, until };
  }

  private addressOfRun(schedule: string, runId: string): EffectAddress {
    return this.addressOf(schedule, `run ${runId}`);
  }

  private addressOf(schedule: string, occurrence = ''): EffectAddress {
    const key = hash('sha256', occurrence, 'base64url');
    return { appName: this.appName, scope: SCOPE, tool: schedule, key };
  }
}

/** The records of the schedules of a runner. */
export function recordsOf(runner: Runner<unknown>): ScheduleRecords {
  return new ScheduleRecords(runner.get(EffectLedger), runner.appName);
}

const SCOPE = 'adorn:schedules';

function positionOf({ id, until }: EffectClaim): Position {
  const [doneUntil, begunUntil, uuid] = id.split('#');
  return {
    doneUntil: Number(doneUntil),
    begunUntil: uuid === undefined ? undefined : Number(begunUntil),
    claim: id,
    heldUntil: until,
  };
}
