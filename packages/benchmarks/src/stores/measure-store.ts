import { median } from '../overhead/statistics.js';
import type { AdornStore } from './adorn-store.js';
import type { BareStore } from './bare-store.js';
import type { StoresOptions } from './options.js';
import { sampleEvent } from './sample-event.js';

/** Milliseconds for one append, load or look: the medians of all rounds. */
export interface StoreFigures {
  readonly name: string;
  readonly lines: readonly {
    readonly what: string;
    readonly bareMs: number | undefined;
    readonly adornMs: number | undefined;
  }[];
}

/** Measures bare and Adorn in turn, so that both meet the same disk. */
export async function measureStore(
  name: string,
  bare: BareStore,
  adorn: AdornStore,
  { appends, events: length, rounds }: StoresOptions,
): Promise<StoreFigures> {
  const events = Array.from({ length: Math.max(length, appends) }, (_, index) => sampleEvent(index));
  const some = events.slice(0, appends);
  const bodies = events.map((event) => JSON.stringify(event));
  await adorn.begin(10);
  const one = { bare: [] as number[], adorn: [] as number[] };
  const ten = { bare: [] as number[], adorn: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const isWarmUp = round === 0;
    const kept = isWarmUp ? { one: empty(), ten: empty() } : { one, ten };
    kept.one.bare.push((await timed(() => bare.insert(bodies.slice(0, appends), 1))) / appends);
    kept.one.adorn.push((await timed(() => adorn.append(some, 1))) / appends);
    kept.ten.bare.push((await timed(() => bare.insert(bodies.slice(0, appends), 10))) / appends);
    kept.ten.adorn.push((await timed(() => adorn.append(some, 10))) / appends);
  }
  const load = await measureLoad(bare, adorn, events.slice(0, length), rounds);
  return {
    name,
    lines: [
      line('append, one session', one),
      line('append, ten sessions', ten),
      ...load,
      await measureState(adorn, 10, rounds),
      await measureState(adorn, 10_000, rounds),
    ],
  };
}

/** Reading and writing one key: the same for few keys and for many. */
async function measureState(
  adorn: AdornStore,
  keys: number,
  rounds: number,
): Promise<StoreFigures['lines'][number]> {
  const session = await adorn.beginWithKeys(keys);
  const counts: number[] = [];
  for (let round = 0; round <= rounds; round++) counts.push(await timed(() => adorn.count(session)));
  const what = `read and write one of ${String(keys)} keys`;
  return { what, bareMs: undefined, adornMs: median(counts.slice(1)) };
}

async function measureLoad(
  bare: BareStore,
  adorn: AdornStore,
  events: readonly ReturnType<typeof sampleEvent>[],
  rounds: number,
): Promise<StoreFigures['lines'][number][]> {
  await adorn.importLong(events);
  await bare.replace(events.map((event) => JSON.stringify(event)));
  const load = empty();
  const looks: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const bareMs = await timed(() => bare.load());
    const adornMs = await timed(() => adorn.load());
    await adorn.look();
    const lookMs = await timed(() => adorn.look());
    if (round === 0) continue;
    load.bare.push(bareMs);
    load.adorn.push(adornMs);
    looks.push(lookMs);
  }
  return [
    line(`load of ${String(events.length)} events`, load),
    { what: 'turn on a loaded session', bareMs: undefined, adornMs: median(looks) },
  ];
}

function empty(): { bare: number[]; adorn: number[] } {
  return { bare: [], adorn: [] };
}

function line(what: string, { bare, adorn }: ReturnType<typeof empty>): StoreFigures['lines'][number] {
  return { what, bareMs: median(bare), adornMs: median(adorn) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
