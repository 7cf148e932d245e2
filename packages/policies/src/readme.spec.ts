import { createRunner, defineAgent, tool } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { toolPolicies } from './index.js';

it('does what the README says', async () => {
  let reads = 0;
  const model = new ScriptedModel(
    callsTool('rain', { city: 'Rome' }),
    callsTool('rain', { city: 'Rome' }),
    says('4 mm.'),
  );
  class Weather {
    /** Rain of today. @param city City, such as "Rome". */
    @tool({ effect: 'read', cache: { scope: 'app' }, retry: { attempts: 3, delayMs: 0 } })
    rain(city: string): number {
      if (++reads === 1) throw new Error('the station is down');
      return city.length;
    }
  }
  const Guide = defineAgent({ name: 'guide', tools: [Weather] });
  const runner = await createRunner(Guide, { model, modules: [toolPolicies] });

  expect(await runner.ask('Rain?', { userId: 'ada' })).toBe('4 mm.');
  expect(reads).toBe(2);
  await runner.close();
});
