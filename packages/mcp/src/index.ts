export { McpConfigInvalidError, McpServerUnavailableError } from './errors.js';
export { mcpToolset, type McpToolset } from './toolset/mcp.toolset.js';
export type {
  HttpServer,
  HttpToolsetOptions,
  McpConfirm,
  McpToolOptions,
  StdioServer,
  StdioToolsetOptions,
} from './toolset/mcp-toolset-options.js';
