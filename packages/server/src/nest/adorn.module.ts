import { type DynamicModule, Module, type Provider } from '@nestjs/common';

import {
  ADORN_OPTIONS,
  type AdornModuleAsyncOptions,
  type AdornModuleOptions,
} from './adorn-module-options.js';
import { AdornService } from './adorn.service.js';

/**
 * Serves agents below a path of a Nest application. Tools inject providers of Nest, and may be providers themselves.
 *
 * ```ts
 * @Module({
 *   imports: [AdornModule.forRoot({ apps: Desk, authenticate: (_request, { user }: express.Request) => user?.id })],
 *   providers: [OrdersService],
 * })
 * class ShopModule {}
 * ```
 */
@Module({})
export class AdornModule {
  static forRoot(options: AdornModuleOptions): DynamicModule {
    return moduleWith({ provide: ADORN_OPTIONS, useValue: options });
  }

  static forRootAsync({ imports = [], inject = [], useFactory }: AdornModuleAsyncOptions): DynamicModule {
    return { ...moduleWith({ provide: ADORN_OPTIONS, inject, useFactory }), imports };
  }
}

function moduleWith(options: Provider): DynamicModule {
  return { module: AdornModule, providers: [options, AdornService], exports: [AdornService] };
}
