import { ManualClock } from '@adorn/testing';
import fc from 'fast-check';

import type {
  ApproverRule,
  InboxChange,
  OpenRequestQuery,
  OpenRequestRecord,
  PrincipalInput,
} from '../../backend.js';
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from '../../gates/property-runs.fixture.js';
import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '../../index.js';

const MANAGER: ApproverRule = { role: 'manager' };
const RULES: Readonly<Record<string, ApproverRule>> = {
  pay: MANAGER,
  pay_late: { role: 'manager', escalate: { after: '4h', to: { role: 'director' } } },
  pay_twice: { role: 'manager', count: 2 },
  pay_own: 'requester',
};
const ADA = { id: 'ada', tenant: 'acme' };
const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };
const MAX = { id: 'max', roles: ['manager'], tenant: 'acme' };
const DIRK = { id: 'dirk', roles: ['director'], tenant: 'acme' };
const GIL = { id: 'gil', roles: ['manager', 'director'], tenant: 'globex' };
const PEOPLE = [ADA, MIA, MAX, DIRK, GIL];

interface Desk {
  readonly runner: Runner;
  readonly clock: ManualClock;
}

async function openDesk(sessions: SessionService = new InMemorySessionService()): Promise<Desk> {
  const clock = new ManualClock();
  const tools = Object.entries(RULES).map(
    ([name, approvers]) =>
      new FunctionTool({
        name,
        description: 'Pays.',
        confirm: true,
        approvers,
        parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
        run: () => 'paid',
      }),
  );
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Clock).toConstantValue(clock);
    }),
  ];
  return {
    clock,
    runner: await createRunner(defineAgent({ name: 'desk', model: null, tools }), { modules }),
  };
}

async function asks(
  { runner }: Desk,
  tool: string,
  {
    userId = 'ada',
    sessionId = 's1',
    by = ADA,
  }: { userId?: string; sessionId?: string; by?: PrincipalInput } = {},
): Promise<void> {
  await runner.call({ tool, args: { cents: 500 }, userId, sessionId, by });
}

async function toolsFor({ runner }: Desk, by: PrincipalInput): Promise<string[]> {
  return (await runner.inbox({ for: by })).requests.map(({ tool }) => tool);
}

