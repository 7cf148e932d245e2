import type { Message } from '@adorn/core';
import { type ReadTime, sentAs } from '@adorn/core/backend';
import type { Context } from 'hono';

import { signatureOf } from '../access/caller.js';
import { type StreamFields, streamNewRun, streamReader } from '../api/stream-run.js';
import { findOpenRun } from '../runs/open-run.js';
import type { RunItem, RunReader } from '../runs/run-reader.js';
import type { Addressed, ServerContext } from '../server-context.js';

/** A message for the run that is open, and when it is read. */
export interface SentMessage {
  readonly message: Message;
  readonly when: ReadTime;
}

/**
 * Sends a message to the run that is open, and streams the run that reads it: the open one from behind the message, which its sender
 * has, or else one of its own. The message of a stream that ends without an answer was read by the open run of another server.
 */
export async function streamSent(
  server: ServerContext,
  context: Context,
  { runner, caller, key, userId }: Addressed,
  { message, when }: SentMessage,
  fields: StreamFields,
): Promise<Response> {
  const address = { userId, sessionId: key.sessionId };
  const options = { when, streaming: 'sse', ...signatureOf(caller, userId) } as const;
  const { id, invocationId, run } = await runner.send(address, message, options);
  if (run && invocationId === id) return streamNewRun(server, context, { key, userId }, () => run, fields);
  const open = await findOpenRun(server, runner, key);
  const own = run && server.runs.add(key, run, Infinity);
  const follow = async (): Promise<RunReader> =>
    new ReaderFrom(open ? await open.follow() : ENDED, id, own && (() => own.follow()));
  return streamReader(server, context, userId, follow, fields);
}

/** Reads a run from behind the message that was sent under an id; one that ends without it is followed by the message's own run. */
class ReaderFrom implements RunReader {
  private isReached = false;

  constructor(
    private reader: RunReader,
    private readonly id: string,
    private readonly followOwn: (() => RunReader) | undefined,
  ) {}

  async next(): Promise<RunItem | undefined> {
    for (;;) {
      const item = await this.reader.next();
      if (this.isReached) return item;
      if (item?.kind === 'event') this.isReached = sentAs(item.event) === this.id;
      else if (this.followOwn) {
        this.reader = this.followOwn();
        this.isReached = true;
        continue;
      } else return item;
    }
  }

  leave(): void {
    this.reader.leave();
  }
}

/** The run has ended meanwhile: the next one has the message. */
const ENDED: RunReader = {
  next: () => Promise.resolve(undefined),
  leave: () => undefined,
};
