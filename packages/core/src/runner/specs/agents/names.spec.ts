import { says, ScriptedModel } from '@adorn/testing';

import type { RunInput } from '../../../backend.js';
import { createRunner, defineAgent, type Runner } from '../../../index.js';

const NOT_NAMES: readonly unknown[] = [105, null, true, {}, ['ada'], '', Symbol('ada')];
const Agent = defineAgent({ name: 'clerk' });

describe('a name that is not a string', () => {
  it.each(NOT_NAMES)('is refused as userId, sessionId and invocationId of a run: %p', async (name) => {
    await using runner = await createRunner(Agent, { model: new ScriptedModel() });

    for (const field of ['userId', 'sessionId', 'invocationId']) {
      const input = { message: 'Hi', [field]: name } as unknown as RunInput;
      await expect(runner.run(input).next()).rejects.toMatchObject({ code: 'NAME_INVALID' });
    }

    expect(await runner.sessions.listSessions({ appName: 'clerk', userId: 'user' })).toEqual([]);
  });

  it.each(NOT_NAMES)('is refused by ask, pending and rewind: %p', async (name) => {
    await using runner = await createRunner(Agent, { model: new ScriptedModel(says('Hi.')) });
    await runner.ask('Hi', { sessionId: 's1' });
    const id = name as string;
    const calls: ((runner: Runner) => Promise<unknown>)[] = [
      async (own) => own.ask('Hi', { userId: id }),
      async (own) => own.pending({ sessionId: id }),
      async (own) => own.pending({ userId: id, sessionId: 's1' }),
      async (own) => own.rewind({ sessionId: id, invocationId: 'e-1' }),
      async (own) => own.rewind({ userId: id, sessionId: 's1', invocationId: 'e-1' }),
      async (own) => own.rewind({ sessionId: 's1', invocationId: id }),
    ];

    for (const call of calls) await expect(call(runner)).rejects.toMatchObject({ code: 'NAME_INVALID' });
  });

  it('is refused as the name of an application', async () => {
    const runner = createRunner(Agent, { appName: 5 as unknown as string, model: new ScriptedModel() });

    await expect(runner).rejects.toMatchObject({
      code: 'NAME_INVALID',
      message:
        'The application name must be a string, but is a number. Nothing was read or written. Pass a ' +
        'string; convert a numeric id with String(id).',
    });
  });
});

describe('an argument that is no object', () => {
  it.each<[string, (runner: Runner, input: never) => Promise<unknown>]>([
    ['runner.run', async (own, input) => own.run(input)],
    ['runner.ask', async (own, input) => own.ask('Hi', input)],
    ['runner.explain', async (own, input) => own.explain(input)],
    ['runner.pending', async (own, input) => own.pending(input)],
    ['runner.resume', async (own, input) => own.resume(input)],
    ['runner.rewind', async (own, input) => own.rewind(input)],
  ])('is refused by %s, with the options that it has', async (method, call) => {
    await using runner = await createRunner(Agent, { model: new ScriptedModel() });

    for (const [input, found] of [
      [null, 'null'],
      ['s1', 's1'],
      [['s1'], 'an array'],
    ] as const) {
      await expect(call(runner, input as never)).rejects.toMatchObject({
        code: 'RUN_CONFIG_INVALID',
        message: expect.stringMatching(
          new RegExp(`^${method}: its options are ${found}, not an object\\. Valid: .*sessionId`),
        ) as unknown,
      });
    }
  });
});
