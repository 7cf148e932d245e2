import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Refunds {
  /**
   * Pay an order back.
   * @param order its number
   * @param euros what is paid back
   */
  @tool({ effect: 'destructive', approvers: { role: 'manager' } })
  refund(order: string, euros: number): { paid: number; order: string } {
    return { paid: euros, order };
  }
}

/** Refunds orders. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('refund', { order: 'A-17', euros: 90 }),
  callsTool('refund', { order: 'B-4', euros: 20 }),
  says('Paid back.'),
);
await using runner = await createRunner(Desk, { model });

const ada = { id: 'ada', tenant: 'acme' };
const bob = { id: 'bob', tenant: 'acme' };
const mia = { id: 'mia', roles: ['manager'], tenant: 'acme' };

await runner.run({ userId: 'ada', sessionId: 'may', message: 'My lamp is broken.', by: ada });
await runner.run({ userId: 'bob', sessionId: 'june', message: 'I want my money.', by: bob });

console.log('of all users:', await listed());
for (const who of [ada, { ...mia, tenant: 'globex' }, mia])
  console.log(`for ${who.id} of ${who.tenant}:`, await listed({ for: who }));

const [request] = (await runner.inbox({ for: mia, tool: 'refund' })).requests;
if (request) console.log((await runner.approve(request, { by: mia })).text);

const leaving = new AbortController();
for await (const { kind, request: one } of runner.watchInbox({ for: mia }, { signal: leaving.signal })) {
  console.log(kind, one.userId, one.args);
  leaving.abort();
}

async function listed(filter?: Parameters<typeof runner.inbox>[0]) {
  const { requests } = await runner.inbox(filter);
  return requests.map(({ userId, args }) => [userId, args['order']]);
}
