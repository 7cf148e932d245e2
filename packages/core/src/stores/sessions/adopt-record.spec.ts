import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { ApproverRule, PrincipalInput } from '../../backend.js';
import {
  createRunner,
  defineAgent,
  exportSession,
  FunctionTool,
  importSession,
  type Runner,
} from '../../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const MIA = { id: 'mia', roles: ['manager'] };
const MAX = { id: 'max', roles: ['manager'] };
const CRON = { id: 'cron', roles: ['service'] };
const DEV = { id: 'dev', actsFor: 'bob' };

describe('an imported log', () => {
  it.each<[string, PrincipalInput | undefined]>([
    ['a principal', CRON],
    ['the plain user of its session', undefined],
  ])('is of the importer, whoever it says has asked: %s', async (_who, by) => {
    const from = await desk({ role: 'manager' });
    await from.runner.run({ ...address, message: 'Pay.', by });
    const { runner } = await desk({ role: 'manager' });
    const to = { userId: 'bob', sessionId: 's2' };
    await importSession(runner.sessions, await linesOf(from.runner), to, { by: DEV });
    expect(await runner.pending(to)).toMatchObject([{ requester: DEV, approvers: [{ role: 'manager' }] }]);
    const plain = { userId: 'bob', sessionId: 's3' };
    await importSession(runner.sessions, await linesOf(from.runner), plain);
    const [request] = await runner.pending(plain);
    expect([request?.requester, JSON.stringify(await eventsIn(runner, plain))]).toEqual([
      undefined,
      expect.not.stringContaining('cron') as string,
    ]);
  });

  it.each([false, true])(
    'runs nothing by an approval of a call that has not run; trusted: %s',
    async (isTrusted) => {
      const lines = await approvedLines('confirmation');
      const { runner, ran } = await desk({ role: 'manager' });
      await importSession(runner.sessions, lines, {}, { isTrusted });
      await eventsOf(runner.resume(address));
      expect(ran).toEqual(isTrusted ? ['mia'] : []);
      if (isTrusted) return;
      const [request] = await runner.pending(address);
      expect(request?.askedAgain?.reason).toBe('NOT_ON_RECORD');
      await eventsOf(runner.approve(request as never, { by: MAX }));
      expect(ran).toEqual(['max']);
    },
  );

  it.each([false, true])(
    'gives a tool no input that others than the requester had to give; trusted: %s',
    async (isTrusted) => {
      const lines = await approvedLines('input');
      const { runner, ran } = await desk({ role: 'manager' }, [says('Paid.')], 'input');
      await importSession(runner.sessions, lines, {}, { isTrusted });
      await eventsOf(runner.resume(address));
      expect(ran).toEqual(isTrusted ? ['because'] : []);
      expect(await runner.pending(address)).toHaveLength(isTrusted ? 0 : 1);
    },
  );

  it('has no approval for the session, and none of several', async () => {
    const own = await desk('requester', [callsTool('pay'), says('Paid.')]);
    await own.runner.run({ ...address, message: 'Pay.' });
    const [request] = await own.runner.pending(address);
    await eventsOf(own.runner.approve(request as never, { remember: 'session' }));
    const later = await desk('requester', [callsTool('pay'), says('Paid.')]);
    await importSession(later.runner.sessions, await linesOf(own.runner));
    await later.runner.run({ ...address, message: 'Pay.' });
    expect([later.ran, await later.runner.pending(address)]).toEqual([[], [expect.anything()]]);

    const two = { role: 'manager', count: 2 };
    const first = await desk(two);
    await first.runner.run({ ...address, message: 'Pay.' });
    await eventsOf(first.runner.approve((await first.runner.pending(address))[0] as never, { by: MIA }));
    const second = await desk(two, [says('Paid.')]);
    await importSession(second.runner.sessions, await linesOf(first.runner));
    await eventsOf(second.runner.approve((await second.runner.pending(address))[0] as never, { by: MAX }));
    expect([second.ran, (await second.runner.pending(address))[0]?.approvals]).toMatchObject([
      [],
      [{ by: { id: 'max' } }],
    ]);
  });

  it('keeps a rejection', async () => {
    const from = await desk({ role: 'manager' }, [callsTool('pay'), says('No.')]);
    await from.runner.run({ ...address, message: 'Pay.' });
    await eventsOf(from.runner.reject((await from.runner.pending(address))[0] as never, { by: MIA }));
    const lines = await linesOf(from.runner);
    const { runner } = await desk({ role: 'manager' });
    await importSession(runner.sessions, lines);
    expect(await runner.pending(address)).toEqual([]);
    expect((await eventsIn(runner, address)).at(-1)?.text).toBe('No.');
  });
});

async function desk(
  approvers: ApproverRule,
  steps: readonly ScriptedStep[] = [callsTool('pay'), says('Paid.')],
  kind: 'confirmation' | 'input' = 'confirmation',
) {
  const ran: unknown[] = [];
  const pay = new FunctionTool({
    ...{ name: 'pay', description: 'Pays.', parameters: { type: 'object', properties: {} } },
    ...(kind === 'confirmation' && { approvers, confirm: true }),
    idempotent: true,
    run: async (_args, context) =>
      void ran.push(
        kind === 'input'
          ? await context.requestInput({ message: 'Why?', approvers })
          : context.confirmation?.by,
      ),
  });
  const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools: [pay] });
  // Nobody goes on with the run that was exported: its process is not waited for.
  return { runner: await createRunner(Clerk, { config: { takeOverAfter: 0 } }), ran };
}

/** The lines of a session whose process died behind an answer of mia, before the call ran. */
async function approvedLines(kind: 'confirmation' | 'input'): Promise<string[]> {
  const { runner } = await desk({ role: 'manager' }, [callsTool('pay'), says('Paid.')], kind);
  await runner.run({ ...address, message: 'Pay.' });
  const [request] = await runner.pending(address);
  await eventsOf(
    kind === 'input'
      ? runner.supply(request as never, 'because', { by: MIA })
      : runner.approve(request as never, { by: MIA }),
  );
  const [heading = '', ...events] = await linesOf(runner);
  const answer = events.findLastIndex((line) => line.includes('"author":"user"'));
  const kept = events.slice(0, answer + 1);
  const { invocationId } = JSON.parse(kept.at(-1) ?? '') as { invocationId: string };
  const run = { id: invocationId, status: 'open', epoch: 2, openedAt: 1, attempts: 0 };
  return [JSON.stringify({ ...(JSON.parse(heading) as object), events: kept.length, run }), ...kept];
}

async function linesOf(runner: Runner): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportSession(runner.sessions, { appName: runner.appName, ...address }))
    lines.push(line);
  return lines;
}

async function eventsIn(runner: Runner, place: { readonly userId: string; readonly sessionId: string }) {
  return (await runner.sessions.getSession({ appName: runner.appName, ...place }))?.events ?? [];
}
