import { createRunner, defineAgent } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { searchable } from './index.js';

/** Tell when the shop is open. */
function openingHours(day: string): string {
  return `${day}: from nine to five.`;
}

describe('a function in searchable', () => {
  it('has the schema of its signature, and is found', async () => {
    const model = new ScriptedModel(
      callsTool('search_tools', { query: 'when open' }),
      callsTool('opening_hours', { day: 'Monday' }),
      says('Done.'),
    );
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', tools: [searchable([openingHours])] }),
      { model },
    );
    const events = await eventsOf(runner.run({ userId: 'ada', message: 'When?' }));

    const responses = events.flatMap(({ functionResponses }) => functionResponses);
    expect(responses.at(-1)?.response).toEqual({ result: 'Monday: from nine to five.' });
  });
});
