import type { FunctionToolFields } from '@adorn/core/backend';
import fc from 'fast-check';

import { toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { Deferred, PolicyStage, settle, type StartedCall } from './policy-stage.fixture.js';
import { PROPERTY_TIMEOUT } from '../../core/src/gates/property-runs.fixture.js';

describe('concurrency', () => {
  it('runs so many calls at a time, and the others in the order in which they came', async () => {
    const { start, running, ids } = pool({ concurrency: 2 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await start(id);
    expect(ids()).toEqual(['a', 'b']);

    running.get('b')?.resolve('done');
    await settle();
    expect(ids()).toEqual(['a', 'b', 'c']);
    running.get('a')?.reject(new Error('down'));
    running.get('c')?.resolve('done');
    await settle();

    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each([
    [{ calls: 1 }, ['a']],
    [{ calls: 1, scope: 'app' } as const, ['a']],
    [{ calls: 1, scope: 'user' } as const, ['a', 'b']],
  ])('counts users as one or apart: %j', async (concurrency, expected) => {
    const { start, ids } = pool({ concurrency });
    await start('a', 'ada');
    await start('b', 'bob');
    await start('c', 'ada');

    expect(ids()).toEqual(expected);
  });

  it('has a cancelled call leave the queue', async () => {
    const { start, running, ids } = pool({ concurrency: 1 });
    await start('a');
    const [second] = [await start('b'), await start('c')];

    await second.cancel();
    expect(second.response).toEqual({ error: 'The invocation was cancelled before this was done.' });
    running.get('a')?.resolve('done');
    await settle();

    expect(ids()).toEqual(['a', 'c']);
  });

  it('does not run a call that is cancelled as it gets the slot', async () => {
    const { start, running, ids } = pool({ concurrency: 1 });
    const first = await start('a');
    const second = await start('b');
    const { cancellation } = second.call.invocation;
    first.call.invocation.cancellation.add({ cancelled: () => void setImmediate(() => undefined) });
    const remove = cancellation.remove.bind(cancellation);
    cancellation.remove = (watcher) => {
      remove(watcher);
      cancellation.cancel();
    };
    running.get('a')?.resolve('done');
    await settle();
    expect([ids(), second.response]).toEqual([
      ['a'],
      { error: 'The invocation was cancelled before this was done.' },
    ]);

    await start('c');
    expect(ids()).toEqual(['a', 'c']);
  });

  it('passes the slot on where the running call is cancelled or out of time', async () => {
    const { start, ids, stage } = pool({ concurrency: 1, timeout: 50 });
    const first = await start('a');
    await start('b');
    await start('c');
    await first.cancel();
    expect(ids()).toEqual(['a', 'b']);

    await stage.advance(50);

    expect(ids()).toEqual(['a', 'b', 'c']);
  });

  it('refuses a call beyond the longest queue', async () => {
    const { start, running, ids } = pool({ concurrency: { calls: 1, maxQueue: 1, scope: 'user' } });
    await start('a');
    await start('b');
    const third = await start('c');
    expect(third.response).toEqual({
      error:
        'The tool "browse" runs one call at a time per user, and 1 more are waiting. Try again later, or continue without it.',
    });

    running.get('a')?.resolve('done');
    await settle();
    await start('d');

    expect((await start('e')).response).toMatchObject({ error: expect.stringContaining('waiting') });
    expect(ids()).toEqual(['a', 'b']);
  });

  it(
    'has a thousand calls wait by default',
    async () => {
      const { start } = pool({ concurrency: 1 });
      const calls: StartedCall[] = [];
      for (let n = 0; n < 1_002; n++) calls.push(await start(String(n)));

      expect(calls.map(({ response }) => response).filter((response) => response !== undefined)).toEqual([
        {
          error:
            'The tool "browse" runs one call at a time in total, and 1000 more are waiting. Try again later, or continue without it.',
        },
      ]);
    },
    PROPERTY_TIMEOUT,
  );

  it('never runs more calls at a time, and each of them once, however they end', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (calls, script) => {
        const { start, running, ids, active } = pool({ concurrency: calls });
        const started: StartedCall[] = [];
        for (const [index, { kind, at }] of script.entries()) {
          const one = started[at % Math.max(1, started.length)];
          if (kind === 'start' || one === undefined) started.push(await start(String(index)));
          else if (kind === 'cancel') await one.cancel();
          else running.get(one.call.id)?.[kind]('over');
          await settle();
          expect(active()).toBeLessThanOrEqual(calls);
        }
        for (let round = 0; round <= script.length; round++) {
          for (const one of running.values()) one.resolve('over');
          await settle();
        }

        expect(started.map(({ response }) => response)).not.toContain(undefined);
        expect(new Set(ids()).size).toBe(ids().length);
        await start('last');
        expect(ids().at(-1)).toBe('last');
      }),
      { numRuns: 100 },
    ));
});

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('start', 'start', 'cancel', 'resolve', 'reject'),
    at: fc.nat(30),
  }),
  { maxLength: 16 },
);

/** A tool whose runs the test ends, by the ids of their calls. */
function pool(fields: Partial<FunctionToolFields>) {
  const stage = new PolicyStage();
  const running = new Map<string, Deferred<unknown>>();
  const over = new Set<string>();
  const tool = toolNamed('browse', {
    timeout: Infinity,
    ...fields,
    run: (_args, { functionCallId, signal }) => {
      const one = new Deferred<unknown>();
      running.set(functionCallId, one);
      const end = (): void => void over.add(functionCallId);
      one.promise.then(end, end);
      signal.addEventListener('abort', end);
      return one.promise;
    },
  });
  return {
    stage,
    running,
    /** The calls that ran, in their order. */
    ids: () => [...running.keys()],
    active: () => running.size - over.size,
    start: (id: string, userId = 'ada') => stage.start(tool, { id, userId }),
  };
}
