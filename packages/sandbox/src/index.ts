export { SandboxFailedError, type SandboxLimits, SandboxOptionInvalidError } from './options.js';
export { quickJs, type QuickJsOptions } from './quick-js/quick-js.executor.js';
