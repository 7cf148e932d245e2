import type { Run } from '@adorn/core';

import { eventStream, type EventStreamOptions } from '../runs/event-stream.js';
import { RunFeed } from '../runs/run-feed.js';
import type { RunItem } from '../runs/run-reader.js';
import { serverSentEvent } from './server-sent-event.js';
import { endFrame, toWire } from './to-wire.js';

/** The options of `sse`. */
export interface SseOptions extends Pick<EventStreamOptions, 'heartbeatMs'> {
  /** What happens to the run when the client disconnects: it is cancelled, or goes on. Default: `cancel`. */
  readonly onDisconnect?: 'cancel' | 'continue';
}

/**
 * A response with the frames of a run as server-sent events, for an endpoint of your own. `readFrames` of
 * `@adorn/server/client` reads it.
 *
 * ```ts
 * return sse(runner.run({ userId, sessionId, message }));
 * ```
 */
export function sse(run: Run<unknown>, { heartbeatMs, onDisconnect = 'cancel' }: SseOptions = {}): Response {
  const key = { appName: '', userId: '', sessionId: '' };
  const feed = new RunFeed(key, run, onDisconnect === 'cancel' ? 0 : Infinity);
  return eventStream(feed.follow(), frameText, { heartbeatMs });
}

/** The frames of an item as server-sent events. The last frame of a stored event has its id, at which a client continues. */
export function frameText(item: RunItem): string {
  if (item.kind === 'end') return serverSentEvent(endFrame(item.ending));
  return toWire(item.event)
    .map((frame) => serverSentEvent(frame, 'event' in frame ? frame.event?.id : undefined))
    .join('');
}
