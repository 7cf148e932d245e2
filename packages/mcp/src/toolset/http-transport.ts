import type { AuthCredential } from '@adorn/core';

import { boundedFetch } from './bounded-fetch.js';
import type { OpenedTransport } from './mcp-connection.js';
import type { HttpServer } from './mcp-toolset-options.js';

/** How a stream that broke is taken up again, by the id of its last event. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

/** A transport for streamable HTTP, with the credential that is current at each request. */
export async function openHttp(
  { url, headers = {} }: HttpServer,
  options: { readonly maxMessageBytes: number; readonly credential: () => AuthCredential | undefined },
): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers }, redirect: 'error' },
    fetch: boundedFetch(options.maxMessageBytes, () => authorization(options.credential())),
    reconnectionOptions: RECONNECTION,
  });
  return { transport, endSession: () => transport.terminateSession() };
}

function authorization(credential: AuthCredential | undefined): Record<string, string> {
  switch (credential?.type) {
    case 'bearer':
      return { authorization: `Bearer ${credential.token}` };
    case 'oauth2':
      return { authorization: `Bearer ${credential.accessToken}` };
    case 'apiKey':
      return { authorization: `Bearer ${credential.apiKey}` };
    case 'basic': {
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    default:
      return {};
  }
}
