import type { RateLimit } from '@adorn/core/backend';
import fc from 'fast-check';

import { toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { PolicyStage } from './policy-stage.fixture.js';

describe('rateLimit', () => {
  it('lets so many calls start within its time, and tells the model when to try again', async () => {
    const { stage, tool, starts } = limited({ calls: 2, perMs: 60_000 });
    await stage.respond(tool);
    await stage.clock.advance(20_500);
    await stage.respond(tool);

    const error =
      'The tool "search" allows 2 calls in 60 s in total; this limit is reached. Try again in 40 s, or continue without it.';
    expect(await stage.respond(tool)).toEqual({ error });
    expect(starts).toHaveLength(2);
  });

  it('lets the next call start when the first is as old as the window', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 1_000 });
    await stage.respond(tool);
    await stage.clock.advance(999);
    await stage.respond(tool);
    expect(starts).toHaveLength(1);
    await stage.clock.advance(1);
    await stage.respond(tool);

    expect(starts).toHaveLength(2);
  });

  it.each<[RateLimit['scope'], number]>([
    [undefined, 1],
    ['app', 1],
    ['user', 2],
  ])('with the scope %s counts users as one or apart', async (scope, expected) => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 1_000, ...(scope && { scope }) });
    await stage.respond(tool, { userId: 'ada' });
    await stage.respond(tool, { userId: 'bob' });
    await stage.respond(tool, { userId: 'ada', sessionId: 's2' });

    expect(starts).toHaveLength(expected);
  });

  it('names the user in the error of a limit for each user', async () => {
    const { stage, tool } = limited({ calls: 1, perMs: 500, scope: 'user' });
    await stage.respond(tool);

    expect(await stage.respond(tool)).toEqual({
      error:
        'The tool "search" allows one call in 1 s per user; this limit is reached. Try again in 1 s, or continue without it.',
    });
  });

  it('has calls wait for their turn, in order, up to the longest wait', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 100, maxWaitMs: 200 });
    const calls = [];
    for (let n = 0; n < 4; n++) calls.push(await stage.start(tool));
    expect(calls.map(({ response }) => response)).toMatchObject([
      { result: 0 },
      undefined,
      undefined,
      { error: expect.stringContaining('Try again in 1 s') },
    ]);

    await stage.advance(99);
    expect(starts).toEqual([0]);
    await stage.advance(1);
    await stage.advance(100);

    expect(starts).toEqual([0, 100, 200]);
    expect(calls.map(({ response }) => response).slice(1, 3)).toEqual([{ result: 100 }, { result: 200 }]);
  });

  it('frees the turn of a call that is cancelled while it waits', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 100, maxWaitMs: 100 });
    await stage.respond(tool);
    const waiting = await stage.start(tool);
    await waiting.cancel();
    expect(stage.clock.waiting).toBe(0);
    expect(waiting.response).toEqual({ error: 'The invocation was cancelled before this was done.' });

    const next = await stage.start(tool);
    await stage.advance(100);

    expect(next.response).toEqual({ result: 100 });
    expect(starts).toEqual([0, 100]);
    expect(stage.clock.waiting).toBe(0);
  });

  it('moves up those behind a call that is cancelled while it waits', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 100, maxWaitMs: 300 });
    const [, second, third] = [await stage.start(tool), await stage.start(tool), await stage.start(tool)];

    await second.cancel();
    await stage.advance(100);

    expect(third.response).toEqual({ result: 100 });
    expect(starts).toEqual([0, 100]);
  });

  it('keeps its distances where a timer comes late', async () => {
    const { stage, tool, starts } = limited({ calls: 2, perMs: 100, maxWaitMs: 300 });
    for (let n = 0; n < 6; n++) await stage.start(tool);
    isLate(stage, 50);

    await stage.advance(100);
    await stage.advance(99);
    expect(starts).toEqual([0, 0, 150, 150]);
    await stage.advance(1);

    expect(starts).toEqual([0, 0, 150, 150, 250, 250]);
  });

  it('serves the calls that wait first, where a timer is late', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 100, maxWaitMs: 300 });
    await stage.respond(tool);
    const waiting = await stage.start(tool);
    isLate(stage, 150);

    const last = await stage.start(tool);

    expect(waiting.response).toEqual({ result: 150 });
    expect(last.response).toBeUndefined();
    await stage.advance(100);
    expect(starts).toEqual([0, 150, 250]);
  });

  it('forgets calls from the future: the clock was set back', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 1_000 });
    await stage.respond(tool);
    await stage.clock.advance(-3_600_000);
    await stage.respond(tool);

    expect(starts).toEqual([0, -3_600_000]);
  });

  it('never lets more calls start within any window, however they come', () =>
    fc.assert(
      fc.asyncProperty(limits, scripts, async (limit, script) => {
        const { stage, tool, starts } = limited(limit);
        for (const step of script) {
          const call = await stage.start(tool);
          if (step.isCancelled) await call.cancel();
          await stage.advance(step.pause);
        }
        await stage.advance(10_000);

        for (const [index, start] of starts.entries()) {
          const later = starts[index + limit.calls] ?? Infinity;
          expect(later - start).toBeGreaterThanOrEqual(limit.perMs);
        }
        expect(stage.clock.waiting).toBe(0);
      }),
      { numRuns: 150 },
    ));

  it('counts each attempt of a retry', async () => {
    const stage = new PolicyStage();
    const run = jest.fn(() => {
      throw new Error('down');
    });
    const tool = toolNamed('search', {
      effect: 'read',
      retry: { attempts: 5, delayMs: 0 },
      rateLimit: { calls: 2, perMs: 1_000 },
      run,
    });
    const call = await stage.start(tool);
    await stage.advance(0);
    await stage.advance(0);

    expect(run).toHaveBeenCalledTimes(2);
    expect(call.response).toMatchObject({ error: expect.stringContaining('allows 2 calls in 1 s') });
  });

  it('remembers ten thousand users', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 1_000, scope: 'user' });
    const call = await stage.call(tool);
    const callAs = async (userId: string): Promise<void> => {
      Object.assign(call.invocation, { userId });
      await stage.enter(call);
    };
    for (let n = 0; n < 10_001; n++) await callAs(String(n));
    expect(starts).toHaveLength(10_001);

    await callAs('1');
    expect(starts).toHaveLength(10_001);
    await callAs('0');
    expect(starts).toHaveLength(10_002);
    await callAs('1');
    expect(starts).toHaveLength(10_002);
    await callAs('2');
    expect(starts).toHaveLength(10_003);
  });

  it('counts anew in another runner, and after the runner is closed', async () => {
    const { stage, tool, starts } = limited({ calls: 1, perMs: 1_000 });
    await stage.respond(tool);
    await new PolicyStage().respond(tool);
    expect(starts).toHaveLength(2);

    stage.gate.close();
    await stage.respond(tool);

    expect(starts).toHaveLength(3);
  });
});

const limits = fc.record({
  calls: fc.integer({ min: 1, max: 4 }),
  perMs: fc.integer({ min: 1, max: 50 }),
  maxWaitMs: fc.nat(80),
});
const scripts = fc.array(fc.record({ pause: fc.nat(20), isCancelled: fc.boolean() }), { maxLength: 20 });

/** A tool that notes when it starts, in milliseconds since the first moment. */
function limited(rateLimit: RateLimit) {
  const stage = new PolicyStage();
  const first = stage.clock.now();
  const starts: number[] = [];
  const run = (): number => {
    const at = Math.round((stage.clock.now() - first) * 1000);
    starts.push(at);
    return at;
  };
  return { stage, starts, tool: toolNamed('search', { rateLimit, run }) };
}

/** Has timers call back so many milliseconds after their time. */
function isLate({ clock }: PolicyStage, milliseconds: number): void {
  const now = clock.now.bind(clock);
  clock.now = () => now() + milliseconds / 1000;
}
