import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { ContainerModule, InMemorySessionService, SessionService } from '@adorn/core';

import { adornHandler } from '../adorn-handler.js';
import { openDesk } from '../desk.fixture.js';
import { InboxWebhook, webhookSignature } from './inbox-webhook.js';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An address that is told of requests. It answers with the statuses of its script, and then with 204. */
class Receiver implements AsyncDisposable {
  readonly all: Delivery[] = [];
  private readonly waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly statuses: number[],
  ) {}

  static async open(...statuses: number[]): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, statuses);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        receiver.all.push({ headers: request.headers, body });
        response.writeHead(receiver.statuses.shift() ?? 204, { location: '/elsewhere' }).end();
        for (const wake of receiver.waiting.splice(0)) wake();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/hook`;
  }

  async deliveries(count: number): Promise<readonly Delivery[]> {
    while (this.all.length < count)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    return this.all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

const silent = { warn: () => undefined, error: () => undefined };

function toldOf({ body }: Delivery): readonly unknown[] {
  const { type, data } = JSON.parse(body) as {
    type: string;
    data: { app: string; request: { tool: string; args: object } };
  };
  return [type, data.app, data.request.tool, data.request.args];
}

describe('the webhook of an inbox', () => {
  it('signs what Standard Webhooks sign, with the secret of their example', () => {
    const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';

    expect(webhookSignature(content, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(
      'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('tells that a request waits, and that it does no more, repeated until it is accepted', async () => {
    await using receiver = await Receiver.open(500, 302);
    const runner = await openDesk([]);
    await runner.call({ tool: 'refund', args: { orderId: '7' }, userId: 'ada', sessionId: 's1' });
    const webhook = new InboxWebhook(runner, { url: receiver.url, secret: SECRET }, silent, [1, 1, 1]);

    const [first, second, third] = await receiver.deliveries(3);
    expect(toldOf(first!)).toEqual(['inbox.opened', 'desk', 'refund', { orderId: '7' }]);
    expect([second!.body, third!.body]).toEqual([first!.body, first!.body]);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = third!.headers;
    expect(id).toBe(first!.headers['webhook-id']);
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(`${String(id)}.${String(at)}.${third!.body}`);
    expect(signature).toBe(`v1,${signed.digest('base64')}`);

    const [request] = (await runner.inbox()).requests;
    await runner.approve(request!);
    const told = await receiver.deliveries(4);
    expect(toldOf(told[3]!)[0]).toBe('inbox.closed');
    expect(told[3]!.headers['webhook-id']).not.toBe(id);
    await webhook.close();
    await runner.close();
  });

  it('tells what another process could not deliver, by the same id, and then no more', async () => {
    const store = new InMemorySessionService();
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
    await using receiver = await Receiver.open(500, 500);
    const address = { url: receiver.url, secret: SECRET };
    const asking = await openDesk([], { modules });
    await asking.call({ tool: 'refund', args: { orderId: '7' }, userId: 'ada', sessionId: 's1' });
    const lost: string[] = [];
    const logger = { ...silent, error: (text: string) => void lost.push(text) };
    const first = new InboxWebhook(asking, address, logger, [1]);
    await receiver.deliveries(2);
    await first.close();
    await asking.close();

    const other = await openDesk([], { modules });
    const second = new InboxWebhook(other, address, silent, [1]);
    await receiver.deliveries(3);
    await second.close();
    await other.close();

    const ids = receiver.all.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  it.each([
    [{ url: 'ftp://example.com', secret: SECRET }, 'url'],
    [{ url: 'https://example.com', secret: 'short' }, 'secret'],
    [{ url: 'https://example.com', secret: SECRET, retries: 3 }, 'retries'],
  ])('is refused with %j', async (inboxWebhook, named) => {
    const runner = await openDesk([]);
    const opened = adornHandler(runner, { token: 'a token of the developer', inboxWebhook });

    await expect(opened).rejects.toMatchObject({ code: 'SERVER_OPTION_INVALID' });
    await expect(opened).rejects.toThrow(named);
    await runner.close();
  });
});
