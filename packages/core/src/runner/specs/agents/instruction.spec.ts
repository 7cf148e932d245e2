import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { Instruction, StateDelta } from '../../../backend.js';
import { agent, createRunner, instruct, LlmAgent } from '../../../index.js';

describe('an instruction', () => {
  it.each<[string, StateDelta, string]>([
    ['Serve {customer}.', { customer: 'Ada' }, 'Serve Ada.'],
    ['Serve {customer?}.', {}, 'Serve .'],
    ['{app:a}{user:b}{temp:c}', { 'app:a': 1, 'user:b': true, 'temp:c': ['x'] }, '1true["x"]'],
    ['{artifact.note?}', {}, ''],
    [
      'Answer as {"text": 1}, { }, {1, 2}, {a-b} or {{}}.',
      {},
      'Answer as {"text": 1}, { }, {1, 2}, {a-b} or {{}}.',
    ],
  ])('%j with %j is %j', async (instruction, stateDelta, expected) => {
    expect(await instructionOf(instruction, stateDelta)).toBe(expected);
  });

  it('that is a function or a tagged template is taken as it is', async () => {
    expect(await instructionOf(() => Promise.resolve('Serve {customer}.'))).toBe('Serve {customer}.');
    expect(
      await instructionOf(instruct`Serve ${({ state }) => state.get('customer')} {customer}.`, {
        customer: 'Ada',
      }),
    ).toBe('Serve Ada {customer}.');
  });

  it.each([
    ['{customer}', 'the state does not contain that key. Pass it in the stateDelta of the run'],
    ['{temp:draft}', 'the state does not contain that key. Pass it in the stateDelta of the run'],
    [
      '{user:tier}',
      'the state does not contain that key. Write it with runner.sessions.updateSession, or from a ' +
        'tool or a callback',
    ],
    [
      '{app:policy}',
      'the state does not contain that key. Write it with runner.sessions.updateSession, or from a ' +
        'tool or a callback',
    ],
    ['{artifact.note}', 'there is no artifact with that name. Save it before the run'],
  ])(
    'with an unfilled placeholder %s fails before the model is called, and says how to fill it',
    async (instruction, remedy) => {
      const model = new ScriptedModel(says('never said'));
      @agent({ description: '', instruction })
      class Clerk extends LlmAgent {}
      const runner = await createRunner(Clerk, { model });

      await expect(eventsOf(runner.run({ message: 'Hello?' }))).rejects.toMatchObject({
        code: 'INSTRUCTION_KEY_MISSING',
        message:
          `The instruction of agent "clerk" has a placeholder ${instruction}, but ${remedy}, ` +
          `or write ${instruction.replace('}', '?}')} if it may be absent.`,
      });
      expect(model.requests).toEqual([]);
    },
  );
});

async function instructionOf(instruction: Instruction, state: StateDelta = {}): Promise<unknown> {
  const model = new ScriptedModel(says('Hello.'));
  @agent({ description: '', instruction })
  class Clerk extends LlmAgent {}
  const runner = await createRunner(Clerk, { model });
  const isTemporary = ([key]: [string, unknown]): boolean => key.startsWith('temp:');
  const entries = Object.entries(state);
  const address = { userId: 'ada', sessionId: 's1' };
  const stored = Object.fromEntries(entries.filter((entry) => !isTemporary(entry)));
  await runner.sessions.createSession({ appName: runner.appName, ...address }, stored);
  const stateDelta = Object.fromEntries(entries.filter(isTemporary));
  await eventsOf(runner.run({ ...address, message: 'Hello?', stateDelta }));
  const { systemInstruction } = model.requests[0]?.config ?? {};
  return (
    typeof systemInstruction === 'string' &&
    systemInstruction.replace(/(\n\n)?Your name is "clerk"\.(\n\n)?/, '')
  );
}
