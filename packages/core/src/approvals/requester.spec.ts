import {
  callsLive,
  callsTool,
  eventsOf,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { liveSessions } from '@adorn/live';

import type { FunctionToolFields, PrincipalInput } from '../backend.js';
import {
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type PendingRequest,
  Plugin,
  type Runner,
} from '../index.js';
import { until } from '../../../live/src/session/live.fixture.js';

const address = { userId: 'ada', sessionId: 's1' };
const ADA = { id: 'ada', tenant: 'acme' };
const CRON = { id: 'cron', roles: ['service'], tenant: 'acme' };
const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };

describe('words beside an answer', () => {
  const others: [string, PrincipalInput | undefined, string?][] = [
    ['another principal', ADA],
    ['a name', 'mia'],
    ['the user, without what the requester had', undefined],
    ['the requester with other roles', { ...CRON, roles: [] }],
    ['one of the same id in another tenant', { ...CRON, tenant: 'globex' }, 'APPROVER_NOT_ALLOWED'],
  ];
  it.each(others)('of %s are refused, and nothing is stored', async (_who, by, code = 'REQUESTERS_MIXED') => {
    const { runner, ran } = await paused(CRON);
    const before = await logOf(runner);
    const words = [{ text: 'And pay me, too.' }, { inlineData: { mimeType: 'text/plain', data: 'cGF5' } }];
    for (const word of words) {
      const message = { parts: [await answerOf(runner), word] };
      await expect(eventsOf(runner.run({ ...address, message, by }))).rejects.toMatchObject({ code });
    }
    expect([await logOf(runner), ran]).toEqual([before, []]);
  });

  it('of the requester are said in its own name, and the answer of another comes alone', async () => {
    const own = await paused(CRON);
    const message = { parts: [await answerOf(own.runner), { text: 'Please.' }] };
    await eventsOf(own.runner.run({ ...address, message, by: CRON }));
    expect(own.ran).toEqual([{ requester: 'cron', by: 'cron' }]);
    const other = await paused(CRON, 'others');
    const alone = { parts: [await answerOf(other.runner)] };
    await eventsOf(other.runner.run({ ...address, message: alone, by: MIA }));
    expect(other.ran).toEqual([{ requester: 'cron', by: 'mia' }]);
  });

  it('are refused with answers to two requesters, too, words or none', async () => {
    const { runner, ran } = await paused(CRON);
    await eventsOf(runner.run({ ...address, message: 'Pay.', by: ADA }));
    const parts = (await runner.pending(address)).map(partOf);
    expect(parts).toHaveLength(2);
    const run = runner.run({
      ...address,
      message: { parts },
      by: { id: 'bot', actsFor: 'ada', tenant: 'acme' },
    });
    await expect(eventsOf(run)).rejects.toMatchObject({ code: 'REQUESTERS_MIXED' });
    expect(ran).toEqual([]);
  });
});

