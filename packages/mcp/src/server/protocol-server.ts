import { randomUUID } from 'node:crypto';

import { ConsoleLogger } from '@adorn/core';
import { Boundary, describeThrown, type Principal, type Sender } from '@adorn/core/backend';
import { withinTrace } from '@adorn/http';

import { AnswersOfClient } from './answers-of-client.js';
import type { ClientAddress, Conversations } from './conversations.js';
import { createProtocolServer, type Protocol, type ProtocolServer } from './protocol.js';
import { servePrompts } from './prompt-handlers.js';
import { serveResources } from './resource-handlers.js';
import type { ServeMcpOptions } from './serve-options.js';
import type { ServedTools } from './served-tools.js';
import type { StatelessCalls } from './stateless-calls.js';

/** How long the user of a client has for an answer, in milliseconds. */
export const DEFAULT_ANSWER_MS = 300_000;

/** What the clients of a server share. */
export interface ServingFields {
  readonly tools: ServedTools;
  readonly conversations: Conversations;
  readonly options: ServeMcpOptions;
}

/** The protocol's side of one client, and the URIs that the client is subscribed to. */
export interface ServedProtocol {
  readonly server: ProtocolServer;
  readonly subscribed: ReadonlySet<string>;
}

/** Makes the protocol's side of a client that has a session. */
export function serveSession(
  protocol: Protocol,
  { tools, options }: ServingFields,
  { address, by }: { readonly address: ClientAddress; readonly by: Principal },
  calls: { begin(): void; end(): void },
): ServedProtocol {
  const { logger = new ConsoleLogger() } = options;
  const served = serveAll(protocol, options);
  const { server } = served;
  const answers = new AnswersOfClient({
    ...{ server, by, logger },
    canElicit: options.confirm !== 'refuse',
    timeout: options.answerTimeout ?? DEFAULT_ANSWER_MS,
  });
  server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => ({
    tools: await tools.list(address, signal),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) => {
    calls.begin();
    try {
      const callId = `mcp-${randomUUID()}`;
      const call = { ...address, by, callId, context, answers, name, args };
      return (await withinTrace(context.mcpReq._meta ?? {}, () => tools.call(call))).result;
    } finally {
      calls.end();
    }
  });
  return served;
}

/** Makes the protocol's side of one request of a client without a session: of the revision 2026-07-28. */
export function serveRequest(
  protocol: Protocol,
  { tools, conversations, options }: ServingFields,
  sender: Sender,
  calls: StatelessCalls,
): ProtocolServer {
  const { userId } = sender;
  const codec = calls.codecFor(userId);
  const { server } = serveAll(protocol, options, {
    requestState: { verify: (state, context) => codec.verify(state, context) },
  });
  server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => {
    const address = conversations.begin(userId, 'call');
    try {
      return { tools: await tools.list(address, signal) };
    } finally {
      conversations.leave(address);
    }
  });
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, context) =>
    withinTrace(context.mcpReq._meta ?? {}, () =>
      calls.answer({ server, sender, context, name, args, codec }),
    ),
  );
  return server;
}

/** A server with everything but the tools. */
function serveAll(
  protocol: Protocol,
  options: ServeMcpOptions,
  more: Pick<NonNullable<ConstructorParameters<Protocol['Server']>[1]>, 'requestState'> = {},
): ServedProtocol {
  const {
    name = 'adorn',
    version = '0.1.0',
    instructions,
    resources,
    prompts,
    logger = new ConsoleLogger(),
  } = options;
  const server = createProtocolServer(
    protocol,
    { name, version },
    {
      ...more,
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(resources !== undefined && { resources: { subscribe: true } }),
        ...(prompts !== undefined && { prompts: {}, completions: {} }),
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  const subscribed = resources === undefined ? NONE : serveResources(server, resources, protocol);
  if (prompts !== undefined) servePrompts(server, prompts, protocol);
  const boundary = new Boundary(() => undefined);
  server.onerror = boundary.guard((error: Error) => {
    logger.info(`MCP client: ${describeThrown(error).message}`);
  });
  return { server, subscribed };
}

const NONE: ReadonlySet<string> = new Set();
