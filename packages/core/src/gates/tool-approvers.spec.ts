import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { ApproverRule, PrincipalInput } from '../backend.js';
import {
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  type PendingRequest,
  type Runner,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const MIA = { id: 'mia', roles: ['manager'] };
const DORA = { id: 'dora', roles: ['manager', 'director'] };
const FIELDS = {
  name: 'pay',
  description: 'Pays.',
  parameters: { type: 'object', properties: { cents: { type: 'number' } } },
} as const;

describe('approvers of a tool', () => {
  it.each(['confirm', 'run'] as const)(
    'are judged again behind the answer to what %s asked, by the rule as it is then',
    async (asks) => {
      let role = 'manager';
      const ran: string[] = [];
      const tool = new FunctionTool({
        ...FIELDS,
        approvers: () => ({ role }),
        confirm: asks === 'confirm' ? 'Pay?' : false,
        run: (_args, context) => {
          if (asks === 'run') context.requestConfirmation('Really?');
          ran.push('paid');
        },
      });
      const runner = await runnerOf(tool);
      await runner.run({ ...address, message: 'Pay.', by: 'ada' });
      const request = await only(runner);
      role = 'director';

      await eventsOf(runner.approve(request, { by: MIA }));

      expect(ran).toEqual([]);
      const again = await only(runner);
      expect([again.id === request.id, again.approvers]).toEqual([false, [{ role: 'director' }]]);
      await expect(runner.approve(again, { by: MIA })).rejects.toMatchObject({
        code: 'APPROVER_NOT_ALLOWED',
      });
      await eventsOf(runner.approve(again, { by: DORA }));
      expect(ran).toEqual(['paid']);
    },
  );

  it.each<[ApproverRule | undefined, PrincipalInput | undefined, 'ran' | 'waits']>([
    [undefined, undefined, 'ran'],
    [undefined, 'a program', 'ran'],
    ['requester', undefined, 'ran'],
    ['requester', 'a program', 'waits'],
    ['others', undefined, 'waits'],
    ['others', 'a program', 'ran'],
    [{ role: 'manager' }, 'mia', 'waits'],
    [{ role: 'manager' }, MIA, 'ran'],
    [{ role: 'manager', count: 2 }, MIA, 'waits'],
    [{ role: 'director' }, MIA, 'waits'],
  ])('%j let a ConfirmationProvider that decides for %j decide alone: it %s', async (approvers, by, came) => {
    const ran: string[] = [];
    const tool = new FunctionTool({
      ...FIELDS,
      confirm: true,
      ...(approvers && { approvers }),
      run: () => void ran.push('paid'),
    });
    class Deciding extends ConfirmationProvider {
      decide() {
        return { confirmed: true, ...(by !== undefined && { by }) };
      }
    }
    const runner = await runnerOf(tool, new Deciding());
    await runner.run({ ...address, message: 'Pay.', by: 'ada' });
    const waiting = await runner.pending(address);
    expect([ran, waiting.length]).toEqual(came === 'ran' ? [['paid'], 0] : [[], 1]);
  });
});

async function runnerOf(tool: FunctionTool, provider?: ConfirmationProvider): Promise<Runner<unknown>> {
  const model = new ScriptedModel(callsTool('pay', { cents: 500 }), says('Done.'), says('Done.'));
  const Clerk = defineAgent({ name: 'clerk', model, tools: [tool] });
  const deciding = new ContainerModule(({ bind }) => {
    if (provider) bind(ConfirmationProvider).toConstantValue(provider);
  });
  return createRunner<unknown>(Clerk, { modules: [deciding] });
}

async function only(runner: Runner<unknown>): Promise<PendingRequest> {
  const requests = await runner.pending(address);
  expect(requests).toHaveLength(1);
  return requests[0] as PendingRequest;
}
