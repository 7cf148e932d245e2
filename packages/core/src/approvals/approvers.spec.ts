import { callsTool, eventsOf, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type ApproverRule,
  approverFault,
  type FunctionToolFields,
  type PrincipalInput,
} from '../backend.js';
import {
  agentTool,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
  Plugin,
  RequireConfirmation,
  type Runner,
  SessionService,
  type Tool,
  type ToolContext,
  withOptions,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const MIA = { id: 'mia', roles: ['manager'], attributes: { team: 'books' } };
const MAX = { id: 'max', roles: ['manager'], attributes: { team: ['toys', 'books'] } };
const BOB = { id: 'bob' };

type Answered = readonly [who: PrincipalInput | undefined, verdict: string];

describe('a tool whose approvers are named', () => {
  it.each<[string, ApproverRule, readonly Answered[]]>([
    [
      'requester',
      'requester',
      [
        [BOB, 'APPROVER_NOT_ALLOWED'],
        ['mia', 'APPROVER_NOT_ALLOWED'],
        [undefined, 'ran'],
      ],
    ],
    [
      'others',
      'others',
      [
        [undefined, 'APPROVER_NOT_ALLOWED'],
        ['ada', 'APPROVER_NOT_ALLOWED'],
        [{ id: 'eve', actsFor: 'ada' }, 'APPROVER_NOT_ALLOWED'],
        ['bob', 'ran'],
      ],
    ],
    [
      'a role',
      { role: 'manager' },
      [
        [undefined, 'APPROVER_NOT_ALLOWED'],
        ['mia', 'APPROVER_NOT_ALLOWED'],
        [{ id: 'ada', roles: ['manager'] }, 'APPROVER_NOT_ALLOWED'],
        [MIA, 'ran'],
      ],
    ],
    [
      'a role, also of the requester',
      { role: 'manager', self: true },
      [[{ id: 'ada', roles: ['manager'] }, 'ran']],
    ],
    [
      'a role in a team',
      { role: 'manager', of: 'toys' },
      [
        [MIA, 'APPROVER_NOT_ALLOWED'],
        [MAX, 'ran'],
      ],
    ],
    [
      'two with a role',
      { role: 'manager', count: 2 },
      [
        [MIA, 'waits'],
        [MIA, 'APPROVER_NOT_ALLOWED'],
        [{ id: 'dan', roles: ['manager'], actsFor: 'mia' }, 'APPROVER_NOT_ALLOWED'],
        [BOB, 'APPROVER_NOT_ALLOWED'],
        [MAX, 'ran'],
      ],
    ],
  ])('is answered by %s alone, and the request stays open otherwise', async (_, approvers, answers) => {
    const { runner, ran } = await pause({ approvers });
    for (const [by, verdict] of answers) {
      const request = await only(runner);
      expect(await verdictOf(runner, ran, (one) => runner.approve(one, by === undefined ? {} : { by }))).toBe(
        verdict,
      );
      if (verdict === 'APPROVER_NOT_ALLOWED') expect(await runner.pending(address)).toEqual([request]);
    }
    expect(ran).toEqual([500]);
  });

  it('says who may answer in the request, and lists it for them alone', async () => {
    const { runner } = await pause({ approvers: { role: 'manager' } });
    expect((await only(runner)).approvers).toEqual([{ role: 'manager' }]);
    const counts = await Promise.all(
      [MIA, BOB, 'ada'].map(async (by) => (await runner.pending({ ...address, for: by })).length),
    );
    expect(counts).toEqual([1, 0, 0]);
  });

  it('decides by the arguments and the requester, who is stored with the request', async () => {
    const requester = { id: 'ada', roles: [], tenant: 'acme', attributes: { team: 'toys' } };
    const { runner, ran } = await pause({
      approvers: ({ cents }, _context, { requester: { attributes } }) =>
        Number(cents) > 100 ? { role: 'manager', of: attributes['team'] } : 'requester',
      by: requester,
    });
    const request = await only(runner);
    expect(request).toMatchObject({ approvers: [{ role: 'manager', of: 'toys' }], requester });
    await refused(runner.approve(request, { by: { ...MAX, tenant: 'other' } }));
    await refused(runner.approve(request, { by: { ...MIA, tenant: 'acme' } }));
    await eventsOf(runner.approve(request, { by: { ...MAX, tenant: 'acme' } }));
    expect(ran).toEqual([500]);
  });

  it('does not run where the function names nobody', async () => {
    const { runner, model } = await pause({
      approvers: (_args, _context, { requester }) => ({ role: 'manager', of: requester.attributes['team'] }),
    });
    expect(await runner.pending(address)).toEqual([]);
    expect(JSON.stringify(model.requests.at(-1)?.contents.at(-1))).toContain('has no value');
  });

  it.each([[''], [['books', '']], [[]], [NaN], [null]])(
    'does not run where the team is %j, which everybody without a team would be in',
    async (of) => {
      const { runner, ran, model } = await runnerAsking({ role: 'manager', of });
      expect([await runner.pending(address), ran, model.requests.length]).toEqual([[], [], 2]);
    },
  );

  it.each([
    ['the same', { account: 7 }, { account: 7 }],
    ['none', undefined, undefined],
    ['another', { account: 7 }, undefined],
    ['one that the first had not seen', undefined, { account: 9 }],
  ])(
    'shows what each of several sent, and gives the tool as payload only what all did: %s',
    async (_what, one, two) => {
      const given: unknown[] = [];
      const run: FunctionToolFields['run'] = (_args, { confirmation }) =>
        void given.push(confirmation?.payload, confirmation?.approvals);
      const tool = new FunctionTool({ ...FIELDS, approvers: { role: 'manager', count: 2 }, run });
      const { runner } = await runnerFor([tool]);
      await runner.run({ ...address, message: 'Pay.' });
      await eventsOf(runner.approve(await only(runner), { by: MIA, payload: one }));
      const shown = (await only(runner)).approvals;
      expect(shown?.map(({ by, payload }) => [by.id, payload])).toEqual([['mia', one]]);
      await eventsOf(runner.approve(await only(runner), { by: MAX, payload: two }));
      expect(given).toMatchObject([
        one === two || one?.account === two?.account ? one : undefined,
        [{ by: { id: 'mia' } }, { by: { id: 'max' } }],
      ]);
      expect((given[1] as { payload?: unknown }[]).map(({ payload }) => payload)).toEqual([one, two]);
    },
  );

  it('is rejected by one of several', async () => {
    const { runner, ran } = await pause({ approvers: { role: 'manager', count: 2 } });
    await eventsOf(runner.approve(await only(runner), { by: MIA }));
    expect((await only(runner)).approvals).toMatchObject([{ by: { id: 'mia' } }]);
    await refused(runner.reject(await only(runner), { by: BOB }));
    await eventsOf(runner.reject(await only(runner), { by: MAX }));
    expect([ran, await runner.pending(address)]).toEqual([[], []]);
  });

  it('asks the model only when the last of several has approved', async () => {
    const { runner, model } = await pause({ approvers: { role: 'manager', count: 2 } });
    const before = model.requests.length;
    const first = await runner.approve(await only(runner), { by: MIA });
    expect([first.status, first.pending.length, model.requests.length - before]).toEqual(['paused', 1, 0]);
    const last = await runner.approve(await only(runner), { by: MAX });
    expect([last.status, last.text]).toEqual(['answered', 'Done.']);
  });

  it('covers no later call', async () => {
    const { runner, ran } = await pause({ approvers: 'others' });
    const request = await only(runner);
    await refused(runner.approve(request, { by: BOB, remember: 'session' }));
    expect(await runner.pending(address)).toEqual([request]);
    expect(ran).toEqual([]);
  });

  it('asks unless it says that it does not', async () => {
    const tool = (confirm?: false) =>
      new FunctionTool({
        ...FIELDS,
        approvers: 'others',
        ...(confirm === false && { confirm }),
        run: () => 'ran',
      });
    const asking = await runnerFor([tool()]);
    expect((await asking.runner.run({ ...address, message: 'Pay.' })).pending).toHaveLength(1);
    const silent = await runnerFor([tool(false)]);
    expect((await silent.runner.run({ ...address, message: 'Pay.' })).pending).toHaveLength(0);
  });
});

describe('an approval with other arguments', () => {
  const approvers = ({ cents }: Record<string, unknown>): ApproverRule =>
    Number(cents) > 1000 ? { role: 'director' } : { role: 'manager' };

  it('is judged by the approvers of the new arguments', async () => {
    const { runner, ran } = await pause({ approvers });
    const request = await only(runner);
    await refused(runner.approve(request, { by: MIA, args: { cents: 50_000 } }));
    await refused(runner.approve(request, { by: 'ada', args: { cents: 1 } }));
    expect([ran, await runner.pending(address)]).toEqual([[], [request]]);
    await eventsOf(runner.approve(request, { by: MIA, args: { cents: 900 } }));
    expect(ran).toEqual([900]);
  });

  it('makes the approvals before it void, and is shown to those that follow', async () => {
    const { runner, ran } = await pause({ approvers: { role: 'manager', count: 2 } });
    const stale = await only(runner);
    await eventsOf(runner.approve(stale, { by: MIA }));
    await eventsOf(runner.approve(await only(runner), { by: MAX, args: { cents: 900 } }));
    const edited = await only(runner);
    expect(edited).toMatchObject({ args: { cents: 900 }, approvals: [{ by: { id: 'max' } }] });
    await expect(eventsOf(runner.approve(stale, { by: MIA }))).rejects.toMatchObject({
      code: 'REQUEST_CHANGED',
    });
    // Whoever has the id alone may have seen the arguments of before.
    await expect(eventsOf(runner.approve(edited, { by: MIA }))).rejects.toMatchObject({
      code: 'REQUEST_CHANGED',
    });
    expect(ran).toEqual([]);
    await eventsOf(runner.approve(edited, { by: MIA, args: { cents: 900 } }));
    expect(ran).toEqual([900]);
  });
});

describe('a delegate of an approver', () => {
  it('approves as that one, and counts with that one as one', async () => {
    const { runner, ran } = await pause({ approvers: { role: 'manager', count: 2 } });
    await eventsOf(runner.delegate(await only(runner), { by: MIA, to: 'bob' }));
    const delegated = await only(runner);
    expect(delegated.delegations).toMatchObject([{ by: { id: 'mia' }, to: 'bob' }]);
    expect(await runner.pending({ ...address, for: BOB })).toEqual([delegated]);
    await eventsOf(runner.approve(delegated, { by: BOB }));
    expect((await only(runner)).approvals).toMatchObject([{ by: { id: 'bob', actsFor: 'mia' } }]);
    await refused(runner.approve(await only(runner), { by: MIA }));
    await refused(runner.approve(await only(runner), { by: BOB }));
    await eventsOf(runner.approve(await only(runner), { by: MAX }));
    expect(ran).toEqual([500]);
  });

  it.each<[string, PrincipalInput | undefined, string, PrincipalInput | undefined]>([
    ['of somebody who may not answer', BOB, 'eve', { id: 'eve' }],
    ['of nobody', undefined, 'eve', { id: 'eve' }],
    ['who is the requester', MIA, 'ada', undefined],
    ['who acts for the requester', MIA, 'eve', { id: 'eve', actsFor: 'ada' }],
    ['of another tenant', MIA, 'eve', { id: 'eve', tenant: 'globex' }],
    ['who is somebody else', MIA, 'eve', BOB],
  ])('%s may not answer', async (_who, by, to, answers) => {
    const { runner, ran } = await pause({ approvers: { role: 'manager' } });
    const request = await only(runner);
    const isManager = by === MIA;
    if (isManager) await eventsOf(runner.delegate(request, { by, to }));
    else await refused(runner.delegate(request, { by, to }));
    await refused(runner.approve(await only(runner), { by: answers }));
    expect(ran).toEqual([]);
  });

  it('who acts for the user of the session may not answer, whoever has begun the run', async () => {
    const { runner, ran } = await pause({ approvers: 'others', by: { id: 'cron' } });
    for (const to of ['eve', 'ada']) await eventsOf(runner.delegate(await only(runner), { by: MIA, to }));
    for (const by of [{ id: 'eve', actsFor: 'ada' }, { id: 'ada' }])
      await refused(runner.approve(await only(runner), { by }));
    expect(ran).toEqual([]);
  });

  it('passes nothing on, and has what the requester has where nothing is said', async () => {
    const { runner } = await pause({ approvers: { role: 'manager' } });
    await eventsOf(runner.delegate(await only(runner), { by: MIA, to: 'bob' }));
    await refused(runner.delegate(await only(runner), { by: BOB, to: 'eve' }));
    const own = await pause({});
    await eventsOf(own.runner.delegate(await only(own.runner), { to: 'bob' }));
    await eventsOf(own.runner.approve(await only(own.runner), { by: BOB }));
    expect(own.ran).toEqual([500]);
  });

  it('answers an input, and is not named by what a message claims', async () => {
    const ran: unknown[] = [];
    const run: FunctionToolFields['run'] = async (_args, context) =>
      void ran.push(await context.requestInput({ message: 'Why?', approvers: { role: 'manager' } }));
    const { runner } = await runnerFor([new FunctionTool({ ...FIELDS, run })]);
    await runner.run({ ...address, message: 'Pay.' });
    const { id } = await only(runner);
    const response = { delegateTo: 'bob', by: 'mia', principal: MIA };
    const functionResponse = { id, name: 'adk_request_input', response, willContinue: true };
    await refused(runner.run({ ...address, message: { parts: [{ functionResponse }] } }));
    await refused(runner.supply(await only(runner), 'because', { by: BOB }));
    await eventsOf(runner.delegate(await only(runner), { by: MIA, to: 'bob' }));
    await eventsOf(runner.supply(await only(runner), 'because', { by: BOB }));
    expect(ran).toEqual(['because']);
  });
});

describe('a rule that escalates', () => {
  const rule: ApproverRule = { role: 'manager', escalate: { after: '4h', to: { role: 'director' } } };
  const DORA = { id: 'dora', roles: ['director'] };

  it('lets somebody else answer when the request has waited, and in no process before', async () => {
    const clock = new ManualClock();
    const { runner, ran } = await pause({ approvers: rule, clock });
    expect(await runner.pending({ ...address, for: DORA })).toEqual([]);
    await refused(runner.approve(await only(runner), { by: DORA }));
    await clock.advance(4 * 3_600_000 - 1);
    await refused(runner.approve(await only(runner), { by: DORA }));
    await clock.advance(1);
    expect(await runner.pending({ ...address, for: DORA })).toHaveLength(1);
    for (const by of [
      BOB,
      { id: 'ada', roles: ['director'] },
      { id: 'eve', roles: ['director'], actsFor: 'ada' },
    ])
      await refused(runner.approve(await only(runner), { by }));
    await eventsOf(runner.approve(await only(runner), { by: DORA }));
    expect(ran).toEqual([500]);
  });

  it('counts who comes late as one of several, and still takes those of the role', async () => {
    const clock = new ManualClock();
    const { runner, ran } = await pause({ approvers: { ...rule, count: 2 }, clock });
    await clock.advance(4 * 3_600_000);
    await eventsOf(runner.approve(await only(runner), { by: DORA }));
    await refused(runner.approve(await only(runner), { by: DORA }));
    await eventsOf(runner.approve(await only(runner), { by: MIA }));
    expect(ran).toEqual([500]);
  });

  it('holds for an input that a running tool asks for', async () => {
    const clock = new ManualClock();
    const given: unknown[] = [];
    const run: FunctionToolFields['run'] = async (_args, context) =>
      void given.push(await context.requestInput({ message: 'Why?', approvers: rule }));
    const { runner } = await runnerFor([new FunctionTool({ ...FIELDS, run })], [], clock);
    await runner.run({ ...address, message: 'Pay.' });
    await refused(runner.supply(await only(runner), 'because', { by: DORA }));
    await clock.advance(4 * 3_600_000);
    await eventsOf(runner.supply(await only(runner), 'because', { by: DORA }));
    expect(given).toEqual(['because']);
  });

  it.each<[unknown, boolean]>([
    [{ after: '4h', to: 'others' }, true],
    [{ after: 90_000, to: { role: 'director', of: 'books', self: true } }, true],
    [{ after: '500ms', to: { role: 'director' } }, true],
    [{ after: '4', to: { role: 'director' } }, false],
    [{ after: '4 hours', to: { role: 'director' } }, false],
    [{ after: -1, to: { role: 'director' } }, false],
    [{ after: NaN, to: { role: 'director' } }, false],
    [{ after: '4h' }, false],
    [{ to: { role: 'director' } }, false],
    [{ after: '4h', to: 'requester' }, false],
    [{ after: '4h', to: { role: 'director', count: 2 } }, false],
    [{ after: '4h', to: { role: 'director', escalate: { after: '1h', to: 'others' } } }, false],
    [{ after: '4h', to: { role: 'director' }, then: 1 }, false],
    ['4h', false],
    [null, false],
  ])('is %j: valid is %s', (escalate, isValid) => {
    expect(approverFault({ role: 'manager', escalate }) === undefined).toBe(isValid);
  });
});

describe('who may approve', () => {
  it('is decided again before the call runs', async () => {
    let approvers: ApproverRule = { role: 'manager' };
    const { runner, ran } = await pause({ approvers: () => approvers });
    const request = await only(runner);
    approvers = { role: 'director' };
    await eventsOf(runner.approve(request, { by: MIA }));
    const again = await only(runner);
    expect([ran, again.askedAgain?.reason, again.approvers]).toEqual([
      [],
      'APPROVERS_CHANGED',
      [{ role: 'director' }],
    ]);
    await eventsOf(runner.approve(again, { by: { id: 'dora', roles: ['director'] } }));
    expect(ran).toEqual([500]);
  });

  it('may be said by a wrapper and by a plugin, beside the tool', async () => {
    const { runner, ran } = await pause({
      approvers: 'others',
      wrap: (tool) => withOptions(tool, { approvers: { role: 'manager' } }),
      plugins: [new Audit()],
    });
    const request = await only(runner);
    expect(request.approvers).toEqual(['others', { role: 'manager' }, { role: 'auditor' }]);
    await refused(runner.approve(request, { by: MIA }));
    await eventsOf(runner.approve(request, { by: { id: 'mia', roles: ['manager', 'auditor'] } }));
    expect(ran).toEqual([500]);
  });

  it('holds for an agent that runs as a tool, and for a process that comes later', async () => {
    const ran: unknown[] = [];
    const sessions = new InMemorySessionService();
    const open = () => nested(ran, sessions);
    await (await open()).run({ ...address, message: 'Pay.' });
    const runner = await open();
    const request = await only(runner);
    await refused(runner.approve(request));
    await refused(runner.approve(request, { by: BOB }));
    await eventsOf(runner.approve(request, { by: MIA }));
    expect(await runner.pending(address)).toHaveLength(1);
    const last = await open();
    await eventsOf(last.approve(await only(last), { by: MAX }));
    expect(ran).toEqual([500]);
  });

  it('holds for what a running tool asks', async () => {
    const ran: unknown[] = [];
    const tool = new FunctionTool({
      ...FIELDS,
      approvers: 'others',
      confirm: false,
      run: async (_args, context) => {
        context.requestConfirmation('Really?');
        ran.push(await context.requestInput({ message: 'Why?', approvers: { role: 'manager' } }));
      },
    });
    const { runner } = await runnerFor([tool]);
    await runner.run({ ...address, message: 'Pay.' });
    await refused(runner.approve(await only(runner)));
    await eventsOf(runner.approve(await only(runner), { by: BOB }));
    const asked = await only(runner);
    expect(asked).toMatchObject({ kind: 'input', approvers: [{ role: 'manager' }] });
    await refused(runner.supply(asked, 'no', { by: BOB }));
    await eventsOf(runner.supply(asked, 'because', { by: MIA }));
    expect(ran).toEqual(['because']);
  });

  it.each(['validate', 'confirm'] as const)(
    'holds for what %s of the tool asks by its context',
    async (hook) => {
      const ran: unknown[] = [];
      const tool = new Asking(hook, ran);
      const { runner } = await runnerFor([tool]);
      await runner.run({ ...address, message: 'Pay.' });
      const asked = await only(runner);
      expect([asked.askedBy, asked.approvers]).toEqual([hook, [{ role: 'manager', count: 2 }]]);
      await refused(runner.approve(asked));
      await refused(runner.approve(asked, { by: BOB }));
      await eventsOf(runner.approve(asked, { by: MIA }));
      expect(ran).toEqual([]);
      await eventsOf(runner.approve(await only(runner), { by: MAX }));
      expect([ran, await runner.pending(address)]).toEqual([['ran'], []]);
    },
  );

  it('without a word is the requester, the user of the session, and whom the application names', async () => {
    const { runner } = await pause({});
    const request = await only(runner);
    expect([request.approvers, request.requester]).toEqual([undefined, undefined]);
    await refused(runner.approve(request, { by: BOB }));
    await refused(runner.approve(request, { by: MIA }));
    const { text } = await runner.approve(request, { by: 'bob' });
    expect(text).toBe('Done.');
  });
});

describe('a principal', () => {
  it.each([
    [''],
    [{}],
    [7],
    [{ id: 7 }],
    [{ id: 'a', roles: 'manager' }],
    [{ id: 'a', attributes: { x: {} } }],
  ])('is refused if it is not one: %j', async (by) => {
    const { runner } = await pause({ approvers: 'others' });
    await expect(
      eventsOf(runner.approve(await only(runner), { by: by as PrincipalInput })),
    ).rejects.toMatchObject({ code: 'PRINCIPAL_INVALID' });
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('is what the tool reads as the requester, whoever answers', async () => {
    const read: unknown[] = [];
    const tool = new FunctionTool({
      ...FIELDS,
      approvers: 'others',
      run: (_args, { requester, confirmation }) => void read.push([requester.id, confirmation?.by]),
    });
    const { runner } = await runnerFor([tool]);
    await runner.run({ ...address, message: 'Pay.', by: { id: 'cron', roles: ['service'] } });
    await eventsOf(runner.approve(await only(runner), { by: MIA }));
    expect(read).toEqual([['cron', 'mia']]);
  });
});

/** A tool whose own function asks by the context. */
class Asking extends FunctionTool {
  constructor(
    private readonly hook: 'validate' | 'confirm',
    ran: unknown[],
  ) {
    super({
      ...FIELDS,
      approvers: { role: 'manager', count: 2 },
      confirm: false,
      run: () => void ran.push('ran'),
    });
  }

  override async validate(_args: unknown, context: ToolContext): Promise<void> {
    if (this.hook === 'validate') context.requestConfirmation('Valid?');
  }

  override async confirmation(_args: unknown, context: ToolContext) {
    if (this.hook === 'confirm') context.requestConfirmation('Really?');
    return undefined;
  }
}

class Audit extends Plugin {
  readonly name = 'audit';

  override checkTool() {
    return new RequireConfirmation(undefined, undefined, { role: 'auditor' });
  }
}

const FIELDS = {
  name: 'pay',
  description: 'Pays.',
  parameters: { type: 'object', properties: { cents: { type: 'number' } } },
} as const;

interface Pausing {
  readonly approvers?: FunctionToolFields['approvers'];
  readonly by?: PrincipalInput;
  readonly wrap?: (tool: Tool) => Tool;
  readonly plugins?: readonly Plugin[];
  readonly clock?: Clock;
}

/** A run that waits for the approval of `pay({ cents: 500 })`. */
async function pause({ approvers, by, wrap = (tool) => tool, plugins = [], clock }: Pausing) {
  const ran: unknown[] = [];
  const tool = new FunctionTool({
    ...FIELDS,
    confirm: 'Pay?',
    exposeErrors: true,
    ...(approvers !== undefined && { approvers }),
    run: ({ cents }) => void ran.push(cents),
  });
  const opened = await runnerFor([wrap(tool)], plugins, clock);
  await opened.runner.run({ ...address, message: 'Pay.', by });
  return { ...opened, ran };
}

const STEPS: ScriptedStep[] = [callsTool('pay', { cents: 500 }), says('Done.'), says('Done.')];

/** A run of a tool whose `approvers` returns a rule that is not valid. */
async function runnerAsking(rule: object) {
  const ran: unknown[] = [];
  const run = ({ cents }: Record<string, unknown>) => void ran.push(cents);
  const opened = await runnerFor([
    new FunctionTool({ ...FIELDS, approvers: () => rule as ApproverRule, run }),
  ]);
  await opened.runner.run({ ...address, message: 'Pay.' });
  return { ...opened, ran };
}

async function runnerFor(tools: readonly Tool[], plugins: readonly Plugin[] = [], clock?: Clock) {
  const model = new ScriptedModel(...STEPS);
  const Clerk = defineAgent({ name: 'clerk', model, tools: [...tools] });
  const modules = clock ? [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))] : [];
  return { runner: await createRunner(Clerk, { plugins: [...plugins], modules }), model };
}

/** A runner of a new process: an agent that runs the paying agent as a tool. */
async function nested(ran: unknown[], sessions: InMemorySessionService): Promise<Runner<unknown>> {
  const hasBegun = (await sessions.getSession({ appName: 'desk', ...address })) !== undefined;
  const model = hasBegun
    ? new ScriptedModel(says('Paid.'), says('Done.'))
    : new ScriptedModel(callsTool('clerk', { request: 'Pay.' }), ...STEPS);
  const tool = new FunctionTool({
    ...FIELDS,
    approvers: { role: 'manager', count: 2 },
    run: ({ cents }) => void ran.push(cents),
  });
  const Clerk = defineAgent({ name: 'clerk', description: 'Pays.', model, tools: [tool] });
  const Desk = defineAgent({ name: 'desk', model, tools: [agentTool(Clerk)] });
  const storage = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  return createRunner(Desk, { appName: 'desk', modules: [storage] });
}

async function only(runner: Runner<unknown>): Promise<PendingRequest> {
  const requests = await runner.pending(address);
  expect(requests).toHaveLength(1);
  return requests[0] as PendingRequest;
}

async function refused(answer: AsyncIterable<unknown>): Promise<void> {
  await expect(eventsOf(answer as never)).rejects.toMatchObject({ code: 'APPROVER_NOT_ALLOWED' });
}

/** What came of an answer: the tool ran, the call waits for more, or the code of the refusal. */
async function verdictOf(
  runner: Runner<unknown>,
  ran: readonly unknown[],
  answer: (request: PendingRequest) => AsyncIterable<unknown>,
): Promise<string> {
  try {
    await eventsOf(answer(await only(runner)) as never);
    return ran.length > 0 ? 'ran' : 'waits';
  } catch (error) {
    return (error as { code: string }).code;
  }
}
