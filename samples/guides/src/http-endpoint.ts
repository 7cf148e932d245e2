import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

import { sqlStorage } from '@adorn/storage';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, type Event, LlmAgent, tool } from 'adorn';

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: 'shipped' };
  }

  /** Recount the stock, which takes a minute. */
  @tool({ effect: 'read', timeout: 90_000 })
  async recountStock(signal: AbortSignal): Promise<string> {
    await setTimeout(60_000, undefined, { signal });
    return 'complete';
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const runner = await createRunner(Desk, {
  modules: [sqlStorage('desk.db')],
  model: new OfflineModel(),
  config: { streaming: 'sse' },
});
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(process.env['PORT'] ?? 8080));

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    void runner.close();
  });
}

/** `POST /sessions/{id}/messages` with `{ message }`: the events of the run, as server-sent events. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const userId = userOf(request);
  if (userId === undefined) return void response.writeHead(401).end();
  const [, sessionId] = /^\/sessions\/([\w-]+)\/messages$/.exec(request.url ?? '') ?? [];
  if (request.method !== 'POST' || sessionId === undefined) return void response.writeHead(404).end();
  const { message } = (await json(request)) as { message: string };

  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const run = runner.run({ userId, sessionId, message, signal: disconnected.signal });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  await pipeline(serverSentEvents(run), response).catch((error: unknown) => {
    if (!disconnected.signal.aborted) throw error;
  });
}

/** Who calls. Replace it with the sessions or tokens of your application; never take the user from the body. */
function userOf({ headers }: IncomingMessage): string | undefined {
  return { 'Bearer token-of-ada': 'ada', 'Bearer token-of-grace': 'grace' }[headers.authorization ?? ''];
}

async function* serverSentEvents(events: AsyncIterable<Event>): AsyncGenerator<string, void, undefined> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
