export { SandboxFailedError, type SandboxLimits, SandboxOptionInvalidError } from './options.js';
export { quickJs, type QuickJsOptions } from './quick-js/quick-js.executor.js';
export { bubblewrap, type BubblewrapOptions } from './processes/bubblewrap.executor.js';
export { docker, dockerArguments, type DockerOptions } from './processes/docker.executor.js';
export { pyodide, type PyodideOptions } from './pyodide/pyodide.executor.js';
