import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool, type Runner } from '../index.js';

/** A desk with a tool that waits for an approval, and one that runs until it is released. */
async function desk() {
  let release = (): void => undefined;
  let isBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (isBegun = resolve));
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    confirm: () => 'Pay?',
    run: () => 'paid',
  });
  const print = new FunctionTool({
    name: 'print',
    description: 'Prints.',
    run: () => {
      isBegun();
      return new Promise<string>((resolve) => (release = () => resolve('printed')));
    },
  });
  const model = new ScriptedModel(says('Hi.'), callsTool('pay'), callsTool('print'), says('Printed.'));
  const runner: Runner = await createRunner(defineAgent({ name: 'desk', model, tools: [pay, print] }));
  return { runner, begun, release: () => release() };
}

async function idsOf(runner: Runner): Promise<string[]> {
  return (await runner.sessions.listSessions({ appName: 'desk', userId: 'ada' })).map(({ id }) => id).sort();
}

describe('runner.applyRetention', () => {
  it('deletes conversations that are old enough, but for those that wait or run', async () => {
    const { runner, begun, release } = await desk();
    for (const sessionId of ['idle', 'waits']) await runner.run({ userId: 'ada', sessionId, message: 'Hi.' });
    const running = runner.run({ userId: 'ada', sessionId: 'runs', message: 'Print.' });
    const ended = running.then(() => undefined);
    await begun;

    expect(await runner.applyRetention({ sessions: '1d' })).toMatchObject({ sessions: 0, keptSessions: 0 });
    expect(await runner.applyRetention({ sessions: 0 })).toMatchObject({ sessions: 1, keptSessions: 2 });
    expect(await idsOf(runner)).toEqual(['runs', 'waits']);
    expect(await runner.applyRetention({ sessions: 0, includeWaiting: true })).toMatchObject({
      sessions: 1,
      keptSessions: 1,
    });
    expect(await idsOf(runner)).toEqual(['runs']);
    release();
    await ended;
    await runner.close();
  });

  it('deletes the files and memories of users that are old enough', async () => {
    const { runner } = await desk();
    const scope = { appName: 'desk', userId: 'ada' };
    await runner.artifacts.save({ ...scope, sessionId: 's1' }, 'user:a.txt', { text: 'mine' });
    await runner.memory.addMemory(scope, [{ content: { parts: [{ text: 'Old.' }] }, timestamp: 1 }]);

    expect(await runner.applyRetention({ artifacts: '1d', memories: '1d' })).toEqual({
      sessions: 0,
      keptSessions: 0,
      artifacts: 0,
      memories: 1,
    });
    await runner.close();
  });

  it.each(['90', '', 'soon', NaN, -1, '-1d'])('refuses %j, which is no duration', async (sessions) => {
    const { runner } = await desk();
    await runner.sessions.createSession({ appName: 'desk', userId: 'ada', sessionId: 's1' });

    await expect(runner.applyRetention({ sessions })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(await idsOf(runner)).toEqual(['s1']);
    await runner.close();
  });
});
