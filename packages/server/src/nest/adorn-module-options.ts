import type { FactoryProvider, ModuleMetadata } from '@nestjs/common';

import type { AppSource, HandlerOptions } from '../server-options.js';

/** The options of `AdornModule.forRoot`: those of `adornHandler`, the applications and their path. */
export interface AdornModuleOptions extends Omit<HandlerOptions, 'basePath'> {
  /** Agent classes, whose tools get services of Nest, or runners. */
  readonly apps: AppSource | readonly AppSource[];
  /** The path of the endpoint. Default: `/agents`. */
  readonly path?: string;
}

/** The options of `AdornModule.forRootAsync`, as those of other modules of Nest. */
export interface AdornModuleAsyncOptions
  extends
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<AdornModuleOptions>, 'inject' | 'useFactory'> {}

export const ADORN_OPTIONS = Symbol('AdornModuleOptions');
