import { hmac } from '@adorn/channels';
import { authenticationResults, email, rawMail } from '@adorn/channels/email';
import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

/** Refunds orders. */
class Orders {
  /**
   * Refund an order.
   *
   * @param order The number of the order.
   */
  @tool({ effect: 'destructive', approvers: { role: 'manager' } })
  refund(order: string): string {
    return `refunded ${order}`;
  }
}

/** Helps customers with their orders. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Support extends LlmAgent {}

const managers = ['mia@shop.example'];

export async function start(url: string, secrets: { readonly worker: string; readonly ids: string }) {
  const desk = email({
    address: 'desk@shop.example',
    delivery: rawMail(hmac({ secret: secrets.worker, header: 'x-signature' })),
    sender: authenticationResults('mx.shop.example'),
    smtp: 'smtps://desk:password@smtp.shop.example',
    secret: secrets.ids,
    principal: ({ id }) => ({ id, roles: managers.includes(id) ? ['manager'] : [] }),
    questionsTo: () => managers,
  });
  const runner = await createRunner(Support, { plugins: [desk], modules: [sqlStorage(url)] });
  return serve(runner, { endpoints: [desk] });
}
