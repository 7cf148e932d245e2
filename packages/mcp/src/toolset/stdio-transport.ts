import type { Logger } from '@adorn/core';

import { cleanText } from './clean-text.js';
import type { OpenedTransport } from './mcp-connection.js';
import type { StdioServer } from './mcp-toolset-options.js';

/** The longest line of a server's standard error that is logged, in characters. */
const LONGEST_LINE = 2_000;

/** A transport that starts the server when it connects, and ends it when it is closed or this process exits. */
export async function openStdio(
  { command, args = [], env, cwd }: StdioServer,
  { logger, maxMessageBytes }: { readonly logger: Logger; readonly maxMessageBytes: number },
): Promise<OpenedTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
    stderr: 'pipe',
    maxBufferSize: maxMessageBytes,
  });
  logLines(transport.stderr as NodeJS.ReadableStream | null, (line) => {
    logger.warn(`MCP server ${command}: ${line}`);
  });
  // The id is gone from the transport once it is closing, while the process may still be ending.
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    pid = transport.pid;
    process.once('exit', kill);
  };
  const kill = (): void => {
    if (pid !== null) killProcess(pid);
  };
  return {
    transport,
    closed: () => {
      pid = null;
      process.removeListener('exit', kill);
    },
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Logs what a stream says, line by line. What exceeds the longest line is dropped. */
function logLines(stream: NodeJS.ReadableStream | null, log: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) if (line.trim() !== '') log(cleanText(line, LONGEST_LINE));
  });
}
