import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { type Check, type Section, timed } from '@adorn/conformance/check';
import { laterNode } from '@adorn/conformance/command-line/later-node';
import { Database } from '@adorn/storage';
import { RestateServer } from '@adorn/testing/servers';
import { sql } from 'kysely';

import { seededRandom } from '../seeded-random.js';
import { type ChaosStore, postgresStore } from '../storage/chaos-store.js';
import { BrokenFleet } from './broken-fleet.js';
import { openRunner, type Place } from './open-machine.js';
import { OutsideFiles } from './outside.js';
import { outsideVerdict } from './outside-verdict.js';
import { Takeovers } from './takeovers.js';
import { verdict } from './verdict.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** Milliseconds that each step of a model or a tool takes. */
const PACE_MS = 25;
/** How long the inbox has to become empty when the last server has ended. */
const EMPTY_MS = 120_000;

export const fleetChaos = chaosSuite({
  name: 'fleet',
  takes: 'eleven minutes on each engine',
  summary:
    'a server takes sessions through a workflow with confirmations of one and of two people, others that are escalated, an ' +
    'effect that two branches have once, undos, background and long-running tools, ' +
    'delayed messages and branches, on three workers, beside a schedule and the messages of a channel; workers, the server, the engine and PostgreSQL are ' +
    'killed, workers stand still for up to 30 seconds, clocks are set; no message may be lost or stay ' +
    'unanswered, no effect may go beyond what its tool is promised, each occurrence must run once and each message of the channel be answered once, the log must have no gap, a lost ' +
    'worker must be replaced within 8 seconds, and the texts must be those of an undisturbed run',
  counts: {
    seconds: { default: 600, what: 'how long each engine is broken' },
    sessions: { default: 200, what: 'how many sessions there are' },
  },
  parts: ['pg-boss', 'restate'],
  run: breakFleet,
});

type FleetOptions = SuiteOptions<'seconds' | 'sessions'>;

/** Breaks workers, the server, the engine and PostgreSQL on each engine, and looks at what the sessions have in the end. */
async function* breakFleet(options: FleetOptions): AsyncGenerator<Section> {
  for (const engine of options.parts) {
    const store = await postgresStore();
    const restate = engine === 'restate' ? await RestateServer.start() : undefined;
    try {
      yield await broken(engine, store, restate, options);
    } finally {
      await restate?.stop();
      await store.close();
    }
  }
}

async function broken(
  name: string,
  store: ChaosStore,
  restate: RestateServer | undefined,
  { from: seed, counts: { seconds, sessions } }: FleetOptions,
): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-chaos-fleet-'));
  const url = await store.newUrl();
  const engine = restate ? JSON.stringify(addressesOf(restate)) : 'pg-boss';
  const place: Place = { url, engine, seed, sessions, deeds: join(folder, 'deeds'), pace: PACE_MS };
  const { runner } = await openRunner(place);
  const outside = new OutsideFiles(place.deeds);
  const takeovers = new Takeovers(runner.get(Database));
  try {
    const section = await timed(`${name}: 3 workers, ${String(sessions)} sessions`, async () => {
      let begun: Record<string, Check[]> | undefined;
      const fleet = new BrokenFleet(place, { store, restate, takeovers, node: laterNode() });
      try {
        await fleet.break(seededRandom(seed), seconds);
        await fleet.finish();
        outside.rest(Date.now());
        begun = await outsideVerdict(runner, outside);
        await untilEmpty(runner.get(Database));
        await takeovers.settled();
      } finally {
        await fleet.close();
      }
      const found = await verdict(runner, place, fleet.accepted);
      found['events without gaps, in order']?.push(...fleet.gaps);
      const all: Record<string, Check[]> = {
        'parts broken': fleet.checks,
        ...found,
        ...begun,
        'takeovers within 8 s': takeovers.checks,
      };
      return Object.entries(all).map(([group, checks]) => ({ name: group, checks }));
    });
    return { ...section, leftOut: [told(takeovers.times)] };
  } finally {
    await runner.close();
    rmSync(folder, { recursive: true });
  }
}

/** Workers of one machine share a port. */
function addressesOf({ ingress, admin }: RestateServer): object {
  return { ingress, admin, port: 20_000 + (process.pid % 20_000) };
}

async function untilEmpty(database: Database): Promise<void> {
  for (const deadline = Date.now() + EMPTY_MS; Date.now() < deadline;) {
    const { rows } = await database.run((queries) =>
      sql<{ count: string }>`select count(*) as count from adorn_inbox`.execute(queries),
    );
    if (Number(rows[0]?.count) === 0) return;
    await setTimeout(200);
  }
}

function told(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const [median, last] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  return `${String(sorted.length)} sessions were taken over, half of them within ${seconds(median)}, all within ${seconds(last)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
