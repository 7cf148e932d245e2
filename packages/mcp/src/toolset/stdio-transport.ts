import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '@adorn/core';
import { Boundary, type ProcessGroup, startGroup } from '@adorn/core/backend';
import type * as client from '@modelcontextprotocol/client';
import type { ReadBuffer, Transport } from '@modelcontextprotocol/client';

import { cleanText } from './clean-text.js';
import type { OpenedTransport } from './mcp-connection.js';
import type { StdioServer } from './mcp-toolset-options.js';
import { NO_MESSAGE, type ServerFailure } from './server-failure.js';
import { unusableAnswer, UnansweredRequests } from './unanswered-requests.js';

/** The longest line of a server's standard error that is logged, in characters. */
const LONGEST_LINE = 2_000;

/** How long a server may take to end by itself once its standard input has ended or failed, in milliseconds. */
const LEAVING_MS = 2_000;

interface StdioOptions {
  readonly logger: Logger;
  readonly maxMessageBytes: number;
  /** The server's name for messages. */
  readonly server: string;
}

/**
 * A transport that starts the server when it connects. The server ends, with all processes that it has started, when the
 * transport is closed or this process is gone.
 */
export async function openStdio(server: StdioServer, options: StdioOptions): Promise<OpenedTransport> {
  const library = await import('@modelcontextprotocol/client');
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  // Starts the scripts that commands such as npx are on Windows.
  const { default: spawn } = await import('cross-spawn');
  const { logger, maxMessageBytes, server: name } = options;
  const { command, args = [], cwd } = server;
  const env = { ...getDefaultEnvironment(), ...server.env };
  const lines: string[] = [];
  let unfinished = (): string[] => [];
  const transport: StdioTransport = new StdioTransport({
    library,
    buffer: new library.ReadBuffer({ maxBufferSize: maxMessageBytes }),
    begin: () => {
      const group = startGroup(command, args, { spawn, stdio: 'pipe', env, cwd });
      unfinished = readLines(group.child.stderr, (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
        logger.warn(`MCP server ${name}: ${line}`);
      });
      readLines(group.child.stdout, (line) => {
        requests.fail(unusableAnswer(line), NO_MESSAGE);
      });
      return group;
    },
  });
  const requests = new UnansweredRequests(transport);
  return {
    transport,
    ending: async () => {
      // What it wrote last is read before its end is told.
      await setImmediate();
      const { exitCode, signalCode } = transport;
      return exitCode === null && signalCode === null
        ? undefined
        : endingOf(exitCode ?? signalCode, telling([...lines, ...unfinished()]));
    },
  };
}

type Message = Parameters<Transport['send']>[0];
type Server = ProcessGroup<ChildProcessWithoutNullStreams>;

interface TransportFields {
  readonly library: Pick<typeof client, 'serializeMessage' | 'SdkError' | 'SdkErrorCode'>;
  /** Holds what has arrived of the next message. */
  readonly buffer: ReadBuffer;
  /** Starts the server. */
  readonly begin: () => Server;
}

/** Messages to a process, one line each. */
class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  private server: Server | undefined;
  /** Resolves once the server has ended and nobody holds its pipes. */
  private closed: Promise<unknown> | undefined;

  constructor(private readonly fields: TransportFields) {}

  get exitCode(): number | null {
    return this.server?.child.exitCode ?? null;
  }

  get signalCode(): NodeJS.Signals | null {
    return this.server?.child.signalCode ?? null;
  }

  async start(): Promise<void> {
    const { child } = (this.server = this.fields.begin());
    this.closed = new Promise((resolve) => child.once('close', resolve));
    const boundary = new Boundary((error) => {
      this.failed(error as Error);
    });
    const failed = boundary.guard(this.failed);
    child.on('error', failed).on(
      'close',
      boundary.guard(() => this.onclose?.()),
    );
    child.stdin.on('error', failed);
    child.stdout.on('error', failed).on(
      'data',
      boundary.guard((chunk: Buffer) => {
        this.read(chunk);
      }),
    );
    child.stderr.on('error', failed);
    await once(child, 'spawn');
  }

  private readonly failed = (error: Error): void => {
    this.onerror?.(error);
  };

  private read(chunk: Buffer): void {
    const { buffer } = this.fields;
    try {
      buffer.append(chunk);
    } catch (error) {
      // A message that is too large: what follows cannot be told from it.
      this.failed(error as Error);
      void this.close();
      return;
    }
    for (let isRead = false; !isRead;) {
      try {
        const message = buffer.readMessage();
        isRead = message === null;
        if (message !== null) this.onmessage?.(message);
      } catch (error) {
        this.failed(error as Error);
      }
    }
  }

  async send(message: Message): Promise<void> {
    const { serializeMessage, SdkError, SdkErrorCode } = this.fields.library;
    const stdin = this.server?.child.stdin;
    if (stdin?.writable !== true) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (stdin.write(serializeMessage(message))) return;
    try {
      await Promise.race([once(stdin, 'drain'), this.closed]);
    } catch (error) {
      // A program that has ended reads nothing. Its end may not be known yet, and says more than the failed write.
      await this.waitForEnd();
      if (this.exitCode === null && this.signalCode === null) throw error;
      throw new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    }
  }

  /** A server may end by itself when its input ends; what is left of its processes is ended. */
  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.child.stdin.end();
    await this.waitForEnd();
    await server.end();
    this.fields.buffer.clear();
  }

  private async waitForEnd(): Promise<void> {
    await Promise.race([this.closed, delay(LEAVING_MS, undefined, { ref: false })]);
  }
}

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
