import { callsTool, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { type ApproverRule, EffectLedger, InMemoryEffectLedger, type PrincipalInput } from '../backend.js';
import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
  type RunConfig,
  type Runner,
  SessionService,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const manager = (id: string, more: object = {}) => ({ id, roles: ['manager'], ...more });
const TWO: ApproverRule = { role: 'manager', count: 2 };

describe('an attack on who may answer', () => {
  it.each<[string, ApproverRule, PrincipalInput]>([
    ['a role in other letters that look alike', { role: 'manager' }, withRoles(['m\u0430nager'])],
    ['a role in capitals', { role: 'manager' }, withRoles(['Manager'])],
    ['a role with a space', { role: 'manager' }, withRoles(['manager ', ' manager'])],
    ['a role with an invisible letter', { role: 'manager' }, withRoles(['manager\u200b'])],
    ['a role in another form of Unicode', { role: 'caf\u00e9' }, withRoles(['cafe\u0301'])],
    ['a role that contains it', { role: 'manager' }, withRoles(['manager,director'])],
    ['a role of all objects', { role: 'constructor' }, withRoles([])],
    ['a team of all objects', { role: 'manager', of: 'constructor' }, manager('eve', { tenant: 'acme' })],
    ['a team in another form of Unicode', { role: 'manager', of: 'caf\u00e9' }, inTeam('cafe\u0301')],
    ['a team that looks like a number', { role: 'manager', of: 7 }, inTeam('7')],
    ['a team that is part of the name', { role: 'manager', of: 'books' }, inTeam('books and toys')],
    ['a tenant in capitals', 'others', { id: 'eve', tenant: 'Acme' }],
    ['no tenant', 'others', { id: 'eve' }],
    ['a bare name', 'others', 'eve'],
  ])('by %s is refused', async (_what, approvers, by) => {
    const desk = await deskOf(approvers);
    expect(await desk.approve(by)).toBe('APPROVER_NOT_ALLOWED');
    expect(desk.ran).toEqual([]);
  });

  it.each<[string, ApproverRule, PrincipalInput]>([
    ['the role', { role: 'manager' }, withRoles(['manager'])],
    ['the role in the same form of Unicode', { role: 'caf\u00e9' }, withRoles(['caf\u00e9'])],
    ['the team', { role: 'manager', of: 'caf\u00e9' }, inTeam('caf\u00e9')],
    ['one of the teams', { role: 'manager', of: ['toys', 'books'] }, inTeam('books')],
    ['the tenant', 'others', { id: 'eve', tenant: 'acme' }],
  ])('is none by somebody with %s itself, who approves', async (_what, approvers, by) => {
    const desk = await deskOf(approvers);
    expect(await desk.approve(by)).toBe('ran');
  });

  it.each<[string, PrincipalInput]>([
    ['the requester', manager('ada', { tenant: 'acme' })],
    ['who acts for the requester', manager('eve', { actsFor: 'ada', tenant: 'acme' })],
  ])('a quorum counts no approval of %s', async (_who, by) => {
    const desk = await deskOf(TWO);
    expect(await desk.approve(manager('mia', { tenant: 'acme' }))).toBe('waits');
    expect(await desk.approve(by)).toBe('APPROVER_NOT_ALLOWED');
    expect(await desk.approve(manager('max', { tenant: 'acme' }))).toBe('ran');
  });

  it('a quorum with the requester counts the requester once, also by who acts for the requester', async () => {
    const desk = await deskOf({ ...TWO, self: true });
    expect(await desk.approve(manager('ada', { tenant: 'acme' }))).toBe('waits');
    expect(await desk.approve(manager('eve', { actsFor: 'ada', tenant: 'acme' }))).toBe(
      'APPROVER_NOT_ALLOWED',
    );
    expect(await desk.approve(manager('max', { tenant: 'acme' }))).toBe('ran');
  });

  it.each<[string, readonly PrincipalInput[]]>([
    ['one person', [manager('mia', { tenant: 'acme' }), manager('mia', { tenant: 'acme' })]],
    ['two ids of one person', [manager('mia', { tenant: 'acme' }), phone('mia-phone')]],
    ['two ids that act for one person', [phone('mia-phone'), phone('mia-watch')]],
  ])('two answers at once by %s count once, in two processes', async (_who, people) => {
    for (let turn = 0; turn < 10; turn++) {
      const desk = await deskOf(TWO);
      const other = await desk.again();
      const [request] = await desk.runner.pending(address);
      const answers = await Promise.allSettled(
        people.map(async (by, index) =>
          (index === 0 ? desk : other).runner.approve(request as PendingRequest, { by }),
        ),
      );
      expect(answers.map(({ status }) => status)).toContain('fulfilled');
      expect(desk.ran).toEqual([]);
      const [open] = await desk.runner.pending(address);
      expect(open?.approvals).toHaveLength(1);
    }
  });

  it('by a delegate ends with the request: one that has expired asks anew, and the delegate answers no more', async () => {
    const clock = new ManualClock();
    const desk = await deskOf({ role: 'manager' }, { clock, config: { confirmationExpiresAfter: 60_000 } });
    const mia = manager('mia', { tenant: 'acme' });
    const dee = { id: 'dee', tenant: 'acme' };
    await desk.runner.delegate(await desk.request(), { by: mia, to: 'dee' });
    await clock.advance(60_001);
    expect(await desk.approve(dee)).toBe('waits');
    expect(await desk.approve(dee)).toBe('APPROVER_NOT_ALLOWED');
    expect(await desk.approve(mia)).toBe('ran');
  });

  it('rejects no request that has expired, as a timer of the application does', async () => {
    const clock = new ManualClock();
    const desk = await deskOf({ role: 'manager' }, { clock, config: { confirmationExpiresAfter: 60_000 } });
    const request = await desk.request();
    const reject = async (by: PrincipalInput) => desk.runner.reject(request, { by });
    const refused = { code: 'APPROVER_NOT_ALLOWED' };
    await expect(reject('timer')).rejects.toMatchObject(refused);
    await clock.advance(60_001);
    for (const by of [{ id: 'bob', tenant: 'acme' }, { id: 'timer' }, { id: 'ada', tenant: 'acme' }])
      await expect(reject(by)).rejects.toMatchObject(refused);
    expect(await desk.runner.pending(address)).toEqual([request]);
    await reject('timer');
    expect([desk.ran, await desk.runner.pending(address)]).toEqual([[], []]);
  });

  it.each([
    ['the requester', 'ada', { tenant: 'acme' }],
    ['an id that acts for the requester', 'eve', { tenant: 'acme', actsFor: 'ada' }],
    ['somebody of another tenant', 'eve', { tenant: 'globex' }],
    ['somebody without a tenant', 'eve', {}],
  ])('by a delegation to %s gains nothing', async (_whom, to, more) => {
    const desk = await deskOf({ role: 'manager' });
    await desk.runner.delegate(await desk.request(), { by: manager('mia', { tenant: 'acme' }), to });
    expect(await desk.approve({ id: to, ...more })).toBe('APPROVER_NOT_ALLOWED');
  });

  it('of arguments that were changed names them, however many have approved them since', async () => {
    const desk = await deskOf({ role: 'manager', count: 3 });
    const approve = async (id: string, args?: object) => {
      await desk.runner.approve(await desk.request(), {
        by: manager(id, { tenant: 'acme' }),
        ...(args && { args }),
      });
    };
    const args = { cents: 50 };
    await approve('mia', args);
    await approve('max', args);
    await expect(approve('zoe')).rejects.toMatchObject({ code: 'REQUEST_CHANGED' });
    expect(desk.ran).toEqual([]);
    await approve('zoe', args);
    expect(desk.ran).toEqual([50]);
  });

  it.each<[string, (request: PendingRequest) => object]>([
    ['no approvers', () => ({ approvers: [] })],
    ['approvers of its own', () => ({ approvers: ['requester'] })],
    ['another requester', () => ({ requester: { id: 'bob', roles: [], attributes: {} } })],
    ['another user', () => ({ userId: 'eve' })],
    ['the time of another one', ({ askedAt = 0 }) => ({ askedAt: askedAt - 1e6 })],
    ['delegations', () => ({ delegations: [{ by: manager('mia', { attributes: {} }), to: 'ada' }] })],
    [
      'approvals',
      () => ({
        approvals: [
          { by: manager('mia'), at: 0 },
          { by: manager('max'), at: 0 },
        ],
      }),
    ],
  ])('with a request that states %s changes nothing', async (_what, forged) => {
    const desk = await deskOf(TWO);
    const request = await desk.request();
    const by = { id: 'ada', roles: ['manager'], tenant: 'acme' };
    const answer = desk.runner.approve({ ...request, ...forged(request) }, { by });
    await expect(answer).rejects.toMatchObject({ code: expect.any(String) as unknown });
    expect(await desk.runner.pending(address)).toEqual([request]);
    expect(desk.ran).toEqual([]);
  });

  it('leaves nothing to approve when the requester is forgotten', async () => {
    const desk = await deskOf({ role: 'manager' });
    const request = await desk.request();
    const mia = manager('mia', { tenant: 'acme' });

    const { erased } = await desk.runner.forget('ada');

    expect(erased.requests).toBe(1);
    await expect(desk.runner.approve(request, { by: mia })).rejects.toMatchObject({
      code: expect.stringMatching(/REQUEST_NOT_PENDING|SESSION_NOT_FOUND/) as unknown,
    });
    expect((await desk.runner.inbox({ for: mia })).requests).toEqual([]);
    expect(desk.ran).toEqual([]);
    const sessions = await desk.runner.sessions.listSessions({ appName: 'desk', userId: 'ada' });
    expect(sessions).toEqual([]);
  });

  it('at the moment in which the requester is forgotten runs once or not at all, and leaves no session half there', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const desk = await deskOf({ role: 'manager' });
      const request = await desk.request();
      const approving = desk.runner.approve(request, { by: manager('mia', { tenant: 'acme' }) });
      for (let wait = 0; wait < turn; wait++) await Promise.resolve();
      await Promise.allSettled([approving, desk.runner.forget('ada', { cancelRuns: true })]);
      await desk.runner.forget('ada', { cancelRuns: true });
      expect(desk.ran.length).toBeLessThanOrEqual(1);
      expect(await desk.runner.sessions.listSessions({ appName: 'desk', userId: 'ada' })).toEqual([]);
      expect((await desk.runner.inbox()).requests).toEqual([]);
    }
  });

  it('keeps what a forgotten approver had approved, as the receipt says: the next one completes it', async () => {
    const desk = await deskOf(TWO);
    expect(await desk.approve(manager('mia', { tenant: 'acme' }))).toBe('waits');

    const { notErased } = await desk.runner.forget('mia');

    expect(notErased).toMatchObject([{ kind: 'sessions', sessions: [{ ...address, appName: 'desk' }] }]);
    expect(await desk.approve(manager('mia', { tenant: 'acme' }))).toBe('APPROVER_NOT_ALLOWED');
    expect(await desk.approve(manager('max', { tenant: 'acme' }))).toBe('ran');
  });
});

