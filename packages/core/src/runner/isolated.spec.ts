import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
} from '../index.js';

describe('runner.isolated', () => {
  it('runs what stands in for a tool behind the gates, and leaves the tool alone', async () => {
    const { runner, ran } = await start([callsTool('refund', { cents: 5 }), says('Done.')], {
      effect: 'destructive',
    });
    const seen: unknown[] = [];
    await using isolated = runner.isolated({
      standIns: {
        runTool: ({ tool, args }) => {
          seen.push([tool, args]);
          return Promise.resolve({ status: 'stubbed' });
        },
      },
    });

    const { pending } = await isolated.run({ message: 'Refund.' });
    expect(seen).toEqual([]);
    const { events } = await isolated.approve(pending[0] as PendingRequest);

    expect(seen).toEqual([['refund', { cents: 5 }]]);
    expect(events.flatMap((event) => event.functionResponses.map(({ response }) => response))).toContainEqual(
      {
        status: 'stubbed',
      },
    );
    expect(ran).toEqual([]);
  });

  it('lets a stand-in run the tool itself', async () => {
    const { runner, ran } = await start([callsTool('refund', { cents: 5 }), says('Done.')]);
    await using isolated = runner.isolated({ standIns: { runTool: (_call, run) => run() } });

    await isolated.ask('Refund.');

    expect(ran).toEqual([5]);
  });

  it('asks what stands in for a model', async () => {
    const { runner, model } = await start([]);
    await using isolated = runner.isolated({
      standIns: {
        async *askModel({ name }) {
          yield { content: { role: 'model', parts: [{ text: `in place of ${name}` }] } };
        },
      },
    });

    await expect(isolated.ask('Hello')).resolves.toBe(`in place of ${model.name}`);
  });

  it('has no effects of the application, and leaves none in its ledger', async () => {
    const steps = [callsTool('refund', { cents: 5 }), says('Done.')];
    const { runner, ran } = await start([...steps, ...steps, ...steps], {
      effect: 'write',
      once: ({ cents }) => ({ cents: Number(cents) }),
    });

    await runner.ask('Refund.');
    await using isolated = runner.isolated();
    await isolated.ask('Refund.');
    await using other = isolated.isolated({ sharesStores: true });
    await other.ask('Refund.');

    expect(ran).toEqual([5, 5]);
  });

  it('shares the stores of its original if it is asked to, as another process would', async () => {
    const { runner } = await start([says('Hello.')]);
    await using first = runner.isolated();
    await first.run({ userId: 'ada', sessionId: 's', message: 'Hi' });
    await using second = first.isolated({ sharesStores: true });

    expect((await second.sessions.listSessions({ appName: runner.appName, userId: 'ada' })).length).toBe(1);
    expect((await runner.sessions.listSessions({ appName: runner.appName, userId: 'ada' })).length).toBe(0);
  });

  it('takes a session service in place of its own', async () => {
    const { runner } = await start([says('Hello.')]);
    const sessions = new InMemorySessionService();
    await using isolated = runner.isolated({ sessions });

    await isolated.run({ userId: 'ada', sessionId: 's', message: 'Hi' });

    const key = { appName: runner.appName, userId: 'ada', sessionId: 's' };
    await expect(sessions.getSession(key)).resolves.toBeDefined();
  });

  it.each<[string, object, string]>([
    ['a misspelt option', { standIn: {} }, 'Did you mean standIns?'],
    ['a flag that is none', { sharesStores: 1 }, 'sharesStores'],
  ])('refuses %s', async (_what, options, message) => {
    const { runner } = await start([]);

    expect(() => runner.isolated(options)).toThrow(message);
  });
});

async function start(script: readonly ScriptedStep[], options: Partial<FunctionToolFields> = {}) {
  const ran: unknown[] = [];
  const refund = new FunctionTool({
    name: 'refund',
    description: 'Refunds.',
    parameters: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
    ...options,
    run: ({ cents }) => {
      ran.push(cents);
      return { refunded: cents };
    },
  });
  const model = new ScriptedModel(...script);
  const runner = await createRunner(defineAgent({ name: 'desk', model, tools: [refund] }));
  return { runner, ran, model };
}
