import 'reflect-metadata';

import { agent, ContainerModule, createRunner, LlmAgent, type Runner, tool } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { adornHandler } from '../adorn-handler.js';
import { createAdornClient } from '../client/index.js';
import { toNodeHandler } from './node-handler.js';

/** A service of the application, which Nest makes and closes. */
@Injectable()
class Ledger implements OnModuleDestroy {
  static made = 0;
  readonly refunds: string[] = [];
  isClosed = false;

  constructor() {
    Ledger.made += 1;
  }

  onModuleDestroy(): void {
    this.isClosed = true;
  }
}

/** Tools that Nest makes, with its own services. */
@Injectable()
class Refunds {
  constructor(@Inject(Ledger) private readonly ledger: Ledger) {}

  @tool({
    description: 'Refund an order.',
    confirm: 'Refund it?',
    parameters: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
  })
  refund({ orderId }: { orderId: string }): { refunded: string } {
    this.ledger.refunds.push(orderId);
    return { refunded: orderId };
  }
}

@agent({ model: 'scripted', description: 'Service desk.', tools: [Refunds] })
class Desk extends LlmAgent {}

@Module({ providers: [Ledger, Refunds] })
class ShopModule {}

describe('an endpoint of Nest', () => {
  it('gives the tools of an agent the services of Nest, and approves by the typed client', async () => {
    const app = await NestFactory.create(ShopModule, { logger: false });
    const services = new ContainerModule(({ bind }) => {
      bind(Refunds).toDynamicValue(() => app.get(Refunds));
    });
    const model = new ScriptedModel(callsTool('refund', { orderId: 'A' }), says('Refunded.'));
    const runner: Runner = await createRunner(Desk, { model, modules: [services] });
    const handler = await adornHandler(runner, {
      authenticate: (request) => request.headers.get('x-user') ?? undefined,
    });
    app.use('/agents', toNodeHandler(handler));
    await app.listen(0, '127.0.0.1');

    const client = createAdornClient(`${await app.getUrl()}/agents`, { headers: { 'x-user': 'ada' } });
    const chat = await client.createSession();
    const asked = await chat.send('Refund A');
    expect(app.get(Ledger).refunds).toEqual([]);
    const answered = await chat.approve(asked.pending[0]?.id ?? '');

    expect([asked.status, answered.text]).toEqual(['paused', 'Refunded.']);
    expect(app.get(Ledger).refunds).toEqual(['A']);
    expect(Ledger.made).toBe(1);

    const ledger = app.get(Ledger);
    await handler.close();
    await runner.close();
    expect(ledger.isClosed).toBe(false);
    await app.close();
    expect(ledger.isClosed).toBe(true);
  });
});
