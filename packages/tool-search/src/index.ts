export { ToolNotFoundYetError, ToolSearchOptionError } from './errors.js';
export type { SearchableOptions } from './options.js';
export { searchable } from './searchable.js';
export { ToolSearch } from './tool-search.js';
