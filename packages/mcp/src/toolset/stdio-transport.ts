import type { ChildProcess } from 'node:child_process';
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';

import type { Logger } from '@adorn/core';
import { Boundary } from '@adorn/core/backend';

import { cleanText } from './clean-text.js';
import type { OpenedTransport } from './mcp-connection.js';
import type { StdioServer } from './mcp-toolset-options.js';
import { NO_MESSAGE, type ServerFailure } from './server-failure.js';
import { unusableAnswer, UnansweredRequests } from './unanswered-requests.js';

/** The longest line of a server's standard error that is logged, in characters. */
const LONGEST_LINE = 2_000;

/** A transport that starts the server when it connects, and ends it when it is closed or this process exits. */
export async function openStdio(
  { command, args = [], env, cwd }: StdioServer,
  {
    logger,
    maxMessageBytes,
    server,
  }: { readonly logger: Logger; readonly maxMessageBytes: number; readonly server: string },
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
  const lines: string[] = [];
  const unfinished = readLines(transport.stderr as NodeJS.ReadableStream | null, (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    logger.warn(`MCP server ${server}: ${line}`);
  });
  const requests = new UnansweredRequests(transport);
  // The transport forgets its process once it is closing, while the process may still be ending.
  let child: ChildProcess | undefined;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    const spawned = ({ process: added }: { readonly process?: ChildProcess }): void => {
      child ??= added;
    };
    subscribe(SPAWNED, spawned as ChannelListener);
    const starting = start();
    unsubscribe(SPAWNED, spawned as ChannelListener);
    readLines(child?.stdout ?? null, (line) => {
      requests.fail(unusableAnswer(line), NO_MESSAGE);
    });
    await starting;
    process.once('exit', exiting);
  };
  const exiting = new Boundary(() => undefined).guard(() => child?.kill('SIGKILL'));
  return {
    transport,
    closed: () => process.removeListener('exit', exiting),
    ending: async () => {
      // What it wrote last is read before its end is told.
      await setImmediate();
      const { exitCode = null, signalCode = null } = child ?? {};
      return exitCode === null && signalCode === null
        ? undefined
        : endingOf(exitCode ?? signalCode, telling([...lines, ...unfinished()]));
    },
  };
}

/** The channel on which Node tells of each child process, before it is started. */
const SPAWNED = 'child_process';
/** How many lines of a server's standard error are kept, and how many of them are told when it has ended. */
const KEPT_LINES = 50;
const MOST_LINES = 3;

/** The lines that tell of an error, or else the last ones: a stack or a hint may follow the cause. */
function telling(lines: readonly string[]): string[] {
  const errors = lines.filter((line) => /error\b|not found/i.test(line));
  return errors.length > 0 ? errors.slice(0, MOST_LINES) : lines.slice(-MOST_LINES);
}

function endingOf(code: unknown, lines: readonly string[]): ServerFailure {
  const end =
    typeof code === 'number' ? `it has exited with code ${String(code)}` : `it was ended by ${String(code)}`;
  return lines.length === 0
    ? { kind: 'unanswered', reason: end, cure: 'Run the command at a terminal to see why.' }
    : {
        kind: 'unanswered',
        reason: `${end} and said "${lines.join(' | ')}"`,
        cure: 'Correct the command, its arguments or its environment.',
      };
}

/**
 * Reads a stream line by line. What exceeds the longest line is dropped.
 *
 * @returns gives the line that is not complete yet, if there is one
 */
function readLines(stream: NodeJS.ReadableStream | null, read: (line: string) => void): () => string[] {
  let rest = '';
  const decoder = new StringDecoder('utf8');
  // A line that cannot be read is no message of the server, which the request for it finds out.
  const boundary = new Boundary(() => undefined);
  stream?.on(
    'data',
    boundary.guard((chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) if (line.trim() !== '') read(cleanText(line, LONGEST_LINE));
    }),
  );
  return () => (rest.trim() === '' ? [] : [cleanText(rest, LONGEST_LINE)]);
}
