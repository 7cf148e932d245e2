import { Event } from '@adorn/core';
import { type LiveRunOutput, type LiveSession, SystemClock } from '@adorn/core/backend';
import { gate, settled } from './live.fixture.js';
import { ConnectedSession } from './connected-session.js';

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
async function begun(): Promise<{ live: LiveSession; run: LiveRunOutput }> {
  const executing = gate<LiveRunOutput>();
  const run = (_session: unknown, output: LiveRunOutput) => {
    executing.open(output);
    return new Promise<never>(() => undefined);
  };
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const services = { clock: new SystemClock(), logger };
  const live = new ConnectedSession({ invocationId: 'e-1', input: {}, services, run });
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
