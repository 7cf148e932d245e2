import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  Logger,
  type ModelResponse,
  type Runner,
  SessionService,
} from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import { callsTool, eventsOf, says } from '@adorn/testing';

import { MortalSessionService } from '../../../core/src/agents/workflow/workflow.fixture.js';
import { QuietLogger } from '../../../core/src/gates/quiet-services.fixture.js';
import { RepeatingModel } from '../../../sandbox/src/tools/code-mode.fixture.js';
import { DataFlowPlugin } from './data-flow.plugin.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const IBAN = 'DE89370400440532013000';

describe('a conversation whose process dies behind any of its writes', () => {
  it('lets no confidential value leave, whoever goes on with it', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const { sessions, sent, restart } = world(
        callsTool('lookup'),
        callsTool('post', { body: `It is ${IBAN}.` }),
        says('No.'),
      );
      isDead = await diesAfter(writes, sessions, await restart());

      const next = await goOn(sessions, await restart());

      expect([writes, sent, await next.pending(ADA)]).toEqual([writes, [], []]);
    }
  });

  it('does what may take one along once, and only after a yes', async () => {
    let asked = 0;
    for (let writes = 1, isDead = true; isDead; writes++) {
      const { sessions, sent, restart } = world(
        callsTool('lookup'),
        callsTool('post', { body: 'D, E, eight, nine' }),
        says('Done.'),
      );
      isDead = await diesAfter(writes, sessions, await restart());

      const next = await goOn(sessions, await restart());
      const [request] = await next.pending(ADA);
      expect([writes, sent]).toEqual([writes, []]);
      // A call that may have begun when its process died is given up: its tool is not idempotent.
      if (request !== undefined) await eventsOf(next.approve(request));

      expect([writes, sent]).toEqual([writes, request === undefined ? [] : [{ body: 'D, E, eight, nine' }]]);
      asked += request === undefined ? 0 : 1;
    }
    expect(asked).toBeGreaterThan(2);
  });
});

async function diesAfter(writes: number, sessions: MortalSessionService, runner: Runner): Promise<boolean> {
  sessions.left = writes;
  return eventsOf(runner.run({ ...ADA, message: 'Go.' })).then(
    () => false,
    () => true,
  );
}

/** Another process recovers what is left; a message that never began is sent again. */
async function goOn(sessions: MortalSessionService, next: Runner): Promise<Runner> {
  sessions.left = Infinity;
  await new Promise((resolve) => setTimeout(resolve, 2));
  await next.recover({ olderThan: 0 });
  const session = await sessions.getSession({ appName: 'clerk', ...ADA });
  const hasBegun = session?.events.some(({ functionCalls }) => functionCalls.length > 0) === true;
  if (!hasBegun) await eventsOf(next.run({ ...ADA, message: 'Go.' }));
  return next;
}

function world(...steps: readonly ModelResponse[]) {
  const sessions = new MortalSessionService();
  const sent: unknown[] = [];
  const made = (name: string, fields: Partial<FunctionToolFields>): FunctionTool =>
    new FunctionTool({
      name,
      description: '',
      parameters: { type: 'object', properties: { body: {} } },
      run: (args) => sent.push(args),
      ...fields,
    });
  const tools = [
    made('lookup', { effect: 'read', confidential: true, run: () => ({ iban: IBAN }) }),
    made('post', { effect: 'write', outside: true }),
  ];
  const restart = () =>
    createRunner(defineAgent({ name: 'clerk', model: new RepeatingModel(...steps), tools }), {
      appName: 'clerk',
      config: { takeOverAfter: 0 },
      plugins: [new DataFlowPlugin()],
      modules: [
        new ContainerModule(({ bind }) => {
          bind(SessionService).toConstantValue(sessions);
          bind(Logger).toConstantValue(new QuietLogger());
        }),
      ],
    });
  return { sessions, sent, restart };
}
