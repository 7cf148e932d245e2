import { setTimeout } from 'node:timers/promises';

import type { Check } from '@adorn/conformance/check';
import type { RestateServer } from '@adorn/testing/servers';

import { Child } from '../child-process.js';
import type { ChaosStore } from '../storage/chaos-store.js';
import type { Place } from './open-machine.js';
import type { Takeovers } from './takeovers.js';

const WORKERS = 3;
/** The pause between two breaks, in milliseconds. */
const PAUSE_MS = { least: 2000, more: 2000 };
/** How long a worker stands still, in milliseconds. */
const FROZEN_MS = { least: 6000, more: 24_000 };
/** How far a clock is set, in milliseconds: up to a day ahead or back. */
const CLOCK_STEP_MS = 86_400_000;
/** How long the last server and the workers have to bring everything to its end. */
const REST_MS = 180_000;

/** What can happen, the likely ones several times. */
const BREAKS = [
  ...(['kill a worker', 'kill a worker', 'kill a worker', 'kill a worker'] as const),
  ...(['stop a worker', 'kill the server', 'kill the engine', 'crash PostgreSQL'] as const),
  ...(['freeze a worker', 'freeze a worker', 'step a clock'] as const),
] as const;

interface Parts {
  readonly store: ChaosStore;
  /** pg-boss has no process of its own: PostgreSQL is its engine. */
  readonly restate: RestateServer | undefined;
  readonly takeovers: Takeovers;
  /** The Node.js of the machines. */
  readonly node: string;
}

/** A server and three workers as processes, which are broken at random. */
export class BrokenFleet {
  /** The ids of the invocations that a server has acknowledged. */
  readonly accepted = new Set<string>();
  readonly checks: Check[] = [];
  /** The events that a server has followed out of their order. */
  readonly gaps: Check[] = [];
  private workers: Child[] = [];
  private server: Child;
  private frozen: Promise<void> | undefined;
  /** The worker that stands still. */
  private standing: Child | undefined;

  constructor(
    private readonly place: Place,
    private readonly parts: Parts,
  ) {
    this.workers = Array.from({ length: WORKERS }, (_, index) => this.newWorker(index));
    this.server = this.newServer();
  }

  async break(random: () => number, seconds: number): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.untilLines(1)));
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
      await setTimeout(PAUSE_MS.least + random() * PAUSE_MS.more);
      const kind = BREAKS[Math.floor(random() * BREAKS.length)] ?? 'kill a worker';
      this.checks.push({ what: kind, fault: await this.breakOne(kind, random) });
    }
    await this.frozen;
  }

  /** Lets the server complete what was begun. The workers go on. */
  async finish(): Promise<void> {
    this.server.tell('finish');
    const limit = new AbortController();
    const late = setTimeout(REST_MS, 'late' as const, { signal: limit.signal }).catch(() => undefined);
    const end = await Promise.race([this.server.fault(), late]);
    limit.abort();
    this.checks.push({ what: 'the last server ends', fault: end === 'late' ? 'does not end' : end });
    await this.endServer();
  }

  async close(): Promise<void> {
    await this.server.kill();
    const last = this.workers;
    this.workers = [];
    for (const worker of last) this.checks.push({ what: 'the last workers', fault: await worker.kill() });
  }

  private async breakOne(kind: (typeof BREAKS)[number], random: () => number): Promise<string | undefined> {
    const index = Math.floor(random() * WORKERS);
    const worker = this.workers[index];
    if (kind.endsWith('a worker')) await this.untilOtherWorks(index);
    if (!worker) return 'there is no worker';
    const { restate, store, takeovers } = this.parts;
    switch (kind) {
      case 'kill a worker': {
        const fault = await worker.kill();
        takeovers.watch(worker.lines[0]);
        this.workers[index] = this.newWorker(index);
        return worker.lines.length === 0 ? undefined : fault;
      }
      case 'stop a worker':
        worker.terminate();
        this.workers[index] = this.newWorker(index);
        return undefined;
      case 'kill the server': {
        const fault = await this.endServer();
        this.server = this.newServer();
        return fault;
      }
      case 'kill the engine':
        if (!restate)
          return takeovers.during(
            () => store.outages[1]?.happen() ?? Promise.resolve(),
          ) as Promise<undefined>;
        await restate.halt('SIGKILL');
        await setTimeout(random() * PAUSE_MS.more);
        await restate.startAgain();
        return undefined;
      case 'crash PostgreSQL':
        return takeovers.during(() => store.outages[0]?.happen() ?? Promise.resolve()) as Promise<undefined>;
      case 'freeze a worker':
        this.frozen ??= this.freeze(worker, FROZEN_MS.least + random() * FROZEN_MS.more);
        return undefined;
      case 'step a clock': {
        const machine = random() < 0.5 ? this.server : worker;
        machine.tell(`clock ${String(Math.round((random() * 2 - 1) * CLOCK_STEP_MS))}`);
        return undefined;
      }
    }
  }

  /** Without a worker that works there is nobody to take over. */
  private async untilOtherWorks(index: number): Promise<void> {
    const works = (worker: Child, place: number): boolean =>
      place !== index && worker !== this.standing && worker.lines.length > 0;
    for (const deadline = Date.now() + REST_MS; !this.workers.some(works) && Date.now() < deadline;)
      await setTimeout(100);
  }

  /** The others break meanwhile. One worker at a time stands still, so that there are others to take over. */
  private async freeze(worker: Child, ms: number): Promise<void> {
    worker.freeze(true);
    this.standing = worker;
    if (ms > 15_000) this.parts.takeovers.watch(worker.lines[0]);
    await setTimeout(ms);
    worker.freeze(false);
    this.standing = undefined;
    this.frozen = undefined;
  }

  private newWorker(index: number): Child {
    return this.newMachine('worker.child.js', (ended) => {
      if (this.workers[index] === ended) this.workers[index] = this.newWorker(index);
    });
  }

  private newServer(): Child {
    return this.newMachine('server.child.js', (ended) => {
      if (this.server === ended) this.server = this.newServer();
    });
  }

  /** If the store is down at its start, it ends, and is started again, as by a supervisor. */
  private newMachine(script: string, startAgain: (ended: Child) => void): Child {
    const machine = new Child(script, import.meta.url, [JSON.stringify(this.place)], this.parts.node);
    void machine.ended.then((code) => {
      if (code !== null && machine.lines.length === 0) startAgain(machine);
    });
    return machine;
  }

  private async endServer(): Promise<string | undefined> {
    const { server } = this;
    const fault = await server.kill();
    for (const line of server.lines) {
      const [said, ...rest] = line.split(' ');
      if (said === 'accepted') this.accepted.add(rest.join(' '));
      else if (said === 'gap') this.gaps.push({ what: 'followed', fault: rest.join(' ') });
    }
    return server.lines.length === 0 ? undefined : fault;
  }
}
