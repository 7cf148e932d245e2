import { AdornError } from '@adorn/core';

/** An option of `mcpToolset` or `serveMcp` does not exist, or has a value that cannot be used. */
export class McpConfigInvalidError extends AdornError {
  readonly code = 'MCP_CONFIG_INVALID';

  /** @param fault what is wrong, without a period; without secrets */
  constructor(caller: string, fault: string, cure: string) {
    super(`${caller}: ${fault}. ${cure}`);
  }
}

/** An MCP server could not be started, reached or initialised. */
export class McpServerUnavailableError extends AdornError {
  readonly code = 'MCP_SERVER_UNAVAILABLE';

  /** @param server the command, or the origin of the URL */
  constructor(server: string, reason: string, options?: ErrorOptions) {
    super(
      `The MCP server ${server} is not available: ${reason}. Check that it runs and that its command or URL is right.`,
      options,
    );
  }
}
