import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool, type Runner, type RunResult } from '../../index.js';
import { keyOf } from '../../backend.js';

describe('what a method of a runner is given', () => {
  it.each<[string, (runner: Runner, given: object) => Promise<unknown>]>([
    ['run', (runner, given) => eventsOf(runner.run({ message: 'Pay.', ...given }))],
    ['ask', (runner, given) => runner.ask('Pay.', given)],
    ['pending', (runner, given) => runner.pending({ sessionId: 's1', ...given })],
    ['rewind', (runner, given) => runner.rewind({ sessionId: 's1', invocationId: 'e-1', ...given })],
    ['approve', async (runner, given) => eventsOf(runner.approve(await waiting(runner), given))],
    ['reject', async (runner, given) => eventsOf(runner.reject(await waiting(runner), given))],
    ['supply', async (runner, given) => eventsOf(runner.supply(await waiting(runner), {}, given))],
  ])('of %s: refuses an option that does not exist, and stores nothing', async (method, call) => {
    await using runner = await paused();
    const before = await runner.sessions.getSession(KEY);

    await expect(call(runner, { invocationID: 'e-1' })).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
      message: expect.stringMatching(
        `^runner\\.${method}: there is no option invocationID\\. .*Valid: `,
      ) as string,
    });

    const after = await runner.sessions.getSession(KEY);
    expect(after?.events.length).toBe(before?.events.length);
    expect(await runner.sessions.listSessions(KEY)).toHaveLength(1);
  });

  it('suggests the option that was meant', async () => {
    await using runner = await paused();

    await expect(runner.pending({ ...{ userID: 'ada' }, sessionId: 's1' })).rejects.toThrow(
      'runner.pending: there is no option userID. Did you mean userId? Valid: appName, userId, sessionId, for.',
    );
  });

  it('may have options that are undefined, whatever they are called', async () => {
    await using runner = await paused();

    expect(await runner.pending({ ...{ userID: undefined }, sessionId: 's1' })).toHaveLength(1);
  });

  it.each<[string, (runner: Runner, result: RunResult) => unknown]>([
    ['ask', (runner, result) => runner.ask('And now?', result)],
    ['tools', (runner, result) => runner.tools(result)],
    ['send', async (runner, result) => (await runner.send(result, 'And now?')).run],
    ['pending', (runner, result) => runner.pending(result)],
    ['findOpenRun', (runner, result) => runner.findOpenRun(result)],
    ['compact', (runner, result) => runner.compact(result)],
    ['cancelRun', (runner, result) => runner.cancelRun(result)],
    ['undo', (runner, result) => runner.undo(result)],
    ['rewind', (runner, result) => runner.rewind(result)],
    ['fork', (runner, result) => runner.fork(result)],
    ['fork.to', (runner, result) => runner.fork({ ...KEY, to: { ...result, sessionId: 's2' } })],
  ])('of %s: may be the result of a run, as the address of its conversation', async (method, call) => {
    const model = new ScriptedModel(says('Paid.'), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });
    const result = await runner.run({ sessionId: 's1', message: 'Pay.' });

    await call(runner, result);

    const stored = (await runner.sessions.listSessions(KEY)).map(({ id }) => id);
    expect(stored).toContain('s1');
    expect(stored).toHaveLength(method.startsWith('fork') ? 2 : 1);
  });

  it('of resume: may be the result of a run, as the run to continue', async () => {
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), {
      model: new ScriptedModel(says('Paid.')),
    });
    const result = await runner.run({ sessionId: 's1', message: 'Pay.' });

    await expect(eventsOf(runner.resume(result))).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it('beside the result of a run: an option that does not exist is refused', async () => {
    await using runner = await paused();
    const result = await runner.run({ sessionId: 's2', message: 'Pay.' });

    await expect(runner.pending({ ...result, ...{ fro: 'mia' } })).rejects.toThrow(
      'runner.pending: there is no option fro. Did you mean for?',
    );
  });

  it('may be the key of a session, unless it is of another application', async () => {
    await using runner = await paused();
    const session = await runner.sessions.getSession(KEY);
    if (session === undefined) throw new Error('there is no session');
    const key = keyOf(session);

    expect(await runner.pending(key)).toHaveLength(1);
    await expect(runner.pending({ ...key, appName: 'shop' })).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
      message:
        "runner.pending: appName is shop, but the runner's is clerk. Omit it, or use a runner of that " +
        'application.',
    });
  });
});

const KEY = { appName: 'clerk', userId: 'user', sessionId: 's1' };

/** A runner with a call that waits for a yes in session `s1`. */
async function paused(): Promise<Runner> {
  const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
  const model = new ScriptedModel(callsTool('pay', {}), says('Done.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [pay] }), { model });
  await eventsOf(runner.run({ sessionId: 's1', message: 'Pay.' }));
  return runner;
}

async function waiting(runner: Runner) {
  const [request] = await runner.pending({ sessionId: 's1' });
  if (request === undefined) throw new Error('no request waits');
  return request;
}