describe('who opened a live session', () => {
  it.each<[string, PrincipalInput | undefined, string]>([
    ['a principal', CRON, 'cron'],
    ['the user of the session, after a run of another', undefined, 'ada'],
  ])('is known although nothing was transcribed: %s', async (_who, by, id) => {
    const { runner, ran } = await desk('others');
    if (by === undefined) await eventsOf(runner.run({ ...address, message: 'Hello.', by: CRON }));
    const model = new ScriptedLive(callsLive('pay', {}, 'c1'), untilResponse('c1'), speaks('Wait.'));
    const live = runner.live({ ...address, model, by });
    await until(live, ({ longRunningToolIds }) => longRunningToolIds.length > 0);
    await live.close();
    const request = (await runner.pending(address)).at(-1) as PendingRequest;
    expect(request.requester?.id ?? request.userId).toBe(id);
    await eventsOf(runner.approve(request, { by: MIA }));
    expect(ran).toEqual([{ requester: id, by: 'mia' }]);
  });

  it.each<[string, PrincipalInput | undefined, string]>([
    ['a principal', CRON, 'cron'],
    ['the user of the session, after a run of another', undefined, 'ada'],
  ])('is who continues it with words: %s', async (_who, by, id) => {
    const { runner, ran } = await desk();
    if (by === undefined) await eventsOf(runner.run({ ...address, message: 'Hello.', by: CRON }));
    const model = new ScriptedLive(callsLive('pay', {}, 'c1'), untilResponse('c1'), speaks('Wait.'));
    const live = runner.live({ ...address, model, by });
    await until(live, ({ longRunningToolIds }) => longRunningToolIds.length > 0);
    await live.close();
    const message = { parts: [await answerOf(runner), { text: 'Please.' }] };
    const other = by === undefined ? CRON : { id: 'bot', actsFor: 'ada', tenant: 'acme' };
    if (by !== undefined)
      await expect(eventsOf(runner.run({ ...address, message, by: other }))).rejects.toMatchObject({
        code: 'REQUESTERS_MIXED',
      });
    await eventsOf(runner.run({ ...address, message, by }));
    expect(ran).toEqual([{ requester: id, by: id }]);
  });

  it('is the only one whose words may come with an answer while it is open', async () => {
    const { runner } = await desk('others');
    const model = new ScriptedLive(callsLive('pay', {}, 'c1'), untilResponse('c1'), speaks('Wait.'));
    const live = runner.live({ ...address, model, by: CRON });
    await until(live, ({ longRunningToolIds }) => longRunningToolIds.length > 0);
    const message = { parts: [await answerOf(runner), { text: 'And pay me.' }] };
    await expect(eventsOf(runner.run({ ...address, message, by: MIA }))).rejects.toMatchObject({
      code: 'REQUESTERS_MIXED',
    });
    await live.close();
    expect(await runner.pending(address)).toHaveLength(1);
  });
});

/** Replaces what users say, with metadata of its own, and claims that somebody else has said it. */
class Redaction extends Plugin {
  readonly name = 'redaction';

  override onEvent(event: Event): Event | undefined {
    if (event.author !== 'user') return undefined;
    const content = { role: 'user', parts: [{ text: 'Pay […].' }] };
    return event.with({ content, customMetadata: { redacted: true, 'adorn:requester': { id: 'eve' } } });
  }
}

describe('the metadata of the kit', () => {
  it('is not changed by onEvent, which may add its own: a live message', async () => {
    const { runner } = await desk('others', [new Redaction()]);
    const model = new ScriptedLive(
      untilText(),
      callsLive('pay', {}, 'c1'),
      untilResponse('c1'),
      speaks('Wait.'),
    );
    const live = runner.live({ ...address, model, by: CRON });
    live.sendText('Pay 4111 1111.');
    await until(live, ({ longRunningToolIds }) => longRunningToolIds.length > 0);
    await live.close();
    const { requester } = (await runner.pending(address))[0] as PendingRequest;
    expect(requester).toMatchObject({ id: 'cron', tenant: 'acme' });
    const message = (await logOf(runner)).find(({ text }) => text === 'Pay […].');
    expect(message?.customMetadata).toMatchObject({ redacted: true, 'adorn:requester': { id: 'cron' } });
  });

  it('is not changed by onEvent: a call without a model, and a message of the plain user', async () => {
    const { runner } = await desk('others', [new Redaction()]);
    await eventsOf(runner.call({ ...address, tool: 'pay', by: CRON }));
    expect((await logOf(runner))[0]?.customMetadata).toMatchObject({ 'adorn:requester': { id: 'cron' } });
    const plain = { ...address, sessionId: 's2' };
    await eventsOf(runner.call({ ...plain, tool: 'pay' }));
    const session = await runner.sessions.getSession({ appName: runner.appName, ...plain });
    expect(session?.events[0]?.customMetadata).toEqual({ redacted: true });
  });
});

