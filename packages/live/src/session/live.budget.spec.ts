import { callsLive, endsTurn, type LiveStep, speaks, speech, untilResponse, untilText } from '@adorn/testing';

import type { Event, Runner } from '@adorn/core';
import { isTurnEnd, KEY, look, startLive, storedOf, until } from './live.fixture.js';

const used = (totalTokenCount: number): LiveStep => ({ kind: 'usage', usage: { totalTokenCount } });

const CALLS = [untilText(), used(5), callsLive('look', {}, 'c1'), untilResponse('c1')];

describe('what a live model has used', () => {
  it('is stored once for each answer: one of calls alone, one of words, one of which no word is known', async () => {
    const { live, runner } = await startLive({ tools: [look()] }, [
      ...[...CALLS, ...speech('One.'), used(7), endsTurn()],
      ...[untilText(), used(11), endsTurn()],
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    live.sendText('Hm.');
    await until(live, isTurnEnd);
    await live.close();

    expect(await usageOf(runner)).toEqual([5, 7, 11]);
    await runner.close();
  });

  it('is that of the newest report of an answer, and is stored at the end of the session if it comes later', async () => {
    const { live, runner } = await startLive({}, [
      ...[untilText(), ...speech('One '), used(3), ...speech('two.'), used(7), endsTurn()],
      ...[used(2), untilText()],
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.close();

    expect(await usageOf(runner)).toEqual([7, 2]);
    await runner.close();
  });
});

describe('what calls have used', () => {
  it('is stored with the next answer, added to its own, if the provider reports it behind them', async () => {
    const { live, runner } = await startLive({ tools: [look()] }, [
      ...[untilText(), callsLive('look', {}, 'c1'), used(5), untilResponse('c1')],
      ...[...speech('One.'), used(7), endsTurn()],
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.close();

    expect(await usageOf(runner)).toEqual([12]);
    await runner.close();
  });
});

describe('a budget in a live session', () => {
  it('of tokens ends it as a run by text, counting what calls have used', async () => {
    const script = [...CALLS, speaks('One.'), untilText(), speaks('Two.')];
    const { live, runner } = await startLive({ tools: [look()] }, script, {
      config: { budget: { tokens: 5 } },
    });
    live.sendText('Look.');
    await live.ended;

    expect((await storedOf(runner)).at(-1)).toBe('clerk ! TOKEN_LIMIT');
    await runner.close();
  });

  it('of calls of the model counts each answer to the result of a call', async () => {
    const rounds = ['c1', 'c2', 'c3', 'c4'].flatMap((id) => [callsLive('look', {}, id), untilResponse(id)]);
    const { live, runner } = await startLive({ tools: [look()] }, [untilText(), ...rounds], {
      config: { maxLlmCalls: 3 },
    });
    live.sendText('Look.');
    await live.ended;

    const stored = await storedOf(runner);
    expect(stored.filter((line) => line.includes('→'))).toHaveLength(3);
    expect(stored.at(-1)).toBe('clerk ! LLM_CALL_LIMIT');
    await runner.close();
  });
});

async function usageOf(runner: Pick<Runner, 'appName' | 'sessions'>): Promise<unknown[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  return (session?.events ?? []).flatMap(({ usageMetadata }: Event) => usageMetadata?.totalTokenCount ?? []);
}
