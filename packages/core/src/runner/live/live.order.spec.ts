import { Event } from '../../index.js';
import { SystemClock } from '../../runtime/clock.js';
import type { RunHandle } from '../begin/active-run.js';
import { gate, settled } from './live.fixture.js';
import { LiveSession } from './live.session.js';

describe('the events of a live session', () => {
  it('are shown in the order in which they were emitted, also if a store takes longer for one of them', async () => {
    const storing = gate();
    const { live, run } = await begun();
    const shown = read(live, 4);

    const emitted = [
      run.emit(said('1'), (event) => storing.promise.then(() => event)),
      run.emit(said('2', true), (event) => Promise.resolve(event)),
      run.emit(said('3'), () => Promise.reject(new Error('Full.'))),
      run.emit(said('4', true), (event) => Promise.resolve(event)),
      run.emit(said('5'), (event) => Promise.resolve(event)),
    ];
    await expect(emitted[2]).rejects.toThrow('Full.');
    await settled();
    storing.open();
    await Promise.allSettled(emitted);

    expect(await shown).toEqual(['1', '2', '4', '5']);
  });
});

function said(id: string, partial = false): Event {
  return new Event({ id, author: 'clerk', invocationId: 'e-1', partial });
}

/** A session whose run does nothing by itself. */
async function begun(): Promise<{ live: LiveSession; run: RunHandle }> {
  const executing = gate<RunHandle>();
  const options = {
    modality: 'audio',
    transcribe: {},
    activity: 'automatic',
    connectTimeout: 1_000,
    reconnectLimit: 1_000,
  } as const;
  const execute = () => (run: RunHandle) => {
    executing.open(run);
    return new Promise<never>(() => undefined);
  };
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const live = new LiveSession('e-1', options, execute, { clock: new SystemClock(), logger });
  return { live, run: await executing.promise };
}

async function read(live: LiveSession, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of live) if (ids.push(id) === count) return ids;
  return ids;
}

function ignore(): void {
  // Nothing is logged.
}
