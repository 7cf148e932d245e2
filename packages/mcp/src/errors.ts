import { AdornError } from '@adorn/core';

import type { ServerFailure } from './toolset/server-failure.js';

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

  /** @param server its name in messages, without secrets */
  constructor(server: string, { reason, cure }: ServerFailure, options?: ErrorOptions) {
    super(`The MCP server ${server} is not available: ${reason}. ${cure}`, options);
  }
}

/** An MCP server refused a request, failed at it, or will never answer it. */
export class McpRequestFailedError extends AdornError {
  readonly code = 'MCP_REQUEST_FAILED';

  /** @param server its name in messages, without secrets */
  constructor(
    readonly server: string,
    readonly failure: ServerFailure,
    options?: ErrorOptions,
  ) {
    const { kind, reason, cure } = failure;
    super(`The MCP server ${server} ${DEEDS[kind]} a request: ${reason}. ${cure}`, options);
  }
}

/** An MCP server gives no page of MCP Apps for an address. */
export class McpUiInvalidError extends AdornError {
  readonly code = 'UI_INVALID';

  /** @param server its name in messages, without secrets */
  constructor(server: string, uri: string, fault: string) {
    super(
      `The MCP server ${server} has no page at ${JSON.stringify(uri.slice(0, 256))}: ${fault}. ` +
        'Have it give HTML with the type text/html;profile=mcp-app.',
    );
  }
}

const DEEDS: Readonly<Record<ServerFailure['kind'], string>> = {
  refused: 'refused',
  unauthorised: 'refused',
  failed: 'failed at',
  unanswered: 'did not answer',
};
