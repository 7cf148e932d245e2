import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import type { ApproverRule } from '@adorn/core/backend';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { runAfter, type UserAnswer } from './client-questions.js';

const ADA = { id: 'ada', roles: ['manager'], attributes: {} };
const APPROVERS: readonly (ApproverRule | undefined)[] = [
  undefined,
  'requester',
  { role: 'manager', self: true },
];

describe('a call that nobody has answered', () => {
  describe.each<[string, UserAnswer]>([
    ['in time', undefined],
    ['because the client cannot ask', 'unasked'],
  ])('%s', (_why, answered) => {
    it.each(APPROVERS)(
      'is rejected by the server, not in the name of a person: approvers %j',
      async (approvers) => {
        expect(await answererOf(answered, approvers)).toBe('mcp-server');
      },
    );
  });

  it('is told from one that its user has refused', async () => {
    expect(await answererOf({ action: 'decline' }, 'requester')).toBe('ada');
  });
});

/** Who has answered the request, as the log says. */
async function answererOf(answered: UserAnswer, approvers: ApproverRule | undefined): Promise<unknown> {
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    confirm: true,
    parameters: { type: 'object', properties: {} },
    ...(approvers !== undefined && { approvers }),
    run: () => 'paid',
  });
  const model = new ScriptedModel(callsTool('pay'), says('Not paid.'));
  await using runner = await createRunner(defineAgent({ name: 'desk', tools: [pay] }), { model });
  const address = { userId: 'ada', sessionId: 's1' };
  const { pending } = await runner.run({ ...address, message: 'Pay.', by: ADA });
  const [request] = pending;
  if (!request) throw new Error('Nothing is pending.');
  await runAfter(answered, request, { runner, by: ADA, signal: new AbortController().signal })?.run;
  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  const answer = session?.events
    .filter(({ author }) => author === 'user')
    .flatMap(({ functionResponses }) => functionResponses)
    .at(-1);
  const by: unknown = answer?.response?.['by'];
  return typeof by === 'object' && by !== null ? (by as { id?: unknown }).id : by;
}
