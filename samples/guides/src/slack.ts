import { slack } from '@adorn/channels';
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

/** The people of the team, by their ids at Slack. */
const people: Readonly<Record<string, { id: string; roles: string[] }>> = {
  U061F7AUR: { id: 'ada', roles: [] },
  U012AB3CD: { id: 'mia', roles: ['manager'] },
};

export async function start(url: string, app: { readonly signingSecret: string; readonly botToken: string }) {
  const desk = slack({ ...app, principal: ({ id }) => people[id] });
  const runner = await createRunner(Support, { plugins: [desk], modules: [sqlStorage(url)] });
  return serve(runner, { endpoints: [desk] });
}
