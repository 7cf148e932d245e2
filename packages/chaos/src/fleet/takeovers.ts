import { setTimeout } from 'node:timers/promises';

import type { Check } from '@adorn/conformance/check';
import type { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { HEARTBEAT_MS } from './open-machine.js';

/** Milliseconds that a takeover may take: the heartbeat, and three seconds to find and begin it. */
const LIMIT_MS = HEARTBEAT_MS + 3000;
const LOOK_MS = 100;
/** Milliseconds after which one that is late is not waited for. */
const GIVEN_UP_MS = 60_000;

/** What a worker had when it died or stood still. */
interface HeldSession {
  readonly session: string;
  readonly session_id: string;
}

/** Measures how long the sessions of lost workers wait until another one has them. */
export class Takeovers {
  readonly times: number[] = [];
  readonly checks: Check[] = [];
  private readonly watches = new Set<Promise<void>>();
  private outages = 0;

  constructor(private readonly database: Database) {}

  /** Nobody can take over while the store is down: what is waited for is not counted. */
  async during(outage: () => Promise<void>): Promise<void> {
    this.outages++;
    await outage();
    this.outages++;
  }

  /** @param worker the id of a worker that was just lost */
  watch(worker: string | undefined): void {
    if (worker === undefined) return;
    const watch = this.follow(worker, performance.now())
      // The store went down.
      .catch(() => undefined)
      .finally(() => this.watches.delete(watch));
    this.watches.add(watch);
  }

  async settled(): Promise<void> {
    await Promise.all(this.watches);
  }

  private async follow(worker: string, lostAt: number): Promise<void> {
    const { outages } = this;
    let held = await this.heldBy(worker);
    while (held.length > 0 && performance.now() - lostAt < GIVEN_UP_MS) {
      await setTimeout(LOOK_MS);
      const left = await this.heldBy(worker);
      if (this.outages !== outages) return;
      const isLeft = ({ session }: HeldSession): boolean => left.some((one) => one.session === session);
      for (const one of held.filter((each) => !isLeft(each))) this.record(one, performance.now() - lostAt);
      held = held.filter(isLeft);
    }
    for (const one of held) this.record(one, performance.now() - lostAt);
  }

  private record({ session_id: sessionId }: HeldSession, ms: number): void {
    this.times.push(ms);
    const fault = ms <= LIMIT_MS ? undefined : `was taken over after ${(ms / 1000).toFixed(1)} s`;
    this.checks.push({ what: sessionId, fault });
  }

  private async heldBy(worker: string): Promise<readonly HeldSession[]> {
    const { rows } = await this.database.run((queries) =>
      sql<HeldSession>`select session, session_id from adorn_leases where worker = ${worker}
        and expires_at > 0`.execute(queries),
    );
    return rows;
  }
}
