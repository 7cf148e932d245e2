export {
  McpConfigInvalidError,
  McpRequestFailedError,
  McpServerUnavailableError,
  McpUiInvalidError,
} from './errors.js';
export type { McpPrompt, McpResource } from './toolset/server-content.js';
export { type McpContext, mcpToolset, type McpToolset } from './toolset/mcp.toolset.js';
export type {
  HttpServer,
  HttpToolsetOptions,
  McpAnswer,
  McpAnswerer,
  McpConfirm,
  McpToolOptions,
  StdioServer,
  StdioToolsetOptions,
} from './toolset/mcp-toolset-options.js';
export { type McpOAuth, mcpOAuth } from './oauth/mcp-oauth.js';
export type { McpOAuthOptions } from './oauth/oauth-options.js';
export { type McpCaller, mcpCaller } from './server/mcp-caller.js';
export { type McpServing, serveMcp } from './server/serve-mcp.js';
export type {
  ServedPrompt,
  ServedPromptArgument,
  ServedPromptMessage,
  ServedResource,
  ServeEndpointOptions,
  ServeHttpOptions,
  ServeMcpOptions,
} from './server/serve-options.js';
