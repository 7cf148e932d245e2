import { says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent } from '../../index.js';

it('is declared with one required argument, in words that say when to call it', async () => {
  const model = new ScriptedModel(says('Hello.'));
  const billing = defineAgent({ name: 'billing', model });
  await using runner = await createRunner(defineAgent({ name: 'front', model, subAgents: [billing] }));

  await runner.ask('Hello.');

  expect(model.requests[0]?.config.tools).toEqual([
    {
      functionDeclarations: [
        {
          name: 'transfer_to_agent',
          description:
            'Transfer control to another agent by name. Use it when another agent is better suited to answer the user.',
          parametersJsonSchema: {
            type: 'object',
            properties: {
              agent_name: { type: 'string', description: 'The name of the agent to transfer to.' },
            },
            required: ['agent_name'],
            additionalProperties: false,
          },
        },
      ],
    },
  ]);
});
