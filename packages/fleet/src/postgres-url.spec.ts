import { createRunner, defineAgent } from '@adorn/core';
import { PgBossQueue } from '@adorn/pg-boss';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';

import { InProcessQueue, openFleet } from './index.js';

describe('an address that is no PostgreSQL', () => {
  const refused = /url .*Pass the address of a PostgreSQL, such as postgres:/s;

  it.each(['desk.db', ':memory:', 'file:desk.db', 'mysql://host/db', 'postgres', ''])(
    'is refused by a fleet and by its queue before anything is opened: %j',
    async (url) => {
      const agent = defineAgent({
        name: 'desk',
        description: 'A desk.',
        model: new ScriptedModel(says('Hello')),
      });
      await using runner = await createRunner(agent, { modules: [sqlStorage(':memory:')] });

      await expect(openFleet(runner, { queue: new InProcessQueue(), url })).rejects.toThrow(refused);
      expect(() => new PgBossQueue(url)).toThrow(refused);
    },
  );
});
