import { setTimeout } from 'node:timers/promises';

import { adornHandler } from '@adorn/server';
import { agent, LlmAgent, type Model, SaveFilesAsArtifactsPlugin, tool, ToolContext, ToolError } from 'adorn';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';

interface Person {
  readonly id: string;
  readonly roles: readonly string[];
}

/** Stands for the sessions of your application: who signed in with which cookie. */
const signedIn = new Map<string, Person>([
  ['cookie-of-ada', { id: 'ada', roles: [] }],
  ['cookie-of-mia', { id: 'mia', roles: ['manager'] }],
]);

/** What customers may have refunded by their own confirmation, in euros. */
const LIMIT = 100;

class Refunds {
  /**
   * Refund an order.
   * @param orderId Order number, such as "A-17".
   * @param euros Amount in euros. @exclusiveMinimum 0
   */
  @tool({
    effect: 'destructive',
    confirm: (orderId, euros) => `Refund ${String(euros)} EUR for order ${orderId}?`,
    approvers: (_orderId, euros) => (euros > LIMIT ? { role: 'manager' } : 'requester'),
  })
  refund(orderId: string, euros: number): { orderId: string; refunded: number } {
    return { orderId, refunded: euros };
  }

  /** Read a file that the user has sent. @param name Its name. */
  @tool({ effect: 'read' })
  async readUpload(name: string, context: ToolContext): Promise<{ text: string }> {
    const file = await context.loadArtifact(name);
    if (file === undefined) throw new ToolError(`There is no file ${name}.`);
    return { text: Buffer.from(file.inlineData?.data ?? '', 'base64').toString() };
  }
}

class Stock {
  /** Count the stock, which takes an hour. */
  @tool({ effect: 'read', timeout: 3_600_000 })
  async count(signal: AbortSignal): Promise<string> {
    await setTimeout(3_600_000, undefined, { signal });
    return 'counted';
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds, Stock] })
class Desk extends LlmAgent {}

/** The application: whoever is signed in talks to the desk at `/adorn/apps/desk/ui-messages`. */
export async function openDesk(model: Model) {
  const handler = await adornHandler(Desk, {
    authenticate: (_request, { user }: { user?: Person }) => user,
    runner: { model, plugins: [new SaveFilesAsArtifactsPlugin()] },
  });
  const app = new Hono<{ Variables: { user?: Person } }>();
  app.use(async (c, next) => {
    const user = signedIn.get(getCookie(c, 'session') ?? '');
    if (user !== undefined) c.set('user', user);
    await next();
  });
  app.all('/adorn/*', (c) => handler(c.req.raw, { user: c.get('user') }));
  return { app, close: () => handler.close() };
}
