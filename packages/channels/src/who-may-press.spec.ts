import { agent, createRunner, LlmAgent, type PendingRequest, type Runner, tool } from '@adorn/core';
import type { ApproverRule, PrincipalInput } from '@adorn/core/backend';
import { type AdornHandler, adornHandler } from '@adorn/server';
import { ScriptedModel } from '@adorn/testing';

import { slack } from './slack.js';
import { pressBody, signedBySlack, SIGNING_SECRET, SlackServer } from './slack-api.fixture.js';

const ADA = { id: 'ada', tenant: 'acme' };
const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };

/** Whom `principal` names, by the id of the person at Slack. */
const PEOPLE: Readonly<Record<string, PrincipalInput | undefined>> = {
  'the requester': ADA,
  'the requester, with the role': { ...ADA, roles: ['manager'] },
  'another user': { id: 'bob', tenant: 'acme' },
  'a manager': MIA,
  'another manager': { ...MIA, id: 'max' },
  'a manager of another tenant': { ...MIA, tenant: 'globex' },
  'a manager of no tenant': { id: 'mia', roles: ['manager'] },
  'the same id in another tenant': { ...ADA, tenant: 'globex' },
  'who acts for the requester, with the role': { ...MIA, id: 'dan', actsFor: 'ada' },
  'who acts for the manager, without the role': { id: 'eve', actsFor: 'mia', tenant: 'acme' },
  'the delegate that the manager named': { id: 'dee', tenant: 'acme' },
  'a name of a manager': 'mia',
  nobody: undefined,
};
const ALLOWED: Readonly<Record<Rule, ReadonlySet<string>>> = {
  manager: new Set(['a manager', 'another manager', 'the delegate that the manager named']),
  requester: new Set([
    'the requester',
    'the requester, with the role',
    'who acts for the requester, with the role',
  ]),
};

type Rule = 'manager' | 'requester';
const ACTIONS = ['adorn_approve', 'adorn_reject'] as const;
const CENTS = { type: 'object', properties: { cents: { type: 'number' } } } as const;
const ran: string[] = [];

class Desk {
  @tool({
    description: 'Pay.',
    parameters: CENTS,
    approvers: (): ApproverRule => ({ role: 'manager' }),
  })
  payForManager(): void {
    ran.push('manager');
  }

  @tool({ description: 'Pay oneself.', parameters: CENTS, effect: 'destructive' })
  payForRequester(): void {
    ran.push('requester');
  }
}

/** Pays. */
@agent({ description: 'Pays.', tools: [Desk] })
class Cashier extends LlmAgent {}

describe('who may press a button at Slack', () => {
  const userId = 'slack:T123ABC456:C0LAN2Q65';
  const now = Math.floor(Date.now() / 1_000);
  let api: SlackServer;
  let runner: Runner;
  let handler: AdornHandler;
  let count = 0;

  beforeAll(async () => {
    api = await SlackServer.open();
    const desk = slack({
      ...{ signingSecret: SIGNING_SECRET, botToken: 'xoxb-not-a-token', apiUrl: api.url },
      principal: ({ id }) => PEOPLE[id],
    });
    runner = await createRunner(Cashier, { appName: 'desk', model: new ScriptedModel(), plugins: [desk] });
    handler = await adornHandler(runner, { authenticate: () => undefined, endpoints: [desk] });
  });

  afterAll(async () => {
    await runner.close();
    await handler.close();
    await api[Symbol.asyncDispose]();
  });

  async function waiting(rule: Rule, thread: string): Promise<PendingRequest> {
    const sessionId = `${userId}/${thread}`;
    const name = `pay_for_${rule}`;
    await runner.call({ tool: name, args: { cents: 500 }, userId, sessionId, by: ADA });
    const [asked] = await runner.pending({ userId, sessionId });
    if (rule === 'manager') await runner.delegate(asked as PendingRequest, { by: MIA, to: 'dee' });
    const [request] = await runner.pending({ userId, sessionId });
    return request as PendingRequest;
  }

  function pendingAt({ userId, sessionId }: PendingRequest): Promise<PendingRequest[]> {
    return runner.pending({ userId, sessionId });
  }

  it.each(Object.keys(PEOPLE))('%s', async (user) => {
    for (const rule of Object.keys(ALLOWED) as Rule[])
      for (const action of ACTIONS) {
        const thread = `1515449522.${String(++count).padStart(6, '0')}`;
        const request = await waiting(rule, thread);
        ran.length = 0;
        const told = api.calls.filter(({ method }) => method === 'chat.postEphemeral').length;

        const body = pressBody({ user, action, value: request.id, thread });
        expect((await handler(signedBySlack(body, now, { isForm: true }))).status).toBe(200);

        const isAllowed = ALLOWED[rule].has(user);
        if (isAllowed) while ((await pendingAt(request)).length > 0) await tick();
        else if (user !== 'nobody') await api.callsOf('chat.postEphemeral', told + 1);
        const isApproved = isAllowed && action === 'adorn_approve';
        expect([rule, action, ran, await pendingAt(request)]).toEqual([
          ...[rule, action, isApproved ? [rule] : []],
          isAllowed ? [] : [request],
        ]);
      }
  });

  it('is nobody who is not signed for, and no manager of another thread', async () => {
    const [thread, other] = ['1515449522.900001', '1515449522.900002'];
    const request = await waiting('manager', thread);
    const press = (place: string) =>
      pressBody({ user: 'a manager', action: 'adorn_approve', value: request.id, thread: place });
    const forged = signedBySlack(press(thread), now, { isForm: true, secret: 'another secret' });
    expect((await handler(forged)).status).toBe(401);
    const late = signedBySlack(press(thread), now - 600, { isForm: true });
    expect((await handler(late)).status).toBe(401);
    await handler(signedBySlack(press(other), now, { isForm: true }));
    expect([ran.splice(0), await pendingAt(request)]).toEqual([[], [request]]);
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
