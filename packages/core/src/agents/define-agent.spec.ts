import { says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent } from '../index.js';

describe('defineAgent', () => {
  it('makes an agent without a class statement', async () => {
    const model = new ScriptedModel(says('Hello.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', model, instruction: 'Help.' }));

    expect(await runner.ask('Hello?')).toBe('Hello.');
    expect([runner.root.name, runner.root.description, runner.root.path]).toEqual(['clerk', '', 'clerk']);
    expect(model.requests[0]?.config.systemInstruction).toBe('Help.\n\nYour name is "clerk".');
  });

  it('takes sub-agents until a runner is created', async () => {
    const model = new ScriptedModel();
    const clerk = defineAgent({ name: 'clerk', model });
    const before = await createRunner(clerk);

    clerk.subAgents = [defineAgent({ name: 'billing' })];

    expect(before.root.subAgents).toEqual([]);
    expect((await createRunner(clerk)).root.subAgents.map(({ path }) => path)).toEqual(['clerk/billing']);
  });

  it.each([[{ type: 'strng' }], [{ type: 'string', pattern: '(' }], [{ $ref: '#/$defs/city' }]])(
    'refuses an output schema that is not valid: %j',
    async (outputSchema) => {
      const clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(), outputSchema });

      await expect(createRunner(clerk)).rejects.toMatchObject({
        code: 'AGENT_CONFIG_INVALID',
        message: expect.stringContaining('its outputSchema cannot be used') as string,
      });
    },
  );

  it('refuses two agents of one name as it refuses two classes', async () => {
    const model = new ScriptedModel();
    const subAgents = [defineAgent({ name: 'billing' }), defineAgent({ name: 'billing' })];

    await expect(createRunner(defineAgent({ name: 'clerk', model, subAgents }))).rejects.toMatchObject({
      code: 'AGENT_NAME_TAKEN',
    });
  });
});
