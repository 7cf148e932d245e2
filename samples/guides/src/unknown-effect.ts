import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, ToolContext } from 'adorn';

/** A bank that pays, and whose answer is lost. */
class Bank {
  private readonly payments = new Map<string, string>();

  pay(order: string, key: string): never {
    this.payments.set(key, `R-${order}`);
    throw new Error('the line broke');
  }

  /** The receipt of a payment; undefined if it was not made. */
  find(key: string): string | undefined {
    return this.payments.get(key);
  }
}

const bank = new Bank();

class Payments {
  /** Pays an order back. @param order the number of the order */
  @tool({
    effect: 'write',
    once: (order) => ({ order }),
    reconcile: (_order: string, { idempotencyKey }: ToolContext) => {
      const receipt = bank.find(idempotencyKey);
      return receipt === undefined ? undefined : { receipt };
    },
  })
  refund(order: string, { idempotencyKey }: ToolContext): { receipt: string } {
    return bank.pay(order, idempotencyKey);
  }

  /** Sends a cheque. @param order the number of the order */
  @tool({ effect: 'write', once: (order) => ({ order }), approvers: { role: 'lead' }, confirm: false })
  sendCheque(order: string): { cheque: string } {
    throw new Error(`the printer has not answered for ${order}`);
  }
}

// Each is called twice, in two conversations.
const twice = (name: string) =>
  [1, 2].flatMap(() => [callsTool(name, { order: 'A-17' }), says('I have asked for it.')]);
const model = new ScriptedModel(
  ...twice('refund'),
  ...twice('send_cheque'),
  callsTool('send_cheque', { order: 'A-17' }),
  says('The cheque is in the post.'),
);

@agent({ model, tools: [Payments] })
class Desk extends LlmAgent {}

// Calls that fail are logged; this program shows only what it is about.
console.warn = console.error = () => undefined;
await using runner = await createRunner(Desk);

async function ask(sessionId: string): Promise<Record<string, unknown> | undefined> {
  const { events } = await runner.run({ userId: 'ada', sessionId, message: 'My money back, please.' });
  return events.flatMap(({ functionResponses }) => functionResponses).at(0)?.response;
}

await ask('s1');
console.log('found by reconcile:', (await ask('s2'))?.['receipt']);
await ask('s3');
console.log('outcome:', (await ask('s4'))?.['outcome']);

for (const effect of await runner.unknownEffects()) {
  console.log(effect.tool, effect.call?.args, effect.by);
  const mia = { id: 'mia', roles: ['lead'] };
  await runner.settleEffect(effect, {
    by: mia,
    happened: true,
    result: { cheque: 'C-9' },
    reason: 'It is in the post book.',
  });
}
console.log('settled:', (await ask('s5'))?.['cheque']);
