import 'reflect-metadata';

import { Inject, Injectable, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import { OfflineModel } from '@adorn/testing';
import { agent, ContainerModule, createRunner, inject, LlmAgent, Runner, tool } from 'adorn';

/** A service of the Nest application, which controllers use as well. */
@Injectable()
class OrdersService {
  statusOf(orderId: string): string {
    return orderId === 'A-17' ? 'shipped' : 'unknown';
  }
}

/** A tool class of Adorn. It injects the service of Nest. */
class OrderTools {
  constructor(@inject(OrdersService) private readonly orders: OrdersService) {}

  /** Find out how far an order is. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  trackOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: this.orders.statusOf(orderId) };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [OrderTools] })
class Desk extends LlmAgent {}

/** Binds services of Nest as services of Adorn, under the same classes. */
function fromNest(nest: ModuleRef, ...services: readonly Type[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const service of services)
      bind(service).toDynamicValue(() => nest.get<object>(service, { strict: false }));
  });
}

/** What a controller injects. */
@Injectable()
class DeskService implements OnApplicationShutdown {
  constructor(@Inject(Runner) private readonly runner: Runner) {}

  answer(userId: string, message: string): Promise<string> {
    return this.runner.ask(message, { userId });
  }

  onApplicationShutdown(): Promise<void> {
    return this.runner.close();
  }
}

@Module({
  providers: [
    OrdersService,
    DeskService,
    {
      provide: Runner,
      inject: [ModuleRef],
      useFactory: (nest: ModuleRef) =>
        createRunner(Desk, { modules: [fromNest(nest, OrdersService)], model: new OfflineModel() }),
    },
  ],
  exports: [DeskService],
})
class DeskModule {}

const app = await NestFactory.createApplicationContext(DeskModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
console.log(await app.get(DeskService).answer('ada', 'Track order A-17'));
await app.close();
