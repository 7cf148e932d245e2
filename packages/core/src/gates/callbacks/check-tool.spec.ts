import { AllowAll, callsTool, DenyAll, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { AgentCallbacks, ConfirmationDecision, FunctionToolFields } from '../../backend.js';
import {
  agent,
  RequireConfirmation,
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  Deny,
  FunctionTool,
  LlmAgent,
  Plugin,
  type Runner,
} from '../../index.js';

describe('checkTool', () => {
  it('that denies a call refuses it with the reason, and nobody is asked', async () => {
    const { runner, ran, responses } = await start({ checkTool: () => new Deny('not on Sundays') });

    expect(await responses('Pay.')).toEqual([{ error: 'tool call was denied', reason: 'not on Sundays' }]);
    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('that asks has a person confirm a call whose tool does not ask', async () => {
    const { runner, ran } = await start({
      checkTool: () => new RequireConfirmation('Pay, really?', { limit: 5 }),
    });

    await say(runner, 'Pay.');
    const [request] = await runner.pending(address);
    expect(request).toMatchObject({ kind: 'confirmation', hint: 'Pay, really?', payload: { limit: 5 } });
    expect(ran).toEqual([]);

    await approve(runner);
    expect(ran).toEqual([{ cents: 900 }]);
  });

  it('that asks without a hint asks to approve the tool by its name', async () => {
    const { runner } = await start({ checkTool: () => new RequireConfirmation() });

    await say(runner, 'Pay.');

    expect(await runner.pending(address)).toMatchObject([{ hint: 'Approve execution of tool `pay`?' }]);
  });

  it.each([
    ['at once', () => 'Pay 900?'],
    ['later', () => Promise.resolve('Pay 900?')],
  ])('leaves the question to a tool that asks one of its own %s', async (_when, confirm) => {
    const { runner } = await start({ checkTool: () => new RequireConfirmation('Pay, really?') }, { confirm });

    await say(runner, 'Pay.');

    expect(await runner.pending(address)).toMatchObject([{ hint: 'Pay 900?' }]);
  });

  it('that asks is asked for too where the tool decides later that it need not', async () => {
    const { runner } = await start(
      { checkTool: () => new RequireConfirmation('Pay, really?') },
      { confirm: () => Promise.resolve(false) },
    );

    await say(runner, 'Pay.');

    expect(await runner.pending(address)).toMatchObject([{ hint: 'Pay, really?' }]);
  });

  it('that says nothing leaves the question of the tool as it is', async () => {
    const { runner } = await start({ checkTool: () => null as unknown as undefined }, { confirm: 'Pay?' });

    await say(runner, 'Pay.');

    expect(await runner.pending(address)).toMatchObject([{ hint: 'Pay?' }]);
  });

  it('is asked of all plugins and the agent: a denial outweighs a question, wherever it stands', async () => {
    const asked: string[] = [];
    const { responses } = await start(
      {
        checkTool() {
          asked.push('clerk');
          return new Deny('the clerk says no');
        },
      },
      {},
      {
        plugins: [
          new Checking('one', asked, new RequireConfirmation('One?')),
          new Checking('two', asked, undefined),
        ],
      },
    );

    expect(await responses('Pay.')).toEqual([{ error: 'tool call was denied', reason: 'the clerk says no' }]);
    expect(asked).toEqual(['one', 'two', 'clerk']);
  });

  it('is asked again about arguments that beforeTool has changed', async () => {
    const seen: unknown[] = [];
    const { ran, responses } = await start({
      checkTool(_tool, args) {
        seen.push(args);
        return args['cents'] === 900 ? undefined : new Deny('only 900');
      },
      beforeTool(_tool, args) {
        args['cents'] = 5;
      },
    });

    expect(await responses('Pay.')).toEqual([{ error: 'tool call was denied', reason: 'only 900' }]);
    expect(seen).toEqual([{ cents: 900 }, { cents: 5 }]);
    expect(ran).toEqual([]);
  });

  it('asks for a person again when beforeTool changed the arguments that were approved', async () => {
    const { runner, ran } = await start({
      checkTool: (_tool, args) => new RequireConfirmation(`Pay ${String(args['cents'])}?`),
      beforeTool(_tool, args) {
        args['cents'] = 5;
      },
    });

    await say(runner, 'Pay.');
    await approve(runner);

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toMatchObject([{ hint: 'Pay 5?', args: { cents: 5 } }]);
  });

  it('cannot change the arguments, those of the model nor those that beforeTool made', async () => {
    const frozen: boolean[] = [];
    const { ran } = await startAndSay({
      checkTool(_tool, args) {
        frozen.push(Object.isFrozen(args));
        Reflect.set(args, 'cents', 1);
      },
      beforeTool(_tool, args) {
        args['cents'] = 5;
      },
    });

    expect(frozen).toEqual([true, true]);
    expect(ran).toEqual([{ cents: 5 }]);
  });

  it('denies a call that was approved before the rule changed', async () => {
    let decision: RequireConfirmation | Deny = new RequireConfirmation();
    const { runner, ran, model } = await start({ checkTool: () => decision });
    await say(runner, 'Pay.');
    decision = new Deny('the account is frozen');

    await approve(runner);

    expect(ran).toEqual([]);
    expect(model.requests.at(-1)?.contents.at(-1)?.parts).toEqual([
      {
        functionResponse: {
          name: 'pay',
          response: { error: 'tool call was denied', reason: 'the account is frozen' },
        },
      },
    ]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => thrower()],
    ['rejects', () => Promise.reject(new Error('no rules'))],
    ['returns true', () => true],
    ['returns a text', () => 'allow'],
    ['returns an object that looks like a denial', () => ({ reason: 'no' })],
  ])('that %s closes the gate', async (_how, checkTool) => {
    const { ran, last } = await startAndSay({ checkTool: checkTool as AgentCallbacks['checkTool'] });

    expect(ran).toEqual([]);
    expect(last).toBe('Done.');
  });

  it('that never answers closes the gate after the time for checks', async () => {
    const { responses, ran } = await start(
      { checkTool: () => new Promise<undefined>(() => undefined) },
      { checkTimeout: 1 },
    );

    const [response] = await responses('Pay.');

    expect(response?.['error']).toContain('check by checkTool of the tool "pay" did not answer within 1 ms');
    expect(ran).toEqual([]);
  });
});

describe('Deny', () => {
  it('from beforeTool refuses the call', async () => {
    const { ran, responses } = await start({ beforeTool: () => new Deny('no'), afterTool: () => 'yes' });

    expect(await responses('Pay.')).toEqual([{ error: 'tool call was denied', reason: 'no' }]);
    expect(ran).toEqual([]);
  });

  it('from afterTool refuses the call, which may have taken effect', async () => {
    const { ran, responses } = await start({ afterTool: () => new Deny('no') });

    expect(await responses('Pay.')).toEqual([{ ...DENIED_AFTERWARDS, reason: 'no' }]);
    expect(ran).toEqual([{ cents: 900 }]);
  });

  it('from onToolError and from a tool refuses the call', async () => {
    const thrown = await start({ onToolError: () => new Deny('no') }, { run: () => thrower() });
    const returned = await start({}, { run: () => new Deny('closed') });

    expect(await thrown.responses('Pay.')).toEqual([{ ...DENIED_AFTERWARDS, reason: 'no' }]);
    expect(await returned.responses('Pay.')).toEqual([{ error: 'tool call was denied', reason: 'closed' }]);
  });

  it.each<[string, AgentCallbacks]>([
    ['beforeAgent', { beforeAgent: () => new Deny('no') as never }],
    ['beforeModel', { beforeModel: () => new Deny('no') as never }],
    ['afterModel', { afterModel: () => new RequireConfirmation('Sure?') as never }],
  ])('is no answer of %s', async (hook, callbacks) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { runner } = await start(callbacks);

    expect((await say(runner, 'Pay.')).at(-1)).toMatchObject({
      errorCode: 'CALLBACK_FAILED',
      errorMessage: expect.stringContaining(
        `The callback ${hook} failed: it returned a decision about a tool.`,
      ),
    });
  });

  it.each<[string, AgentCallbacks]>([
    ['beforeTool', { beforeTool: () => new RequireConfirmation('Sure?') }],
    ['afterTool', { afterTool: () => new RequireConfirmation('Sure?') }],
  ])('has no RequireConfirmation beside it in %s: it would be too late', async (_hook, callbacks) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { responses } = await start(callbacks);

    expect(await responses('Pay.')).toMatchObject([
      { error: expect.stringContaining('CallbackFailedError') as unknown },
    ]);
    expect(String(warn.mock.calls[0]?.[0])).toContain('Return it from checkTool');
  });

  it.each([undefined, null, 5, {}])('is not made with %j as its reason', (reason) => {
    expect(() => new Deny(reason as string)).toThrow(/reason of Deny must be a string/);
  });

  it('of another copy of this package is one too', () => {
    expect(Deny.is({ [Symbol.for('adorn.deny')]: true, reason: 'no' })).toBe(true);
    expect(Deny.is({ reason: 'no' })).toBe(false);
    expect(Deny.is(null)).toBe(false);
  });
});

describe('a ConfirmationProvider', () => {
  it('that approves lets the call run in the same run, with what it sends', async () => {
    const asked: unknown[] = [];
    const provider = providerOf((request, context) => {
      asked.push([request, context.userId]);
      return { confirmed: true, payload: { by: 'terminal' } };
    });
    const { ran, runner, responses, contexts } = await start({}, { confirm: 'Pay?' }, { provider });

    expect(await responses('Pay.')).toEqual([{ result: 'paid' }]);
    expect(asked).toEqual([
      [{ functionCallId: expect.any(String), tool: 'pay', args: { cents: 900 }, hint: 'Pay?' }, 'ada'],
    ]);
    expect(contexts).toEqual([{ hint: 'Pay?', confirmed: true, payload: { by: 'terminal' } }]);
    expect(ran).toEqual([{ cents: 900 }]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('that rejects refuses the call, with its reason', async () => {
    const { ran, responses } = await start({}, { confirm: 'Pay?' }, { provider: new DenyAll('too much') });

    expect(await responses('Pay.')).toEqual([{ error: 'tool call was rejected', reason: 'too much' }]);
    expect(ran).toEqual([]);
  });

  it.each([undefined, null])('that answers %j leaves the call to a person', async (nothing) => {
    const provider = providerOf(() => nothing as unknown as undefined);
    const { ran, runner } = await start({}, { confirm: 'Pay?' }, { provider });

    await say(runner, 'Pay.');
    expect(await runner.pending(address)).toMatchObject([{ hint: 'Pay?' }]);

    await approve(runner);
    expect(ran).toEqual([{ cents: 900 }]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => thrower()],
    ['rejects', () => Promise.reject(new Error('no terminal'))],
    ['returns true', () => true],
    ['returns a text', () => 'yes'],
    ['says "yes" where a boolean belongs', () => ({ confirmed: 'yes' })],
    ['says 1 where a boolean belongs', () => ({ confirmed: 1 })],
  ])('that %s closes the gate', async (_how, decide) => {
    const provider = providerOf(decide as ConfirmationProvider['decide']);
    const { ran, last } = await startAndSay({}, { confirm: 'Pay?' }, { provider });

    expect(ran).toEqual([]);
    expect(last).toBe('Done.');
  });

  it('is not asked about a call that needs no confirmation, nor about one that was denied', async () => {
    const provider = new AllowAll();
    const free = await startAndSay({}, {}, { provider });
    const denied = await startAndSay({ checkTool: () => new Deny('no') }, { confirm: true }, { provider });

    expect(provider.requests).toEqual([]);
    expect([free.ran, denied.ran]).toEqual([[{ cents: 900 }], []]);
  });

  it('is asked again about arguments that beforeTool has changed', async () => {
    const provider = new AllowAll();
    const { ran } = await startAndSay(
      {
        beforeTool(_tool, args) {
          args['cents'] = 5;
        },
      },
      { confirm: 'Pay?' },
      { provider },
    );

    expect(provider.requests.map(({ args }) => args)).toEqual([{ cents: 900 }, { cents: 5 }]);
    expect(ran).toEqual([{ cents: 5 }]);
  });

  it('cannot change what is run by changing what it was shown', async () => {
    const provider = providerOf(({ args }) => {
      Reflect.set(args, 'cents', 1);
      return { confirmed: true };
    });
    const { ran } = await startAndSay({}, { confirm: 'Pay?' }, { provider });

    expect(ran).toEqual([{ cents: 900 }]);
  });

  it('that never answers is left behind when the run is cancelled', async () => {
    let noteAsked: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => (noteAsked = resolve));
    const provider = providerOf(() => {
      noteAsked?.();
      return new Promise<undefined>(() => undefined);
    });
    const { ran, runner } = await start({}, { confirm: 'Pay?' }, { provider });
    const run = runner.run({ ...address, message: 'Pay.' });

    await asked;
    run.cancel();

    expect((await eventsOf(run)).at(-1)?.errorCode).toBe('CANCELLED');
    expect(ran).toEqual([]);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function thrower(): never {
  throw new Error('no rules');
}

function providerOf(decide: ConfirmationProvider['decide']): ConfirmationProvider {
  class Provider extends ConfirmationProvider {
    override decide(
      ...args: Parameters<ConfirmationProvider['decide']>
    ): ConfirmationDecision | undefined | PromiseLike<ConfirmationDecision | undefined> {
      return decide(...args);
    }
  }
  return new Provider();
}

class Checking extends Plugin {
  constructor(
    readonly name: string,
    private readonly asked: string[],
    private readonly decision: RequireConfirmation | Deny | undefined,
  ) {
    super();
  }

  override checkTool(): RequireConfirmation | Deny | undefined {
    this.asked.push(this.name);
    return this.decision;
  }
}

interface Setting {
  readonly plugins?: readonly Plugin[];
  readonly provider?: ConfirmationProvider;
}

type Fields = Partial<FunctionToolFields>;

async function start(
  callbacks: AgentCallbacks,
  fields: Fields = {},
  { plugins = [], provider }: Setting = {},
) {
  const ran: unknown[] = [];
  const contexts: unknown[] = [];
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
    run(args, context) {
      ran.push(args);
      contexts.push(context.confirmation);
      return 'paid';
    },
    ...fields,
  });
  @agent({ name: 'clerk', description: '', tools: [pay] })
  class Clerk extends LlmAgent {}
  Object.assign(Clerk.prototype, callbacks);
  const model = new ScriptedModel(callsTool('pay', { cents: 900 }), says('Done.'));
  const modules =
    provider === undefined
      ? []
      : [new ContainerModule(({ bind }) => void bind(ConfirmationProvider).toConstantValue(provider))];
  const runner = await createRunner(Clerk, { model, plugins, modules });
  const responses = async (message: string): Promise<(Record<string, unknown> | undefined)[]> =>
    (await say(runner, message)).flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
  return { runner, ran, model, responses, contexts };
}

const DENIED_AFTERWARDS = {
  error: 'outcome unknown: tool call was denied after the tool had begun. It may have taken effect.',
  outcome: 'unknown',
};

async function startAndSay(...setting: Parameters<typeof start>) {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const started = await start(...setting);
  const events = await say(started.runner, 'Pay.');
  return { ...started, last: events.at(-1)?.text };
}

function say(runner: Runner, message: string) {
  return eventsOf(runner.run({ ...address, message }));
}

async function approve(runner: Runner): Promise<void> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('nothing is pending');
  await eventsOf(runner.approve(request));
}

afterEach(() => {
  jest.restoreAllMocks();
});
