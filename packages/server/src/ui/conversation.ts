import type { PendingRequest } from '@adorn/core';
import { effectiveEvents } from '@adorn/core/backend';
import type { Context } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError } from '../errors.js';
import type { Frame } from '../frames/frame.js';
import { toWire } from '../frames/to-wire.js';
import { findOpenRun, type OpenRun } from '../runs/open-run.js';
import { addressed, type ServerContext } from '../server-context.js';

/** A stored conversation, for a page that is loaded again. */
export interface Conversation {
  readonly sessionId: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** Without what a rewind undid, and without what the stream of the active run repeats. */
  readonly frames: readonly Frame[];
  readonly pending: readonly PendingRequest[];
  /** The run that goes on, here or in another process. */
  readonly active: OpenRun | undefined;
}

/**
 * Reads the conversation of a request.
 *
 * @throws {NotFoundError} if the session does not exist
 */
export async function readConversation(
  server: ServerContext,
  context: Context<ServerEnv>,
): Promise<Conversation> {
  const { runner, key } = addressed(server, context);
  const session = await runner.sessions.getSession(key);
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  const active = await findOpenRun(server.runs, runner, key);
  const events = effectiveEvents(session.events).filter((event) => active?.shows(event) !== true);
  const frames = events.flatMap((event) => toWire(event));
  const { state } = session;
  return { sessionId: key.sessionId, state, frames, pending: await runner.pending(key), active };
}
