/* eslint-disable @typescript-eslint/no-deprecated -- The revisions of the protocol until 2025-11-25, which clients speak
   today, ask clients by requests of the server. The library marks them, and the server that takes JSON Schema as it is. */
import type {
  CreateMessageRequest,
  ElicitRequestFormParams,
  ElicitResult,
  LoggingLevel,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import type * as protocol from '@modelcontextprotocol/server';

/** The protocol library, which is loaded on first use. */
export type Protocol = typeof protocol;

/** The protocol's side of one session. */
export type ProtocolServer = Server;

/** How serious a log message is. */
export type LogLevel = LoggingLevel;

/** A request to the model of a client. */
export type SampleParams = CreateMessageRequest['params'];

/** Makes the protocol's side of one session. */
export function createProtocolServer(
  { Server: ServerClass }: Protocol,
  ...args: ConstructorParameters<Protocol['Server']>
): ProtocolServer {
  return new ServerClass(...args);
}

/** Whether a client can ask its user with a form: also one of a revision that has no other way. */
export function canAskUser(server: ProtocolServer): boolean {
  const elicitation = server.getClientCapabilities()?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Asks the user of a client. */
export function elicit(
  { mcpReq }: ServerContext,
  params: ElicitRequestFormParams,
  options: { readonly timeout: number },
): Promise<ElicitResult> {
  return mcpReq.elicitInput(params, { ...options, signal: mcpReq.signal });
}

/** Sends a log message to a client, if it wants messages of this level. */
export function sendLog({ mcpReq }: ServerContext, level: LogLevel, data: unknown): Promise<void> {
  return mcpReq.log(level, data);
}

/** Asks the model of a client. */
export function sample({ mcpReq }: ServerContext, params: SampleParams): Promise<unknown> {
  return mcpReq.requestSampling(params);
}
