import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { AgentCallbacks } from '../../backend.js';
import { agent, createRunner, type Event, FunctionTool, LlmAgent, Plugin } from '../../index.js';
import { PENDING_RESPONSE } from '../../events/placeholder-response.js';

describe('beforeTool', () => {
  it.each([
    [{}, {}],
    ['', { result: '' }],
    [0, { result: 0 }],
    [false, { result: false }],
  ])('that returns %j answers in place of the tool', async (answer, response) => {
    const { responses, ran } = await run({ beforeTool: () => answer });

    expect(responses).toEqual([response]);
    expect(ran).toEqual([]);
  });

  it('may change the arguments in place: the tool and afterTool see them, the log keeps what the model said', async () => {
    const seen: unknown[] = [];
    const { events, ran } = await run({
      beforeTool(_tool, args) {
        args['cents'] = 700;
      },
      afterTool(_tool, args) {
        seen.push(args);
      },
    });

    expect(ran).toEqual([{ cents: 700 }]);
    expect(seen).toEqual([{ cents: 700 }]);
    expect(events[0]?.functionCalls).toMatchObject([{ name: 'refund', args: { cents: 500 } }]);
  });

  it('that makes the arguments wrong is answered as the model would be', async () => {
    const { responses, ran } = await run({
      beforeTool(_tool, args) {
        args['cents'] = {};
      },
    });

    expect(responses).toEqual([
      {
        error:
          'Invalid arguments for "refund": cents must be number, not {}. Correct them and call the tool again.',
      },
    ]);
    expect(ran).toEqual([]);
  });

  it('stands inside the gate: it cannot answer for a tool that asks first', async () => {
    const beforeTool = jest.fn(() => 'answered');
    const { events, ran } = await run({ beforeTool }, { confirm: true });

    expect(events.at(-1)?.functionResponses[0]?.response).toEqual(PENDING_RESPONSE);
    expect(beforeTool).not.toHaveBeenCalled();
    expect(ran).toEqual([]);
  });

  it('comes from plugins first, and the first answer ends the chain', async () => {
    const beforeTool = jest.fn();
    class Cache extends Plugin {
      readonly name = 'cache';

      override beforeTool(): unknown {
        return 'from the cache';
      }
    }
    const { responses } = await run({ beforeTool }, {}, [new Cache()]);

    expect(responses).toEqual([{ result: 'from the cache' }]);
    expect(beforeTool).not.toHaveBeenCalled();
  });

  it('that throws fails the call and not the turn', async () => {
    const { responses, events } = await run({
      beforeTool() {
        throw new TypeError('broken plugin');
      },
    });

    expect(responses).toEqual([
      { error: 'The tool failed (TypeError). Details are hidden. Continue without it, or retry.' },
    ]);
    expect(events.at(-1)?.text).toBe('Done.');
  });
});

describe('afterTool', () => {
  it('sees the bare result, before it is wrapped', async () => {
    const seen: unknown[] = [];
    const { responses } = await run({
      afterTool(_tool, _args, result) {
        seen.push(result);
      },
    });

    expect(seen).toEqual(['refunded']);
    expect(responses).toEqual([{ result: 'refunded' }]);
  });

  it.each([
    [{}, {}],
    ['masked', { result: 'masked' }],
  ])('that returns %j replaces the result', async (replacement, response) => {
    const { responses } = await run({ afterTool: () => replacement });

    expect(responses).toEqual([response]);
  });

  it('that returns null changes nothing', async () => {
    const bare = await run({});
    const { responses } = await run({ beforeTool: () => null, afterTool: () => null });

    expect(responses).toEqual(bare.responses);
  });

  it('sees what beforeTool answered', async () => {
    const { responses } = await run({
      beforeTool: () => 'cached',
      afterTool: (_tool, _args, result) => `${String(result)}, checked`,
    });

    expect(responses).toEqual([{ result: 'cached, checked' }]);
  });
});

describe('onToolError', () => {
  it('recovers a failed call, and what it gives passes through afterTool', async () => {
    const seen: unknown[] = [];
    const { responses } = await run(
      {
        onToolError(_tool, args, error) {
          seen.push([args, error]);
          return 'recovered';
        },
        afterTool: (_tool, _args, result) => `${String(result)}, checked`,
      },
      { fails: new Error('card refused') },
    );

    expect(seen).toEqual([[{ cents: 500 }, new Error('card refused')]]);
    expect(responses).toEqual([{ result: 'recovered, checked' }]);
  });

  it('that says nothing lets the failure be', async () => {
    const afterTool = jest.fn();
    const { responses } = await run(
      { onToolError: () => undefined, afterTool },
      { fails: new RangeError('card refused') },
    );

    expect(responses).toEqual([
      {
        error: 'outcome unknown: the tool failed (RangeError). It may have taken effect.',
        outcome: 'unknown',
      },
    ]);
    expect(afterTool).not.toHaveBeenCalled();
  });
});

describe('tool callbacks', () => {
  it('share one context with the tool; what they write lands in the response event', async () => {
    const { events } = await run({
      beforeTool(_tool, _args, { state }) {
        state.set('before', 1);
      },
      afterTool(_tool, _args, _result, { state }) {
        state.set('after', state.get('before', 0) + state.get('ran', 0));
      },
    });

    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([
      {},
      { before: 1, ran: 10, after: 11 },
      {},
    ]);
  });
});

async function run(
  callbacks: AgentCallbacks,
  { confirm = false, fails }: { readonly confirm?: boolean; readonly fails?: Error } = {},
  plugins: readonly Plugin[] = [],
) {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const ran: unknown[] = [];
  const refund = new FunctionTool({
    name: 'refund',
    description: 'Refund.',
    confirm,
    parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
    run(args, { state }) {
      if (fails !== undefined) throw fails;
      ran.push(args);
      state.set('ran', 10);
      return 'refunded';
    },
  });
  @agent({ name: 'clerk', description: '', tools: [refund] })
  class Clerk extends LlmAgent {}
  Object.assign(Clerk.prototype, callbacks);
  const model = new ScriptedModel(callsTool('refund', { cents: 500 }), says('Done.'));
  const runner = await createRunner(Clerk, { model, plugins });
  const events: Event[] = await eventsOf(runner.run({ userId: 'ada', message: 'Refund.' }));
  const responses = events.flatMap(({ functionResponses }) =>
    functionResponses.map(({ response }) => response),
  );
  return { events, responses, ran };
}

afterEach(() => {
  jest.restoreAllMocks();
});
