import {
  agent,
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  type Event,
  FunctionTool,
  LlmAgent,
  Plugin,
  type Runner,
} from '@adorn/core';
import { AllowAll, callsTool, callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  type SecurityPolicyOptions,
  SecurityPolicyPlugin,
  type SecurityRule,
} from './security-policy.plugin.js';

describe('SecurityPolicyPlugin', () => {
  it('denies what no rule allows, and tells the model', async () => {
    const { responses, ran, runner } = await start({ rules: [{ tools: 'read_*', decision: 'allow' }] });

    expect(await responses()).toEqual([
      {
        error: 'tool call was denied',
        reason: 'The security policy does not allow this call. Do not repeat it.',
      },
    ]);
    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each<[string, SecurityRule['tools'], boolean]>([
    ['its name', 'refund', true],
    ['a list', ['read', 'refund'], true],
    ['any name', '*', true],
    ['a beginning', 'ref*', true],
    ['an end', '*nd', true],
    ['parts in order', 'r*f*d', true],
    ['parts in another order', 'r*n*f*', false],
    ['overlapping parts', 'refu*fund', false],
    ['a part that is there once and named twice', 'r*u*u*', false],
    ['a part that is the end as well', 'r*nd*nd', false],
    ['another case', 'Refund', false],
    ['a longer name', 'refunds', false],
    ['a shorter name', 'refun', false],
    ['a regular expression', 'ref.nd', false],
  ])('names tools by %s', async (_how, tools, isAllowed) => {
    const { ran } = await startAndSend({ rules: [{ tools, decision: 'allow' }] });

    expect(ran).toHaveLength(isAllowed ? 1 : 0);
  });

  it('has the first rule that applies decide', async () => {
    const first = await startAndSend({
      rules: [
        { tools: 'refund', decision: 'deny', reason: 'closed' },
        { tools: '*', decision: 'allow' },
      ],
    });
    const second = await startAndSend({
      rules: [
        { tools: 'refund', decision: 'allow' },
        { tools: '*', decision: 'deny' },
      ],
    });

    expect([first.ran, second.ran]).toEqual([[], [{ cents: 900 }]]);
  });

  it.each<[string, SecurityRule['users'], boolean]>([
    ['the user', 'ada', true],
    ['one of the users', ['bob', 'ada'], true],
    ['another user', 'bob', false],
    ['a user whose id is longer', 'adam', false],
    ['a pattern, which ids are not', '*', false],
  ])('applies a rule to %s', async (_who, users, isAllowed) => {
    const { ran } = await startAndSend({ rules: [{ tools: '*', users, decision: 'allow' }] });

    expect(ran).toHaveLength(isAllowed ? 1 : 0);
  });

  it.each([true, false])('applies a rule where its condition on the call is %j', async (applies) => {
    const seen: unknown[] = [];
    const { ran } = await startAndSend({
      rules: [
        {
          tools: '*',
          when: ({ userId, agentName }, args) => {
            seen.push([userId, agentName, args]);
            return Promise.resolve(applies);
          },
          decision: 'allow',
        },
      ],
    });

    expect(seen).toEqual([['ada', 'clerk', { cents: 900 }]]);
    expect(ran).toHaveLength(applies ? 1 : 0);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no directory');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no directory'))],
    ['returns nothing', () => undefined],
    ['returns a text', () => 'yes'],
    ['returns 0', () => 0],
  ])('runs no call where a condition %s, whatever the rule would decide', async (_how, when) => {
    for (const decision of ['allow', 'deny', 'ask'] as const) {
      const { ran, runner } = await startAndSend({
        rules: [{ tools: '*', when: when as never, decision }],
        otherwise: 'allow',
      });

      expect(ran).toEqual([]);
      expect(await runner.pending(address)).toEqual([]);
    }
  });

  it('has a person asked, with the hint of the rule', async () => {
    const { runner, ran } = await startAndSend({
      rules: [{ tools: 'refund', decision: 'ask', hint: 'Refund it?' }],
    });

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toMatchObject([{ kind: 'confirmation', hint: 'Refund it?' }]);
    await approve(runner);
    expect(ran).toEqual([{ cents: 900 }]);
  });

  it('does not loosen a tool that asks for confirmation', async () => {
    const { runner, ran } = await startAndSend({ rules: [], otherwise: 'allow' }, { confirm: 'Sure?' });

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toMatchObject([{ hint: 'Sure?' }]);
  });

  it('judges the arguments that run: a callback cannot get around it by changing them', async () => {
    const small = {
      tools: 'refund',
      when: (_: unknown, args: object) => Reflect.get(args, 'cents') <= 100,
    } as const;
    const rewriting = new Rewriting({ cents: 900 });

    const denied = await startAndSend(
      { rules: [{ ...small, decision: 'allow' }] },
      {},
      { cents: 5, plugins: [rewriting] },
    );
    const asked = await startAndSend(
      { rules: [{ ...small, decision: 'allow' }], otherwise: 'ask' },
      {},
      { cents: 5, plugins: [rewriting] },
    );

    expect([denied.ran, asked.ran]).toEqual([[], []]);
    expect(await denied.runner.pending(address)).toEqual([]);
    expect(await asked.runner.pending(address)).toMatchObject([{ args: { cents: 900 } }]);
  });

  it('judges them wherever the callback that changes them is registered', async () => {
    const rules: SecurityRule[] = [{ tools: '*', when: (_, { cents }) => cents === 5, decision: 'allow' }];
    const { ran } = await startAndSend(
      { rules },
      {},
      { cents: 5, plugins: [new Rewriting({ cents: 900 })], isLast: true },
    );

    expect(ran).toEqual([]);
  });

  it('denies a call that was approved before the rules changed', async () => {
    let isFrozen = false;
    const { runner, ran } = await startAndSend({
      rules: [
        { tools: '*', when: () => isFrozen, decision: 'deny' },
        { tools: '*', decision: 'ask' },
      ],
    });
    isFrozen = true;

    await approve(runner);

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('denies before a provider or a credential is asked for', async () => {
    const provider = new AllowAll();
    const auth = { key: 'shop', scheme: { type: 'apiKey', in: 'header', name: 'X-Key' } } as never;
    const { runner } = await startAndSend({ rules: [] }, { confirm: true, auth }, { provider });

    expect(provider.requests).toEqual([]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('judges each call of an answer by itself', async () => {
    const { responses } = await start(
      { rules: [{ tools: 'refund', decision: 'allow' }] },
      {},
      {
        step: callsTools({ name: 'refund', args: { cents: 1 } }, { name: 'wipe' }),
      },
    );

    expect(await responses()).toEqual([
      { result: 'refunded' },
      expect.objectContaining({ error: 'tool call was denied' }),
    ]);
  });

  it('lets a structured answer through that comes as a call, and no other tool of that name', async () => {
    const plugin = new SecurityPolicyPlugin({ rules: [] });
    class Old extends ScriptedModel {
      override get supportsSchemaBesideTools(): boolean {
        return false;
      }
    }
    const wipe = new FunctionTool({
      name: 'wipe',
      description: '',
      parameters: { type: 'object' },
      run: () => 1,
    });
    const outputSchema = { type: 'object', properties: { city: { type: 'string' } } };
    @agent({ name: 'clerk', description: '', tools: [wipe], outputSchema })
    class Clerk extends LlmAgent {}
    const model = new Old(callsTool('set_model_response', { city: 'Oslo' }));
    const runner = await createRunner(Clerk, { model, plugins: [plugin] });

    expect(await runner.run({ ...address, message: 'Where?' }).text).toBe('{"city":"Oslo"}');

    const { ran } = await startAndSend({ rules: [] }, { name: 'set_model_response' });
    expect(ran).toEqual([]);
  });

  it('keeps the rules that it was made with', async () => {
    const rules: SecurityRule[] = [{ tools: 'refund', decision: 'deny' }];
    const plugin = new SecurityPolicyPlugin({ rules, otherwise: 'allow' });
    rules.length = 0;

    const { ran } = await startAndSend({ rules }, {}, { plugins: [plugin], isAlone: true });

    expect(ran).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /its options are absent/],
    ['no rules', {}, /its rules are absent/],
    ['an unknown option', { rules: [], other: 'allow' }, /no option .*Did you mean otherwise/],
    [
      'an unknown option of a rule',
      { rules: [{ tools: '*', decision: 'allow', user: 'ada' }] },
      /rule 1: .*Did you mean users/,
    ],
    [
      'an unknown decision',
      { rules: [{ tools: '*', decision: 'permit' }] },
      /rule 1: its decision is "permit"/,
    ],
    ['no decision', { rules: [{ tools: '*' }] }, /rule 1: its decision is absent/],
    ['an unknown default', { rules: [], otherwise: null }, /its decision is null/],
    ['no tools', { rules: [{ decision: 'allow' }] }, /a name is absent/],
    ['an empty list of tools', { rules: [{ tools: [], decision: 'allow' }] }, /the list of names is empty/],
    ['an empty name', { rules: [{ tools: [''], decision: 'allow' }] }, /a name is an empty text/],
    [
      'an empty list of users',
      { rules: [{ tools: '*', users: [], decision: 'deny' }] },
      /its users are not a list of ids/,
    ],
    [
      'a user that is a number',
      { rules: [{ tools: '*', users: [5], decision: 'deny' }] },
      /its users are not a list of ids/,
    ],
    [
      'a condition that is no function',
      { rules: [{ tools: '*', when: true, decision: 'deny' }] },
      /when is true/,
    ],
    ['a reason that is no text', { rules: [{ tools: '*', decision: 'deny', reason: 5 }] }, /reason is 5/],
    ['a rule that is null', { rules: [null] }, /rule 1: its options are null/],
  ])('is not made with %s', (_what, options, message) => {
    expect(() => new SecurityPolicyPlugin(options as SecurityPolicyOptions)).toThrow(message);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

class Rewriting extends Plugin {
  readonly name = 'rewriting';

  constructor(private readonly changes: Record<string, unknown>) {
    super();
  }

  override beforeTool(_tool: unknown, args: Record<string, unknown>): void {
    Object.assign(args, this.changes);
  }
}

interface Setting {
  readonly cents?: number;
  readonly plugins?: readonly Plugin[];
  /** Whether the policy is registered after the other plugins. */
  readonly isLast?: boolean;
  /** Whether the other plugins stand alone. */
  readonly isAlone?: boolean;
  readonly provider?: ConfirmationProvider;
  readonly step?: ReturnType<typeof callsTool>;
}

async function start(
  options: SecurityPolicyOptions,
  fields: Partial<ConstructorParameters<typeof FunctionTool>[0]> = {},
  { cents = 900, plugins = [], isLast = false, isAlone = false, provider, step }: Setting = {},
) {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const ran: unknown[] = [];
  const name = fields.name ?? 'refund';
  const refund = new FunctionTool({
    description: 'Refunds.',
    parameters: { type: 'object', properties: { cents: { type: 'number' } } },
    ...fields,
    name,
    run: (args) => {
      ran.push(args);
      return 'refunded';
    },
  });
  const wipe = new FunctionTool({
    name: 'wipe',
    description: 'Wipes.',
    parameters: { type: 'object' },
    run: () => ran.push('wiped'),
  });
  @agent({ name: 'clerk', description: '', tools: [refund, wipe] })
  class Clerk extends LlmAgent {}
  const policy = isAlone ? [] : [new SecurityPolicyPlugin(options)];
  const model = new ScriptedModel(step ?? callsTool(name, { cents }), says('Done.'));
  const modules =
    provider === undefined
      ? []
      : [new ContainerModule(({ bind }) => void bind(ConfirmationProvider).toConstantValue(provider))];
  const runner = await createRunner(Clerk, {
    model,
    modules,
    plugins: isLast ? [...plugins, ...policy] : [...policy, ...plugins],
  });
  const send = (): Promise<Event[]> => eventsOf(runner.run({ ...address, message: 'Refund.' }));
  const responses = async () =>
    (await send()).flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
  return { runner, ran, send, responses };
}

async function startAndSend(...setting: Parameters<typeof start>) {
  const started = await start(...setting);
  await started.send();
  return started;
}

async function approve(runner: Runner): Promise<void> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('nothing is pending');
  await eventsOf(runner.approve(request));
}

afterEach(() => {
  jest.restoreAllMocks();
});
