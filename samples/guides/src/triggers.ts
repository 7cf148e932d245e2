import { hmac, standardWebhooks, trigger } from '@adorn/channels';
import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Looks after orders. */
@agent({ model: 'gemini-2.5-flash' })
class Desk extends LlmAgent {}

/** Reads what the shop has sent: it is signed, and it still comes from outside. */
function orderIn(body: unknown): string {
  const { order } = Object(body) as { readonly order?: unknown };
  if (typeof order !== 'string') throw new Error('The shop names no order.');
  return order;
}

export async function start(url: string, secrets: { readonly shop: string; readonly github: string }) {
  const paid = trigger('/hooks/shop', {
    verify: standardWebhooks(secrets.shop),
    to: ({ body }) => {
      const order = orderIn(body);
      return {
        userId: 'shop',
        sessionId: `order-${order}`,
        message: `Order ${order} was paid. Have it sent.`,
      };
    },
  });
  const issues = trigger('/hooks/github', {
    verify: hmac({ secret: secrets.github, header: 'x-hub-signature-256', prefix: 'sha256=' }),
    to: ({ headers, body }) =>
      headers.get('x-github-event') === 'issues'
        ? { userId: 'team', message: `Label this issue: ${JSON.stringify(body)}` }
        : undefined,
  });
  const runner = await createRunner(Desk, { modules: [sqlStorage(url)] });
  return serve(runner, { endpoints: [paid, issues] });
}
