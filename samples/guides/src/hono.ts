import { adornHandler } from '@adorn/server';
import { readFrames } from '@adorn/server/client';
import { OfflineModel } from '@adorn/testing';
import { agent, LlmAgent, tool, type ToolContext } from 'adorn';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';

interface Person {
  readonly id: string;
  readonly roles: readonly string[];
}

/** Stands for the sessions of your application: who signed in with which cookie. */
const signedIn = new Map<string, Person>([['cookie-of-ada', { id: 'ada', roles: ['manager'] }]]);

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string, { userId }: ToolContext): { orderId: string; askedBy: string } {
    return { orderId, askedBy: userId };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const handler = await adornHandler(Desk, {
  authenticate: (_request, { user }: { user?: Person }) => user,
  runner: { model: new OfflineModel() },
});

const app = new Hono<{ Variables: { user?: Person } }>();
app.use(async (c, next) => {
  const user = signedIn.get(getCookie(c, 'session') ?? '');
  if (user !== undefined) c.set('user', user);
  await next();
});
app.all('/adorn/*', (c) => handler(c.req.raw, { user: c.get('user') }));

const post = (path: string, body: object, cookie = 'session=cookie-of-ada') =>
  app.request(`http://localhost/adorn/apps/desk${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
console.log('without a cookie:', (await post('/sessions', { id: 's1' }, '')).status);
console.log('with that of Ada:', (await post('/sessions', { id: 's1' })).status);
const response = await post('/sessions/s1/runs', { message: 'Find order A-17' });
for await (const frame of readFrames(response)) {
  if (frame.kind === 'result') console.log('result:', frame.response);
  if (frame.kind === 'end') console.log('end:', frame.status);
}
await handler.close();