/** Somebody of the tenant. */
function withRoles(roles: readonly string[]): PrincipalInput {
  return { id: 'eve', tenant: 'acme', roles };
}

/** A manager of the team. */
function inTeam(team: string): PrincipalInput {
  return manager('eve', { tenant: 'acme', attributes: { team } });
}

/** A device of mia. */
function phone(id: string): PrincipalInput {
  return manager(id, { tenant: 'acme', actsFor: 'mia' });
}

interface Opened {
  readonly sessions: InMemorySessionService;
  readonly ledger: InMemoryEffectLedger;
  readonly ran: unknown[];
}

interface Opening {
  readonly clock?: Clock;
  readonly config?: RunConfig;
}

/** A desk in which a call of ada, of the tenant acme, waits for approval. */
async function deskOf(approvers: ApproverRule, options: Opening = {}): Promise<Desk> {
  const opened = { sessions: new InMemorySessionService(), ledger: new InMemoryEffectLedger(), ran: [] };
  const desk = await Desk.open(approvers, opened, options);
  await desk.runner.run({ ...address, message: 'Pay.', by: { id: 'ada', tenant: 'acme' } });
  return desk;
}

class Desk {
  private constructor(
    readonly runner: Runner<unknown>,
    private readonly approvers: ApproverRule,
    private readonly opened: Opened,
    private readonly options: Opening,
  ) {}

