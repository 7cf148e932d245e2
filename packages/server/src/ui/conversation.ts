import type { PendingRequest } from '@adorn/core';
import { effectiveEvents } from '@adorn/core/backend';
import type { Context } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import type { Frame } from '../frames/frame.js';
import { toWire } from '../frames/to-wire.js';
import { findOpenRun, type OpenRun } from '../runs/open-run.js';
import { addressed, type ServerContext } from '../server-context.js';
import { withUploads } from './uploads.js';

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

/** Reads the conversation of a request: an empty one for a new id, which its page may have made up. */
export async function readConversation(
  server: ServerContext,
  context: Context<ServerEnv>,
): Promise<Conversation> {
  const { runner, key } = addressed(server, context);
  const session = await runner.sessions.getSession(key);
  const { sessionId } = key;
  if (session === undefined) return { sessionId, state: {}, frames: [], pending: [], active: undefined };
  const active = await findOpenRun(server, runner, key);
  const events = effectiveEvents(session.events).filter((event) => active?.shows(event) !== true);
  const stored = events.flatMap((event) => toWire(event));
  const frames = await withUploads(context, runner, key, stored);
  const { state } = session;
  return { sessionId, state, frames, pending: await runner.pending(key), active };
}
