import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool } from '../index.js';

describe('runner.forget', () => {
  it('refuses while a run of the user is in progress, and erases nothing; or cancels it and erases all', async () => {
    let isBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => (isBegun = resolve));
    const print = new FunctionTool({
      name: 'print',
      description: 'Prints.',
      run: (_args, { signal }) => {
        isBegun();
        return new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
      },
    });
    const model = new ScriptedModel(callsTool('print'), says('Printed.'));
    const runner = await createRunner(defineAgent({ name: 'desk', model, tools: [print] }));
    const running = runner.run({ userId: 'ada', sessionId: 's1', message: 'Print.' });
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    await begun;
    const owner = { appName: 'desk', userId: 'ada' };

    await expect(runner.forget('ada')).rejects.toMatchObject({ code: 'INVOCATION_ACTIVE' });
    expect(await runner.sessions.listSessions(owner)).toHaveLength(1);
    const { erased } = await runner.forget('ada', { cancelRuns: true });

    expect(erased.sessions).toBe(1);
    await ended;
    expect(await runner.sessions.listSessions(owner)).toEqual([]);
    expect((await runner.forget('ada')).erased.sessions).toBe(0);
    await runner.close();
  });

  it('refuses an option that it does not know, and a user without a name', async () => {
    const runner = await createRunner(defineAgent({ name: 'desk', model: new ScriptedModel() }));
    await expect(runner.forget('ada', { force: true } as object)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    await expect(runner.forget('')).rejects.toMatchObject({ code: 'NAME_INVALID' });
    await runner.close();
  });
});
