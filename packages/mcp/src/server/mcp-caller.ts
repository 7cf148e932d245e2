import type { ToolContext } from '@adorn/core';
import type { ServerContext } from '@modelcontextprotocol/server';

import { type LogLevel, sample, type SampleParams, sendLog } from './protocol.js';

/** The client whose call a tool serves. */
export interface McpCaller {
  /** Sends a log message to the client, if it wants messages of this level. */
  log(level: LogLevel, data: unknown): Promise<void>;
  /** Asks the model of the client. */
  sample(params: SampleParams): Promise<unknown>;
  /** Closes the stream of the call, so that the client reconnects to it later: for long work over HTTP. */
  closeStream(): void;
}

const callers = new Map<string, ServerContext>();

/** The client whose call a tool serves; undefined if no client of an MCP server made it. */
export function mcpCaller({ functionCallId }: Pick<ToolContext, 'functionCallId'>): McpCaller | undefined {
  const context = callers.get(functionCallId);
  if (context === undefined) return undefined;
  return {
    log: (level, data) => sendLog(context, level, data),
    sample: (params) => sample(context, params),
    closeStream: () => context.http?.closeSSE?.(),
  };
}

/** Runs a call whose tool may talk to its client. */
export async function withCaller<Result>(
  callId: string,
  context: ServerContext,
  run: () => Promise<Result>,
): Promise<Result> {
  callers.set(callId, context);
  try {
    return await run();
  } finally {
    callers.delete(callId);
  }
}
