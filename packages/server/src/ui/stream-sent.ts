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
 * Sends a message to the run that is open, and streams the run that reads it: one of its own, or the open one from the message on.
 * A stream that ends without an answer was read by the open run of another server.
 */
export async function streamSent(
  server: ServerContext,
  context: Context,
  { runner, caller, key, userId }: Addressed,
  { message, when }: SentMessage,
  fields: StreamFields,
): Promise<Response> {
  const address = { userId, sessionId: key.sessionId };
  const { id, run } = await runner.send(address, message, { when, ...signatureOf(caller, userId) });
  if (run) return streamNewRun(server, context, { key, userId }, () => run, fields);
  const follow = async (): Promise<RunReader> => {
    const open = await findOpenRun(server.runs, runner, key);
    return open ? new ReaderFrom(await open.follow(), id) : ENDED;
  };
  return streamReader(server, context, userId, follow, fields);
}

/** Reads a run from the message that was sent under an id. */
class ReaderFrom implements RunReader {
  private isReached = false;

  constructor(
    private readonly reader: RunReader,
    private readonly id: string,
  ) {}

  async next(): Promise<RunItem | undefined> {
    for (;;) {
      const item = await this.reader.next();
      if (item?.kind !== 'event' || this.isReached) return item;
      this.isReached = sentAs(item.event) === this.id;
      if (this.isReached) return item;
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