  static async open(approvers: ApproverRule, opened: Opened, options: Opening): Promise<Desk> {
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      effect: 'write',
      parameters: { type: 'object', properties: { cents: { type: 'number' } } },
      approvers,
      run: ({ cents }) => void opened.ran.push(cents),
    });
    const step: ScriptedStep = ({ contents }) =>
      contents.at(-1)?.parts?.[0]?.functionResponse ? says('Done.') : callsTool('pay', { cents: 500 });
    const model = new ScriptedModel(step, step, step, step);
    const Clerk = defineAgent({ name: 'clerk', model, tools: [pay] });
    const { clock, config } = options;
    const storage = new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(opened.sessions);
      bind(EffectLedger).toConstantValue(opened.ledger);
      if (clock) bind(Clock).toConstantValue(clock);
    });
    const runner = await createRunner<unknown>(Clerk, {
      appName: 'desk',
      modules: [storage],
      ...(config && { config }),
    });
    return new Desk(runner, approvers, opened, options);
  }

  /** Another process. */
  again(): Promise<Desk> {
    return Desk.open(this.approvers, this.opened, this.options);
  }

  get ran(): readonly unknown[] {
    return this.opened.ran;
  }

  async request(): Promise<PendingRequest> {
    const [request] = await this.runner.pending(address);
    if (request === undefined) throw new Error('Nothing waits.');
    return request;
  }

  /** What comes of an approval: the call runs, it waits on, or the code of the refusal. */
  async approve(by: PrincipalInput): Promise<string> {
    try {
      await this.runner.approve(await this.request(), { by });
      return this.ran.length > 0 ? 'ran' : 'waits';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
}
