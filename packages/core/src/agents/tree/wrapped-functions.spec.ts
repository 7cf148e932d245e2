import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, defineTool, withOptions } from '../../index.js';

describe('a wrapped function among the tools', () => {
  it('has its derived schema when the runner is created', async () => {
    /** @param city City, such as "Rome". */
    function getRain(city: string): string {
      return `${city}: 3 mm`;
    }
    const tool = withOptions(withOptions(defineTool(getRain), { cache: true }), { timeout: 5_000 });
    const model = new ScriptedModel(callsTool('get_rain', { city: 'Rome' }), says('Dry.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      model,
      modules: [toolPolicies],
    });

    const events = await eventsOf(runner.run({ message: 'Rain?' }));

    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { result: 'Rome: 3 mm' } },
    ]);
    expect(tool.declaration()).toMatchObject({
      parametersJsonSchema: { properties: { city: { type: 'string' } } },
    });
  });
});
