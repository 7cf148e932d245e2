import 'reflect-metadata';

import { agent, inject, LlmAgent, tool } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { Inject, Injectable, Module, type OnModuleDestroy, Scope, type Type } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { createAdornClient } from '../client/index.js';
import { AdornModule } from './adorn.module.js';
import { AdornService } from './adorn.service.js';

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

/** A service that belongs to an HTTP request. */
@Injectable({ scope: Scope.REQUEST })
class RequestLog {}

const ORDER = {
  type: 'object',
  properties: { orderId: { type: 'string' } },
  required: ['orderId'],
} as const;

/** Tools that Adorn makes, with a service of Nest. */
class Refunds {
  constructor(@inject(Ledger) private readonly ledger: Ledger) {}

  @tool({ description: 'Refund an order.', confirm: 'Refund it?', parameters: ORDER })
  refund({ orderId }: { orderId: string }): { refunded: string } {
    this.ledger.refunds.push(orderId);
    return { refunded: orderId };
  }
}

/** Tools that are a provider of Nest. */
@Injectable()
class Audits {
  constructor(@Inject(Ledger) private readonly ledger: Ledger) {}

  @tool({ description: 'Count the refunds.', effect: 'read', parameters: { type: 'object', properties: {} } })
  countRefunds(): { count: number } {
    return { count: this.ledger.refunds.length };
  }
}

@agent({ model: 'scripted', description: 'Service desk.', tools: [Refunds, Audits] })
class Desk extends LlmAgent {}

@Module({ providers: [Ledger, Audits, RequestLog], exports: [Ledger] })
class ShopModule {}

const SCRIPT = [callsTool('refund', { orderId: 'A' }), callsTool('count_refunds'), says('One.')];
const authenticate = ({ headers }: Request) => headers.get('x-user') ?? undefined;

function options() {
  return { apps: Desk, authenticate, runner: { model: new ScriptedModel(...SCRIPT) } };
}

/** Each has a script of its own. */
function syncModule(): Type {
  @Module({ imports: [ShopModule, AdornModule.forRoot(options())] })
  class SyncModule {}
  return SyncModule;
}

@Injectable()
class Settings {
  readonly path = '/desk';
}

@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

@Module({
  imports: [
    ShopModule,
    AdornModule.forRootAsync({
      imports: [SettingsModule],
      inject: [Settings],
      useFactory: async ({ path }: Settings) => Promise.resolve({ ...options(), path }),
    }),
  ],
})
class AsyncModule {}

describe('AdornModule', () => {
  it.each<[string, Type, string, () => AbstractHttpAdapter]>([
    ['forRoot on Express', syncModule(), '/agents', () => new ExpressAdapter()],
    ['forRootAsync on Express', AsyncModule, '/desk', () => new ExpressAdapter()],
    ['forRoot on Fastify', syncModule(), '/agents', () => new FastifyAdapter()],
    ['forRootAsync on Fastify', AsyncModule, '/desk', () => new FastifyAdapter()],
  ])('%s serves an agent whose tools have the services of Nest', async (_name, module, path, adapter) => {
    Ledger.made = 0;
    const app = await NestFactory.create(module, adapter(), { logger: false, forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    const ledger = app.get(Ledger, { strict: false });
    const client = createAdornClient(`${await app.getUrl()}${path}`, { headers: { 'x-user': 'ada' } });
    const chat = await client.createSession();
    const asked = await chat.send('Refund A');
    expect([asked.status, ledger.refunds]).toEqual(['paused', []]);
    const answered = await chat.approve(asked.pending[0]?.id ?? '');

    expect([answered.text, ledger.refunds, Ledger.made]).toEqual(['One.', ['A'], 1]);
    const own = app.get(AdornService, { strict: false }).runner();
    expect(own.appName).toBe('desk');
    await app.close();
    expect(ledger.isClosed).toBe(true);
    await expect(Promise.resolve(own.run({ userId: 'ada', message: 'Hi' }))).rejects.toMatchObject({
      code: 'RUNNER_CLOSED',
    });
  });

  it.each([
    ['Express', () => new ExpressAdapter()],
    ['Fastify', () => new FastifyAdapter()],
  ])('refuses a request without a user, and has no routes beside its path, on %s', async (_name, adapter) => {
    const app = await NestFactory.create(syncModule(), adapter(), {
      logger: false,
      forceCloseConnections: true,
    });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    expect((await fetch(`${url}/agents/list-apps`)).status).toBe(401);
    expect((await fetch(`${url}/list-apps`, { headers: { 'x-user': 'ada' } })).status).toBe(404);
    await app.close();
  });

  it.each([
    ['an unknown option', { pth: '/x' }, /pth/],
    ['a path that is none', { path: 'agents' }, /"path" is "agents"/],
    ['nobody who says who may call', { authenticate: undefined }, /authenticate/],
  ])('does not start with %s', async (_what, fault, message) => {
    @Module({ imports: [ShopModule, AdornModule.forRoot({ ...options(), ...fault })] })
    class Wrong {}
    const app = await NestFactory.create(Wrong, { logger: false, abortOnError: false });
    await expect(app.init()).rejects.toThrow(message);
    await app.close();
  });

  it('names the applications if there is none of a name', async () => {
    const context = await NestFactory.createApplicationContext(syncModule(), { logger: false });
    expect(() => context.get(AdornService, { strict: false }).runner('other')).toThrow(/There are: desk/);
    await context.close();
  });
});
