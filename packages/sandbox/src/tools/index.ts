export { codeMode, type CodeModeOptions } from './code-mode.tool.js';
export { runCode, type RunCodeOptions } from './run-code.tool.js';
export { mediaTypeOf } from '../media-type.js';
