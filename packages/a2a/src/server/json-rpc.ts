import type { ServerCallContext } from '@a2a-js/sdk/server';

import type { StreamFault, UpdateStream } from './event-streams.js';

/** A handler of JSON-RPC of the SDK, for one revision. */
export interface RpcHandler {
  handle(
    message: JsonObject,
    context: ServerCallContext,
  ): Promise<object | AsyncGenerator<object, void, undefined>>;
}

type JsonObject = Record<string, unknown>;

/** The id of a JSON-RPC request, which its response repeats. */
type RequestId = string | number | null;

/** Answers a JSON-RPC request: with a body, or with updates. */
export async function answerRpc(
  handler: RpcHandler,
  body: string,
  context: ServerCallContext,
): Promise<Response | Omit<UpdateStream, 'left'>> {
  const message = parsed(body);
  if (message === undefined) return rpcFault(-32_700, 'The body is no JSON.');
  if (!isObject(message)) return rpcFault(-32_600, 'The body is no JSON-RPC request.');
  const answer = await handler.handle(message, context);
  if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
  const { JsonRpcTransportHandler } = await import('@a2a-js/sdk/server');
  const failed = (error: unknown): StreamFault => ({
    status: 200,
    body: { jsonrpc: '2.0', id: idOf(message), error: JsonRpcTransportHandler.mapToJSONRPCError(error) },
  });
  // Clients of revision 0.3 read the answer to this method as a stream in any case.
  return { updates: answer, failed, alwaysStreams: message['method'] === 'tasks/resubscribe' };
}

/** A fault of a request that cannot be read. */
export function rpcFault(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } });
}

/** Undefined if it is no JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf({ id }: JsonObject): RequestId {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
