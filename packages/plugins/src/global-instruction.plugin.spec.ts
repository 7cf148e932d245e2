import {
  createRunner,
  defineAgent,
  type GenerateContentConfig,
  type ModelRequest,
  Plugin,
} from '@adorn/core';
import type { Instruction } from '@adorn/core/backend';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { GlobalInstructionPlugin } from './global-instruction.plugin.js';

describe('GlobalInstructionPlugin', () => {
  it('stands before the instruction of every agent', async () => {
    const model = new ScriptedModel(callsTool('transfer_to_agent', { agentName: 'expert' }), says('Done.'));
    const expert = defineAgent({ name: 'expert', description: 'Knows.', instruction: 'Be exact.' });
    const root = defineAgent({ name: 'clerk', model, instruction: 'Be kind.', subAgents: [expert] });
    await using runner = await createRunner(root, { plugins: [new GlobalInstructionPlugin('Be brief.')] });

    await eventsOf(runner.run({ message: 'Hello.' }));

    const [first, second] = model.requests.map(({ config }) => config.systemInstruction);
    expect(first).toMatch(/^Be brief\.\n\nBe kind\./);
    expect(second).toMatch(/^Be brief\.\n\nBe exact\./);
  });

  it('is not added twice to the requests of one agent', async () => {
    const model = new ScriptedModel(says('One.'), says('Two.'));
    const plugins = [new GlobalInstructionPlugin('Be brief.')];
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { plugins });

    for (const message of ['One?', 'Two?']) await eventsOf(runner.run({ sessionId: 's1', message }));

    const texts = model.requests.map(({ config }) => config.systemInstruction);
    expect(new Set(texts).size).toBe(1);
  });

  it.each<[string, Instruction, string]>([
    ['placeholders', 'Speak {language?}{user:tone}.', 'Speak kindly.'],
    ['a function of the context', ({ userId }) => `Help ${userId}.`, 'Help ada.'],
    ['a promise', ({ agentName }) => Promise.resolve(`You are ${agentName}.`), 'You are clerk.'],
  ])('takes %s', async (_what, instruction, text) => {
    const model = new ScriptedModel(says('Hello.'));
    const plugins = [new GlobalInstructionPlugin(instruction)];
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { plugins });
    const key = { appName: runner.appName, userId: 'ada', sessionId: 's1' };
    await runner.sessions.createSession(key, { 'user:tone': 'kindly' });

    await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello.' }));

    expect(model.requests[0]?.config.systemInstruction).toMatch(new RegExp(`^${text}\n\n`));
  });

  it('ends the turn where a placeholder has no value, naming the agent', async () => {
    const model = new ScriptedModel();
    const plugins = [new GlobalInstructionPlugin('Speak {language}.')];
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { plugins });

    const events = await eventsOf(runner.run({ message: 'Hello.' }));

    expect(events.at(-1)).toMatchObject({
      errorCode: 'INSTRUCTION_KEY_MISSING',
      errorMessage: expect.stringContaining('agent "clerk"'),
    });
    expect(model.requests).toEqual([]);
  });

  it.each<[string, GenerateContentConfig['systemInstruction'], unknown]>([
    ['no instruction', undefined, 'Be brief.'],
    ['a list', ['Be kind.'], ['Be brief.', 'Be kind.']],
    ['a part', { text: 'Be kind.' }, ['Be brief.', { text: 'Be kind.' }]],
    [
      'a content',
      { role: 'user', parts: [{ text: 'Be kind.' }] },
      { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    ],
  ])('stands before %s that another plugin has set', async (_what, own, expected) => {
    class Setting extends Plugin {
      readonly name = 'setting';

      override beforeModel(request: ModelRequest): undefined {
        const { systemInstruction: _dropped, ...config } = request.config;
        request.config = own === undefined ? config : { ...config, systemInstruction: own };
      }
    }
    const model = new ScriptedModel(says('Hello.'));
    const plugins = [new Setting(), new GlobalInstructionPlugin('Be brief.')];
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { plugins });

    await eventsOf(runner.run({ message: 'Hello.' }));

    expect(model.requests[0]?.config.systemInstruction).toEqual(expected);
  });

  it('adds nothing for an empty text of a function', async () => {
    const model = new ScriptedModel(says('Hello.'));
    const root = defineAgent({ name: 'clerk', model, instruction: 'Be kind.' });
    await using runner = await createRunner(root, { plugins: [new GlobalInstructionPlugin(() => '')] });

    await eventsOf(runner.run({ message: 'Hello.' }));

    expect(model.requests[0]?.config.systemInstruction).toMatch(/^Be kind\./);
  });

  it.each<[unknown, string]>([
    [undefined, 'its instruction is absent. Pass a text or a function.'],
    ['', 'its instruction is empty.'],
    [7, 'its instruction is a number.'],
  ])('refuses %j', (instruction, fault) => {
    expect(() => new GlobalInstructionPlugin(instruction as Instruction)).toThrow(
      `GlobalInstructionPlugin: ${fault}`,
    );
  });

  it('ends the turn where its function gives no text', async () => {
    const plugins = [new GlobalInstructionPlugin((() => 7) as unknown as Instruction)];
    const model = new ScriptedModel();
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { plugins });

    const events = await eventsOf(runner.run({ message: 'Hello.' }));

    expect(events.at(-1)?.errorCode).toBe('PLUGIN_INVALID');
  });
});
