import { standardWebhooks, trigger } from '@adorn/channels';
import { signal, sleep, waitFor, wakeSleepers } from '@adorn/schedules';
import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { agent, createRunner, LlmAgent, tool, ToolContext } from 'adorn';

/** A shop. */
class Shop {
  /**
   * Ship an order once it is paid, and ask two days later whether it has arrived.
   *
   * @param order The number of the order.
   */
  @tool({ effect: 'write' })
  async ship(order: string, context: ToolContext): Promise<string> {
    const { cents } = await waitFor<{ cents: number }>(context, `paid-${order}`, {
      schema: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
    });
    await sleep(context, '2d');
    return `Order ${order}, for ${String(cents)} cents, was paid two days ago. Ask whether it has arrived.`;
  }
}

/** Looks after orders. */
@agent({ model: 'gemini-2.5-flash', tools: [Shop] })
class Desk extends LlmAgent {}

interface Payment {
  readonly customer: string;
  readonly session: string;
  readonly order: string;
  readonly cents: number;
}

export async function start(url: string, secret: string) {
  const runner = await createRunner(Desk, { modules: [sqlStorage(url)] });
  wakeSleepers(runner);
  const paid = trigger('/hooks/payments', {
    verify: standardWebhooks(secret),
    to: async ({ id, body }) => {
      const { customer, session, order, cents } = body as Payment;
      const place = { userId: customer, sessionId: session };
      await signal(runner, place, `paid-${order}`, { cents }, { id });
      return undefined;
    },
  });
  return serve(runner, { endpoints: [paid] });
}
