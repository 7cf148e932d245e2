import { withOptions } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';

import { toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { declaresPolicies, type ToolTraits } from '../../core/src/tools/tool-traits.js';
import { composePolicies } from './policy-rank.js';
import { Deferred, PolicyStage, settle } from './policy-stage.fixture.js';

const ALL: ToolTraits = {
  cache: { ttlMs: 1_000 },
  retry: { attempts: 2, delayMs: 10 },
  rateLimit: { calls: 3, perMs: 60_000 },
  concurrency: 1,
};

describe('the rank of policies', () => {
  it.each(permutations(Object.keys(ALL)).map((names) => [names.join(' '), names] as const))(
    'is the same where the options are written as %s',
    async (_order, names) => {
      const traits = Object.fromEntries(names.map((name) => [name, ALL[name as keyof ToolTraits]]));

      expect(await story(traits)).toEqual([
        // The first attempt counts, and fails; during the delay the slot is free for another call.
        'run 1 a',
        'run 2 b',
        // The second attempt waits for the slot of b, counts, and succeeds.
        'run 3 a',
        // A result that is kept needs neither a slot nor a turn.
        'a again {"result":"a"}',
        // All else does.
        expect.stringMatching(/^c .*allows 3 calls in 60 s/),
      ]);
    },
  );

  it('costs a tool without policies nothing', async () => {
    expect(declaresPolicies({ timeout: 5, idempotent: true, effect: 'read' })).toBe(false);
    const call = { attempt: () => Promise.resolve('done') };
    expect(await composePolicies({})(call as never)).toBe('done');
  });

  it.each<[ToolTraits]>([
    [{ cache: true }],
    [{ retry: 2 }],
    [{ rateLimit: { calls: 1, perMs: 1 } }],
    [{ concurrency: 1 }],
  ])('knows that %j is a policy', (traits) => {
    expect(declaresPolicies(traits)).toBe(true);
  });

  it('runs a tool whose cache is off like any other', async () => {
    const stage = new PolicyStage();
    const run = jest.fn(() => 'done');
    const tool = toolNamed('rain', { cache: false, run });
    await stage.respond(tool);

    expect(await stage.respond(tool)).toEqual({ result: 'done' });
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('are added by a wrapper to those of the tool', async () => {
    const stage = new PolicyStage();
    let runs = 0;
    const inner = toolNamed('rain', {
      effect: 'read',
      run: () => {
        if (++runs === 1) throw new Error('down');
        return runs;
      },
    });
    const tool = withOptions(withOptions(inner, { cache: { scope: 'app' } }), {
      retry: { attempts: 2, delayMs: 0 },
    });
    const call = await stage.start(tool);
    await stage.advance(0);

    expect(call.response).toEqual({ result: 2 });
    expect(await stage.respond(tool, { userId: 'bob' })).toEqual({ result: 2 });
    expect(await stage.respond(inner)).toEqual({ result: 3 });
  });
});

/** What a tool with all policies does, in its order. */
async function story(traits: Partial<FunctionToolFields>): Promise<string[]> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const stage = new PolicyStage();
  const told: string[] = [];
  const running: Deferred<unknown>[] = [];
  const tool = toolNamed('rain', {
    effect: 'read',
    timeout: Infinity,
    ...traits,
    run: ({ name }) => {
      running.push(new Deferred());
      told.push(`run ${String(running.length)} ${String(name)}`);
      return running.at(-1)?.promise;
    },
  });
  const a = await stage.start(tool, { args: { name: 'a' } });
  const b = await stage.start(tool, { args: { name: 'b' } });
  running[0]?.reject(new Error('down'));
  await settle();
  await stage.advance(10);
  running[1]?.resolve('b');
  await settle();
  running[2]?.resolve('a');
  await settle();
  expect([a.response, b.response]).toEqual([{ result: 'a' }, { result: 'b' }]);
  told.push(`a again ${JSON.stringify(await stage.respond(tool, { args: { name: 'a' } }))}`);
  told.push(`c ${JSON.stringify(await stage.respond(tool, { args: { name: 'c' } }))}`);
  jest.restoreAllMocks();
  return told;
}

function permutations(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
  );
}
