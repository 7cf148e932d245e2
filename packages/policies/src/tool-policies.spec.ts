import { createRunner, defineAgent, FunctionTool, type Tool, Toolset } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { RankedPolicies } from './policy-rank.js';
import { toolPolicies } from './tool-policies.module.js';

describe('the policies of a runner', () => {
  it('are composed once for a tool, whichever agents list it', () => {
    const policies = new RankedPolicies();
    const tool = cached('rain');

    const run = policies.runOf(tool, 'clerk');

    expect(run).toBeDefined();
    expect(policies.runOf(tool, 'clerk')).toBe(run);
    expect(policies.runOf(tool, 'guide')).toBe(run);
  });

  it('are those of the former object where a toolset lists a tool anew', () => {
    const policies = new RankedPolicies();
    const run = policies.runOf(cached('rain'), 'clerk');

    expect(policies.runOf(cached('rain'), 'clerk')).toBe(run);
  });

  it.each<[string, Tool, string]>([
    ['another agent', cached('rain'), 'guide'],
    ['another name', cached('snow'), 'clerk'],
    ['a name that only reads the same', cached('rain'), 'clerk"'],
    ['other options', cached('rain', { cache: { ttlMs: 5 } }), 'clerk'],
    ['one policy more', cached('rain', { concurrency: 1 }), 'clerk'],
  ])('are others for a new tool of %s', (_what, other, agentName) => {
    const policies = new RankedPolicies();

    const run = policies.runOf(cached('rain'), 'clerk');

    expect(policies.runOf(other, agentName)).not.toBe(run);
  });

  it('are not changed by a change of the options', () => {
    const policies = new RankedPolicies();
    const options = { ttlMs: 1_000 };
    const run = policies.runOf(cached('rain', { cache: options }), 'clerk');

    options.ttlMs = 5;

    expect(policies.runOf(cached('rain', { cache: { ttlMs: 1_000 } }), 'clerk')).toBe(run);
  });

  it('are kept for a thousand names, and for a tool as long as it lives', () => {
    const policies = new RankedPolicies();
    const first = cached('n0');
    const runs = [policies.runOf(first, 'clerk')];
    for (let n = 1; n < 1_000; n++) runs.push(policies.runOf(cached(`n${String(n)}`), 'clerk'));
    expect(policies.runOf(cached('n0'), 'clerk')).toBe(runs[0]);

    policies.runOf(cached('n1000'), 'clerk');

    expect(policies.runOf(cached('n0'), 'clerk')).toBe(runs[0]);
    expect(policies.runOf(cached('n1'), 'clerk')).not.toBe(runs[1]);
    expect(policies.runOf(first, 'clerk')).toBe(runs[0]);
  });

  it('are dropped when they are closed', () => {
    const policies = new RankedPolicies();
    const tool = cached('rain');
    const run = policies.runOf(tool, 'clerk');

    policies.close();

    expect(policies.runOf(cached('rain'), 'clerk')).not.toBe(run);
    expect(policies.runOf(tool, 'clerk')).not.toBe(run);
  });

  it('are closed with the runner', async () => {
    const close = jest.spyOn(RankedPolicies.prototype, 'close');
    const runner = await createRunner(defineAgent({ name: 'clerk' }), {
      modules: [toolPolicies],
      model: new ScriptedModel(),
    });
    expect(close).not.toHaveBeenCalled();

    await runner.close();

    expect(close).toHaveBeenCalledTimes(1);
    close.mockRestore();
  });

  it('limit a tool that a toolset makes anew in every turn', async () => {
    const starts: string[] = [];
    class Fresh extends Toolset {
      override listTools(): Tool[] {
        const run = (): string => String(starts.push('run'));
        return [toolNamed('search', { rateLimit: { calls: 1, perMs: 60_000 }, run })];
      }
    }
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [new Fresh()] }), {
      modules: [toolPolicies],
      model: new ScriptedModel(callsTool('search'), callsTool('search'), says('Done.')),
    });

    const events = await eventsOf(runner.run({ message: 'Search twice.' }));

    expect(starts).toHaveLength(1);
    expect(
      events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response)),
    ).toEqual([{ result: '1' }, { error: expect.stringContaining('allows one call in 60 s') }]);
  });

  it('ask for confirmation of a call whose result is kept', async () => {
    let runs = 0;
    const tool = new FunctionTool({
      name: 'look_up',
      description: 'Looks up.',
      cache: { scope: 'app' },
      confirm: 'Look it up?',
      run: () => ++runs,
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      modules: [toolPolicies],
      model: new ScriptedModel(
        callsTool('look_up'),
        says('It is 1.'),
        callsTool('look_up'),
        says('Still 1.'),
        callsTool('look_up'),
        says('As you like.'),
      ),
    });
    const address = { sessionId: 's1' };
    const hints: unknown[] = [];
    for (const decision of ['approve', 'approve', 'reject'] as const) {
      await eventsOf(runner.run({ ...address, message: 'Look it up.' }));
      const [request] = await runner.pending(address);
      hints.push(request?.hint);
      if (request !== undefined) await eventsOf(runner[decision](request));
    }

    expect(hints).toEqual(['Look it up?', 'Look it up?', 'Look it up?']);
    expect(runs).toBe(1);
  });
});

function cached(name: string, fields: Partial<FunctionToolFields> = {}): Tool {
  return toolNamed(name, { cache: true, ...fields });
}