describe('the inbox of an application', () => {
  it('shows what waits in all conversations, and what it shows is approved by who may', async () => {
    const desk = await openDesk();
    await asks(desk, 'pay');
    await desk.clock.advance(1_000);
    await asks(desk, 'pay_twice', { userId: 'bob', by: { id: 'bob', tenant: 'acme' } });

    const { requests, next } = await desk.runner.inbox({ for: MIA });

    expect(next).toBeUndefined();
    expect(requests.map(({ tool, userId, askedAt, quorum }) => ({ tool, userId, askedAt, quorum }))).toEqual([
      { tool: 'pay', userId: 'ada', askedAt: expect.any(Number), quorum: { needed: 1, approved: 0 } },
      { tool: 'pay_twice', userId: 'bob', askedAt: expect.any(Number), quorum: { needed: 2, approved: 0 } },
    ]);
    for (const request of requests) await desk.runner.approve(request, { by: MIA });
    const [left, ...others] = (await desk.runner.inbox()).requests;
    expect([left?.tool, left?.quorum, others]).toEqual(['pay_twice', { needed: 2, approved: 1 }, []]);
    const quorumFor = async (who: PrincipalInput) =>
      (await desk.runner.inbox({ for: who })).requests.map(({ quorum }) => quorum);
    expect(await quorumFor(MIA)).toEqual([{ needed: 2, approved: 1, hasApproved: true }]);
    expect(await quorumFor(MAX)).toEqual([{ needed: 2, approved: 1 }]);
    await desk.runner.approve(left!, { by: MAX });
    expect(await desk.runner.inbox()).toEqual({ requests: [] });
  });

  it('shows nobody a request of another tenant, also not to one of the same id', async () => {
    const desk = await openDesk();
    await asks(desk, 'pay');
    await asks(desk, 'pay_own', { sessionId: 's2' });

    expect(await toolsFor(desk, GIL)).toEqual([]);
    expect(await toolsFor(desk, { id: 'ada', tenant: 'globex' })).toEqual([]);
    expect(await toolsFor(desk, ADA)).toEqual(['pay_own']);
    expect((await desk.runner.inbox({ tenant: 'globex' })).requests).toEqual([]);
    expect((await desk.runner.inbox({ tenant: 'acme' })).requests).toHaveLength(2);
  });

  it('shows a request that is escalated, or passed on, to whom it then is for', async () => {
    const desk = await openDesk();
    await asks(desk, 'pay_late');
    expect(await toolsFor(desk, DIRK)).toEqual([]);

    await desk.clock.advance(4 * 3_600_000);
    expect(await toolsFor(desk, DIRK)).toEqual(['pay_late']);

    expect(await toolsFor(desk, { id: 'eve', tenant: 'acme' })).toEqual([]);
    const [request] = (await desk.runner.inbox({ for: MIA })).requests;
    await desk.runner.delegate(request!, { by: MIA, to: 'eve' });
    expect(await toolsFor(desk, { id: 'eve', tenant: 'acme' })).toEqual(['pay_late']);
  });

  it('is read in pages by tool, user and age, and refuses what is no place, time or number', async () => {
    const desk = await openDesk();
    for (let index = 0; index < 5; index++) {
      await asks(desk, 'pay', { sessionId: `s${String(index)}` });
      await desk.clock.advance(60_000);
    }
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const { requests, next } = await desk.runner.inbox({ for: MIA, limit: 2, after });
      seen.push(...requests.map(({ sessionId }) => sessionId));
      if (next === undefined) break;
      after = next;
    }

    expect(seen).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect((await desk.runner.inbox({ olderThan: '90s' })).requests).toHaveLength(4);
    expect((await desk.runner.inbox({ userId: 'bob' })).requests).toEqual([]);
    for (const wrong of [{ after: 'x' }, { olderThan: 'late' }, { limit: 0 }, { limit: 5_000 }, { fro: MIA }])
      await expect(desk.runner.inbox(wrong)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(desk.runner.inbox({ for: { id: '' } })).rejects.toMatchObject({ code: 'PRINCIPAL_INVALID' });
  });

  it('is refused by a store without an index of requests', async () => {
    class Plain extends InMemorySessionService {
      override listOpenRequests(query: OpenRequestQuery): Promise<OpenRequestRecord[]> {
        return SessionService.prototype.listOpenRequests.call(this, query);
      }
    }
    const desk = await openDesk(new Plain());

    await expect(desk.runner.inbox()).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});

describe('the changes of an inbox', () => {
  it('tell each request once, whichever runner asks and answers, until the reader stops', async () => {
    const sessions = new InMemorySessionService();
    const desk = await openDesk(sessions);
    const elsewhere = await openDesk(sessions);
    await asks(desk, 'pay');
    const stop = new AbortController();
    const changes = desk.runner.watchInbox({ for: MIA }, stop);
    const next = async (): Promise<readonly unknown[]> => {
      const { value } = (await changes.next()) as { value: InboxChange | undefined };
      return [value?.kind, value?.request.tool, value?.request.quorum.approved];
    };
    expect(await next()).toEqual(['opened', 'pay', 0]);

    const opened = next();
    await asks(elsewhere, 'pay_twice', { sessionId: 's2' });
    await looks(desk);
    expect(await opened).toEqual(['opened', 'pay_twice', 0]);
    const changed = next();
    const [first, second] = (await elsewhere.runner.inbox()).requests;
    await elsewhere.runner.approve(second!, { by: MAX });
    await looks(desk);
    expect(await changed).toEqual(['changed', 'pay_twice', 1]);
    const closed = next();
    await elsewhere.runner.reject(first!, { by: MIA });
    await looks(desk);
    expect(await closed).toEqual(['closed', 'pay', 0]);

    const last = changes.next();
    await untilWaiting(desk);
    stop.abort();
    expect(await last).toEqual({ value: undefined, done: true });
    expect(desk.clock.waiting).toBe(0);
  });
});

async function untilWaiting({ clock }: Desk): Promise<void> {
  while (clock.waiting === 0) await new Promise(setImmediate);
}

async function looks(desk: Desk): Promise<void> {
  await untilWaiting(desk);
  await desk.clock.advance(1_000);
}

const RUNS = Math.ceil(PROPERTY_RUNS / 4);
const step = fc.record({
  kind: fc.constantFrom(
    ...(['ask', 'ask', 'ask', 'approve', 'approve', 'reject', 'delegate'] as const),
    ...(['rewind', 'fork', 'delete', 'wait'] as const),
  ),
  tool: fc.constantFrom(...Object.keys(RULES)),
  session: fc.constantFrom('s1', 's2', 's3'),
  by: fc.constantFrom(...PEOPLE),
  to: fc.constantFrom('s1', 's2', 'eve'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What is refused changes nothing: the property is about what is then listed. */
async function happens(desk: Desk, { kind, tool, session, by, to }: Step): Promise<void> {
  const { runner, clock } = desk;
  const key = { userId: 'ada', sessionId: session };
  const [request] = await runner.pending(key);
  const log = (await runner.sessions.getSession({ appName: 'desk', ...key }))?.events ?? [];
  switch (kind) {
    case 'ask':
      await runner.call({ tool, args: { cents: 1 }, ...key, by });
      break;
    case 'approve':
    case 'reject':
      if (request) await runner[kind](request, { by });
      break;
    case 'delegate':
      if (request) await runner.delegate(request, { by, to });
      break;
    case 'rewind':
      if (log[0]) await runner.rewind({ ...key, invocationId: log.at(-1)?.invocationId ?? '' });
      break;
    case 'fork':
      if (log[0]) await runner.fork({ ...key, to: { userId: 'ada', sessionId: to } });
      break;
    case 'delete':
      await runner.sessions.deleteSession({ appName: 'desk', ...key });
      break;
    case 'wait':
      await clock.advance(3 * 3_600_000);
      break;
  }
}

describe('whatever is asked, answered and undone', () => {
  it(
    `an inbox shows what the conversations say, to whom may answer (${String(RUNS)} scripts)`,
    async () => {
      const seen = { open: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const desk = await openDesk();
          for (const one of steps) {
            await happens(desk, one).catch(() => seen.refused++);
            await expectTrue(desk, seen);
          }
          await desk.runner.close();
        }),
        { numRuns: RUNS, seed: 20_261_129 },
      );
      expect(seen.open).toBeGreaterThan(RUNS);
      expect(seen.refused).toBeGreaterThan(RUNS / 8);
    },
    PROPERTY_TIMEOUT,
  );
});

async function expectTrue({ runner }: Desk, seen: { open: number }): Promise<void> {
  for (const by of [undefined, ...PEOPLE]) {
    const expected: string[] = [];
    for (const sessionId of ['s1', 's2', 's3', 'eve'])
      for (const request of await runner.pending({
        userId: 'ada',
        sessionId,
        ...(by !== undefined && { for: by }),
      }))
        if (by === undefined || (request.requester?.tenant ?? by.tenant) === by.tenant)
          expected.push(`${sessionId} ${request.id}`);
    const listed = (await runner.inbox({ for: by })).requests.map(
      ({ sessionId, id }) => `${sessionId} ${id}`,
    );
    expect(listed.sort()).toEqual(expected.sort());
    seen.open += listed.length;
  }
}
