/* eslint-disable @typescript-eslint/no-deprecated -- hono's announced package for Lambda is not published yet */
import { adornHandler } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { agent, LlmAgent, tool } from 'adorn';
import { chooseModel } from 'adorn/main';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: 'shipped' };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const { DATABASE_URL = 'memory:', KEY_OF_SHOP = 'secret' } = process.env;

// At the first request of an instance; the following ones find it.
const agents = await adornHandler(Desk, {
  allowedHosts: 'any', // API Gateway has checked the name
  authenticate: ({ headers }) => (headers.get('x-key') === KEY_OF_SHOP ? 'shop' : undefined),
  runner: {
    model: chooseModel().model, // with NODE_ENV=production it refuses to start without a key
    modules: DATABASE_URL === 'memory:' ? [] : [sqlStorage(DATABASE_URL)],
  },
});

const app = new Hono();
app.all('*', (c) => agents(c.req.raw));

/** What Lambda calls for each request of API Gateway, or of a function URL. */
export const handler = handle(app);
