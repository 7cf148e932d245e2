import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createRunner,
  defineAgent,
  defineTool,
  type PendingRequest,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import type { ApproverRule, Principal, PrincipalInput } from '@adorn/core/backend';
import { sqlStorage } from '@adorn/storage';
import { ScriptedModel } from '@adorn/testing';

import { type Fleet, openFleet } from './fleet.js';
import { InProcessQueue } from './in-process.queue.js';
import type { Submission } from './submission.js';
import { startWorker, type Worker } from './worker.js';

const ADA = { id: 'ada', tenant: 'acme' };
const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };

const PEOPLE: Readonly<Record<string, PrincipalInput | undefined>> = {
  'the user, unnamed': undefined,
  'the requester': ADA,
  'the requester, with the role': { ...ADA, roles: ['manager', 'director'] },
  'another user': { id: 'bob', tenant: 'acme' },
  'a name of a manager': 'mia',
  'a manager': MIA,
  'a manager who is a director': { ...MIA, id: 'dora', roles: ['manager', 'director'] },
  'a manager of another tenant': { ...MIA, tenant: 'globex' },
  'a manager of no tenant': { id: 'mia', roles: ['manager'] },
  'who acts for the requester, with the role': { ...MIA, id: 'dan', actsFor: 'ada' },
  'who acts for the manager, without the role': { id: 'eve', actsFor: 'mia', tenant: 'acme' },
  'the delegate that the manager named': { id: 'dee', tenant: 'acme' },
};
const ALLOWED = new Set(['a manager', 'a manager who is a director', 'the delegate that the manager named']);

type Action = 'approve' | 'reject' | 'edit down' | 'edit up' | 'remember' | 'supply';
const ACTIONS: Readonly<Record<Action, (request: PendingRequest) => Answer>> = {
  approve: (approve) => ({ approve }),
  reject: (reject) => ({ reject }),
  'edit down': (approve) => ({ approve, args: { cents: 50 } }),
  'edit up': (approve) => ({ approve, args: { cents: 50_000 } }),
  remember: (approve) => ({ approve, remember: 'session' }),
  supply: (supply) => ({ supply, value: 'because' }),
};
type Answer = object;
const EFFECTS: Readonly<Record<Action, readonly unknown[]>> = {
  approve: [500],
  reject: [],
  'edit down': [50],
  'edit up': [50_000],
  remember: [500],
  supply: ['because'],
};

/** Says what comes of a cell, without the code under test. */
function isAllowed(who: string, action: Action): boolean {
  if (!ALLOWED.has(who) || action === 'remember') return false;
  return action !== 'edit up' || who === 'a manager who is a director';
}

describe('who may answer through a fleet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-fleet-doors-'));
  const ran: unknown[] = [];
  let runner: Runner<unknown>;
  let fleet: Fleet;
  let worker: Worker;
  let count = 0;

  beforeAll(async () => {
    const cents = { type: 'object', properties: { cents: { type: 'number' } } } as const;
    const approvers = (args: object): ApproverRule => ({
      role: (args as { cents: number }).cents > 1000 ? 'director' : 'manager',
    });
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      parameters: cents,
      approvers,
      run: ({ cents: paid }) => ran.push(paid),
    });
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      parameters: { type: 'object', properties: {} },
      run: async (_args, context: ToolContext) => {
        const schema = { type: 'string' } as const;
        ran.push(await context.requestInput({ message: 'Why?', schema, approvers: { role: 'manager' } }));
      },
    });
    const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(), tools: [pay, ask] });
    runner = await createRunner<unknown>(Clerk, {
      appName: 'desk',
      modules: [sqlStorage(join(folder, 'a.db'))],
    });
    fleet = await openFleet(runner, { queue: new InProcessQueue() });
    worker = await startWorker(fleet);
  });

  afterAll(async () => {
    await worker.stop();
    await runner.close();
    rmSync(folder, { recursive: true });
  });

  /** A request of ada, which mia has passed on to dee. */
  async function waiting(action: Action): Promise<PendingRequest> {
    const key = { userId: 'ada', sessionId: `s${String(count++)}` };
    const call = action === 'supply' ? { tool: 'ask', args: {} } : { tool: 'pay', args: { cents: 500 } };
    await runner.call({ ...key, ...call, by: ADA });
    const [asked] = await runner.pending(key);
    await runner.delegate(asked as PendingRequest, { by: MIA, to: 'dee' });
    const [request] = await runner.pending(key);
    return request as PendingRequest;
  }

  async function submitted(request: PendingRequest, answer: object): Promise<string | undefined> {
    const { userId, sessionId } = request;
    try {
      const address = await fleet.submit({ userId, sessionId, ...answer } as Submission);
      for await (const _event of fleet.follow(address));
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  it.each(Object.keys(PEOPLE))('%s', async (who) => {
    const by = PEOPLE[who] as Principal | undefined;
    for (const action of Object.keys(ACTIONS) as Action[]) {
      const request = await waiting(action);
      ran.length = 0;

      const code = await submitted(request, { ...ACTIONS[action](request), ...(by !== undefined && { by }) });

      const { userId, sessionId } = request;
      const open = await runner.pending({ userId, sessionId });
      const isDone = isAllowed(who, action);
      expect([action, ran, open]).toEqual([action, isDone ? EFFECTS[action] : [], isDone ? [] : [request]]);
      if (!ALLOWED.has(who)) expect([action, code]).toEqual([action, 'APPROVER_NOT_ALLOWED']);
    }
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });

  it.each(Object.keys(PEOPLE))('%s, who passes it on', async (who) => {
    const by = PEOPLE[who] as Principal | undefined;
    const request = await waiting('approve');
    const code = await submitted(request, { delegate: request, to: 'max', ...(by !== undefined && { by }) });
    const { userId, sessionId } = request;
    const [open] = await runner.pending({ userId, sessionId });
    // A delegate passes nothing on.
    const mayDelegate = ALLOWED.has(who) && who !== 'the delegate that the manager named';
    expect(code).toBe(mayDelegate ? undefined : 'APPROVER_NOT_ALLOWED');
    expect(open?.delegations?.map(({ to }) => to)).toEqual(mayDelegate ? ['dee', 'max'] : ['dee']);
  });

  it('cancels nothing that waits: a request stays as it was', async () => {
    const request = await waiting('approve');
    const { userId, sessionId, invocationId } = request;
    await fleet.cancel({ userId, sessionId, invocationId });
    expect(await runner.pending({ userId, sessionId })).toEqual([request]);
  });
});
