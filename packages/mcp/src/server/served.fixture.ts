import type { ToolSource } from '@adorn/core/backend';
import { Client, type ClientOptions, InMemoryTransport } from '@modelcontextprotocol/client';

import { type McpServing, serveMcp } from './serve-mcp.js';
import type { ServeMcpOptions } from './serve-options.js';

/** A client that is connected to a server in this process. */
export interface ServedClient {
  readonly serving: McpServing;
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** Serves tools to one client, whose user answers questions as `answer` does. */
export async function serveTo(
  source: Parameters<typeof serveMcp>[0] | readonly ToolSource[],
  options: ServeMcpOptions = {},
  answer?: (params: Readonly<Record<string, unknown>>) => unknown,
): Promise<ServedClient> {
  const serving = await serveMcp(source, options);
  const client = newClient(answer);
  const [one, other] = InMemoryTransport.createLinkedPair();
  await serving.connect(one);
  await client.connect(other);
  return {
    ...{ serving, client },
    close: async () => {
      await client.close();
      await serving.close();
    },
  };
}

/** A client whose user answers questions as `answer` does; one that cannot ask without it. */
export function newClient(answer?: (params: Readonly<Record<string, unknown>>) => unknown): Client {
  const capabilities: ClientOptions['capabilities'] = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'spec', version: '1' }, { capabilities });
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params) as { action: 'accept' });
  return client;
}

/** The text of a result, and whether it is an error. */
export function told({
  content,
  isError,
}: {
  readonly content?: unknown;
  readonly isError?: unknown;
}): unknown[] {
  const [block] = (content ?? []) as { readonly text?: string }[];
  return isError === true ? ['error', block?.text] : [block?.text];
}
