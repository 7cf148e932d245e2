import { randomUUID } from 'node:crypto';

import { checkOptions, LIMIT, type OptionRules, required, TEXT } from '@adorn/core/backend';
import {
  digestOf,
  digestOfNames,
  type InvocationAddress,
  type InvocationHandler,
  InvocationQueue,
  NodeTooOldError,
  POSTGRES_URL,
  type PutOptions,
} from '@adorn/fleet';
import type { PgBoss } from 'pg-boss';

export interface PgBossQueueOptions {
  /** The schema of pg-boss's tables. Default: `adorn_queue`. */
  readonly schema?: string;
  /** Seconds without a heartbeat after which the address of a worker is delivered to another one. At least 10, the default. */
  readonly heartbeat?: number;
}

const OPTIONS: OptionRules<PgBossQueueOptions> = { schema: TEXT, heartbeat: LIMIT };

const QUEUE = 'adorn_invocations';
/** Of what is due later. Apart, as a claim in a queue with keys reads all that is in it, and so would grow with the timers. */
const TIMERS = 'adorn_timers';
const TIMERS_AT_ONCE = 100;

/** Seconds after which a place looks for what no notification has told of: retries, and what a lost listener has missed. */
const LOOK = 1;
/** A place that finds something wakes the next one, so that one of them has to look. */
const LOOK_OF_OTHERS = 30;

/** Seconds: just less than what pg-boss allows. A run is not limited by its queue; a dead worker is found by its heartbeat. */
const EXPIRES_IN = 86_000;

/** The addresses in pg-boss, on the PostgreSQL of the sessions or another one. */
export class PgBossQueue extends InvocationQueue {
  private boss: PgBoss | undefined;

  /** @param url `postgres://user@host/database` */
  constructor(
    private readonly url: string,
    private readonly options: PgBossQueueOptions = {},
  ) {
    super();
    checkOptions('new PgBossQueue', { url }, { url: required(POSTGRES_URL) });
    checkOptions('new PgBossQueue', options, OPTIONS);
  }

  /** @throws {NodeTooOldError} below Node.js 22.12, which pg-boss 12 needs */
  async open(): Promise<void> {
    NodeTooOldError.throwBelow('pg-boss', 22, 12);
    const { PgBoss } = await import('pg-boss');
    const { schema = 'adorn_queue', heartbeat = 10 } = this.options;
    const boss = new PgBoss({
      connectionString: this.url,
      schema,
      useListenNotify: true,
      // Delayed jobs need none: this is for jobs that are repeated by a calendar.
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
    });
    // Each failed statement is tried again by pg-boss; without a listener the process would end.
    boss.on('error', noop);
    await boss.start();
    const retry = { retryLimit: 1000, retryDelay: 1 };
    await boss.createQueue(QUEUE, {
      policy: 'key_strict_fifo',
      heartbeatSeconds: heartbeat,
      expireInSeconds: EXPIRES_IN,
      ...retry,
      notify: true,
    });
    await boss.createQueue(TIMERS, retry);
    this.boss = boss;
  }

  async put(address: InvocationAddress, { isAgain = false, delay = 0 }: PutOptions = {}): Promise<void> {
    const { appName, userId, sessionId, invocationId } = address;
    const data = { appName, userId, sessionId, invocationId };
    const id = isAgain ? randomUUID() : idOf(address);
    await (delay > 0
      ? this.boss?.send(TIMERS, data, { id, startAfter: delay / 1000 })
      : this.boss?.send(QUEUE, data, { id, singletonKey: digestOf(address) }));
  }

  async take(handler: InvocationHandler, concurrency: number): Promise<void> {
    const { boss } = this;
    if (!boss) return;
    const options = { pollingIntervalSeconds: LOOK, batchSize: TIMERS_AT_ONCE };
    await boss.work<InvocationAddress>(TIMERS, options, async (jobs) => {
      for (const { data } of jobs) await this.put(data, { isAgain: true });
    });
    const places: string[] = [];
    for (let place = 0; place < concurrency; place++)
      places.push(await this.takeOne(boss, handler, place, places));
  }

  /**
   * One place of the worker. It looks again as soon as it is free.
   *
   * @param places the ids of all places
   */
  private takeOne(
    boss: PgBoss,
    handler: InvocationHandler,
    place: number,
    places: readonly string[],
  ): Promise<string> {
    const notifyPollingIntervalSeconds = place === 0 ? LOOK : LOOK_OF_OTHERS;
    const options = { pollingIntervalSeconds: LOOK, notifyPollingIntervalSeconds };
    const wake = (woken: number): void => {
      const id = places[woken % places.length];
      if (id !== undefined) boss.notifyWorker(id);
    };
    return boss.work<InvocationAddress>(QUEUE, options, async (jobs) => {
      wake(place + 1);
      try {
        for (const { data } of jobs) await handler(data);
      } finally {
        wake(place);
      }
    });
  }

  async close(graceMs: number): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: Math.max(1, graceMs) });
  }
}

/** The same for an address that is put again, so that pg-boss keeps one of them. */
function idOf({ appName, userId, sessionId, invocationId }: InvocationAddress): string {
  const digest = digestOfNames(appName, userId, sessionId, invocationId);
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function noop(): void {
  // See above.
}