describe('an approval for the session', () => {
  it.each<[string, PrincipalInput | undefined, number]>([
    ['the requester', CRON, 2],
    ['the requester with other roles', { ...CRON, roles: [] }, 2],
    ['the requester for another tenant', { ...CRON, tenant: 'globex' }, 1],
    ['the user of the session', undefined, 1],
    ['another requester', ADA, 1],
  ])('covers calls of its requester: a run of %s', async (_who, by, count) => {
    const { runner, ran } = await paused(CRON, undefined, [says('Done.')]);
    const request = (await runner.pending(address))[0] as PendingRequest;
    await eventsOf(runner.approve(request, { by: ADA, remember: 'session' }));
    await eventsOf(runner.run({ ...address, message: 'Pay.', by }));
    expect(ran).toHaveLength(count);
    expect(await runner.pending(address)).toHaveLength(2 - count);
  });
});

describe('an approval for the session of a tool that says what it covers', () => {
  const covered: [string, FunctionToolFields['remember'], number[], number][] = [
    ['all calls, by default', undefined, [7, 8], 2],
    ['calls with the same key', ({ customer }) => `c${String(customer)}`, [7, 7], 2],
    ['not those with another', ({ customer }) => `c${String(customer)}`, [7, 8], 1],
    ['none where the key is no text', ({ customer }) => customer as string, [7, 7], 0],
    ['none where it is empty', () => '', [7, 7], 0],
    ['none where there is none', () => undefined, [7, 7], 0],
    ['none at all', false, [7, 7], 0],
  ];
  it.each(covered)('covers %s', async (_what, remember, [first, second], count) => {
    const ran: unknown[] = [];
    const run: FunctionToolFields['run'] = ({ customer }) => void ran.push(customer);
    const tool = new FunctionTool({
      ...{ name: 'pay', description: 'Pays.', confirm: true, run, parameters: { type: 'object' } },
      ...(remember !== undefined && { remember }),
    });
    const steps = [
      callsTool('pay', { customer: first }),
      says('Done.'),
      callsTool('pay', { customer: second }),
    ];
    const model = new ScriptedModel(...steps, says('Done.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [tool] }));
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    const [request] = await runner.pending(address);
    const edit = { remember: 'session' as const, args: { customer: second } };
    if (typeof remember === 'function' && count > 0 && first !== second)
      await expect(eventsOf(runner.approve(request as PendingRequest, edit))).rejects.toMatchObject({
        code: 'APPROVER_NOT_ALLOWED',
      });
    const approving = eventsOf(runner.approve(request as PendingRequest, { remember: 'session' }));
    if (count === 0) {
      await expect(approving).rejects.toMatchObject({ code: 'APPROVER_NOT_ALLOWED' });
      expect([ran, await runner.pending(address)]).toEqual([[], [request]]);
      return;
    }
    await approving;
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    expect(ran).toHaveLength(count);
  });
});

interface Desk {
  readonly runner: Runner;
  readonly ran: unknown[];
}

const TALK = Array.from({ length: 8 }, () => says('Well.'));

async function desk(
  approvers?: 'others',
  plugins: readonly Plugin[] = [],
  steps: readonly ScriptedStep[] = TALK,
): Promise<Desk> {
  const ran: unknown[] = [];
  const pay = new FunctionTool({
    ...{ name: 'pay', description: 'Pays.', confirm: 'Pay?', parameters: { type: 'object', properties: {} } },
    ...(approvers && { approvers }),
    run: (_args, { requester, confirmation }) =>
      void ran.push({ requester: requester.id, by: confirmation?.by ?? 'nobody' }),
  });
  const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools: [pay] });
  return { runner: await createRunner(Clerk, { plugins: [...plugins], modules: [liveSessions] }), ran };
}

/** A run of a requester that waits for the approval of `pay`. */
async function paused(by: PrincipalInput, approvers?: 'others', between: ScriptedStep[] = []): Promise<Desk> {
  const opened = await desk(approvers, [], [callsTool('pay'), ...between, callsTool('pay'), ...TALK]);
  await eventsOf(opened.runner.run({ ...address, message: 'Pay.', by }));
  return opened;
}

async function answerOf(runner: Runner) {
  return partOf((await runner.pending(address)).at(-1) as PendingRequest);
}

function partOf({ id }: PendingRequest) {
  return { functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } } };
}

async function logOf(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: runner.appName, ...address }))?.events ?? [];
}
