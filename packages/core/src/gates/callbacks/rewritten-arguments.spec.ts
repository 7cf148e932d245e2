import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { AgentCallbacks, FunctionToolFields } from '../../backend.js';
import {
  agent,
  createRunner,
  Deny,
  FunctionTool,
  LlmAgent,
  type RunConfig,
  type Runner,
} from '../../index.js';

describe('arguments that beforeTool changes', () => {
  it('are asked about again where the tool asks first, and run once they are approved', async () => {
    const { runner, ran } = await start({ beforeTool: capAt(700) });

    await say(runner, 'Refund.');
    const [first] = await runner.pending(address);
    await approve(runner);
    const [second, ...others] = await runner.pending(address);

    expect([first?.hint, second?.hint, others]).toEqual(['Refund 900?', 'Refund 700?', []]);
    expect(second?.args).toEqual({ cents: 700 });
    expect(ran).toEqual([]);

    await approve(runner);

    expect(ran).toEqual([{ cents: 700 }]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('are not run where the second question is answered with no', async () => {
    const { runner, ran, model } = await start({ beforeTool: capAt(700) });

    await say(runner, 'Refund.');
    await approve(runner);
    const [second] = await runner.pending(address);
    if (second !== undefined) await eventsOf(runner.reject(second));

    expect(ran).toEqual([]);
    expect(model.requests.at(-1)?.contents.at(-1)?.parts).toEqual([
      { functionResponse: { name: 'refund', response: { error: 'tool call was rejected by the user' } } },
    ]);
  });

  it('are asked about where they need a yes that the old ones did not need', async () => {
    const { runner, ran } = await start({ beforeTool: capAt(600) }, 500);

    await say(runner, 'Refund.');

    expect(await runner.pending(address)).toMatchObject([{ hint: 'Refund 600?', args: { cents: 600 } }]);
    expect(ran).toEqual([]);
  });

  it('run as they were shown, also where beforeTool gives others at each call', async () => {
    let cents = 600;
    const beforeTool = jest.fn<undefined, [unknown, Record<string, unknown>]>((_tool, args) => {
      args['cents'] = ++cents;
    });
    const { runner, ran } = await start({ beforeTool });
    await say(runner, 'Refund.');
    await approve(runner);
    expect(await runner.pending(address)).toMatchObject([{ args: { cents: 601 } }]);

    await approve(runner);

    expect(ran).toEqual([{ cents: 601 }]);
    expect(beforeTool).toHaveBeenCalledTimes(1);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('are checked once more before they run, and asked about anew once the approval has expired', async () => {
    let cents = 600;
    let isFrozen = false;
    const setting: Parameters<typeof start>[0] = {
      beforeTool(_tool, args) {
        args['cents'] = ++cents;
      },
      checkTool: () => (isFrozen ? new Deny('frozen') : undefined),
    };
    const denied = await start(setting);
    await say(denied.runner, 'Refund.');
    await approve(denied.runner);
    isFrozen = true;
    await approve(denied.runner);
    isFrozen = false;
    const expired = await start(setting, 900, { confirmationExpiresAfter: 1 });
    await say(expired.runner, 'Refund.');
    await approve(expired.runner);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await approve(expired.runner);

    expect([denied.ran, expired.ran]).toEqual([[], []]);
    expect(await denied.runner.pending(address)).toEqual([]);
    expect(await expired.runner.pending(address)).toHaveLength(1);
  });

  it('are those of the requests that the tool makes while it runs', async () => {
    let cents = 100;
    const ran: unknown[] = [];
    const { runner } = await start(
      {
        beforeTool(_tool, args) {
          args['cents'] = ++cents;
        },
      },
      400,
      {},
      (args, context) => {
        context.requestConfirmation('Sure?');
        ran.push(args);
      },
    );
    await say(runner, 'Refund.');

    await approve(runner);

    expect(ran).toEqual([{ cents: 101 }]);
    expect(await runner.pending(address)).toEqual([]);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function capAt(cents: number): AgentCallbacks['beforeTool'] {
  return (_tool, args) => {
    args['cents'] = cents;
  };
}

async function start(
  callbacks: AgentCallbacks,
  cents = 900,
  config: Partial<RunConfig> = {},
  run?: FunctionToolFields['run'],
) {
  const ran: unknown[] = [];
  const refund = new FunctionTool({
    name: 'refund',
    description: 'Refund.',
    confirm: (args) => (Number(args['cents']) > 500 ? `Refund ${String(args['cents'])}?` : false),
    parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
    run: run ?? ((args) => ran.push(args)),
  });
  @agent({ name: 'clerk', description: '', tools: [refund] })
  class Clerk extends LlmAgent {}
  Object.assign(Clerk.prototype, callbacks);
  const model = new ScriptedModel(callsTool('refund', { cents }), says('Done.'));
  return { runner: await createRunner(Clerk, { model, config }), ran, model };
}

async function say(runner: Runner, message: string): Promise<void> {
  await eventsOf(runner.run({ ...address, message }));
}

async function approve(runner: Runner): Promise<void> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('nothing is pending');
  await eventsOf(runner.approve(request));
}
