export { AdornModule } from './adorn.module.js';
export type { AdornModuleAsyncOptions, AdornModuleOptions } from './adorn-module-options.js';
export { AdornService } from './adorn.service.js';
