import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { streamNewRun } from '../api/stream-run.js';
import { NotFoundError } from '../errors.js';
import { serverSentEvent } from '../frames/server-sent-event.js';
import { faultOf } from '../frames/to-wire.js';
import { RequestBody } from '../http/request-body.js';
import { STREAM_HEADERS } from '../runs/event-stream.js';
import type { RunItem } from '../runs/run-reader.js';
import { bodyOf, type ServerContext } from '../server-context.js';
import { adkEvent, adkEventText } from './adk-json.js';
import { type AdkRun, readRunRequest } from './run-request.js';

type RouteContext = Context<ServerEnv>;

/** Runs for clients of the ADK. A client that disconnects cancels its run: the stop button of adk-web does so. */
export function runRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/run', async (c) => c.json(await eventsOfRun(server, c, await requested(server, c))));
  app.post('/run_sse', (c) => streamRun(server, c));
  app.post('/api/reasoning_engine', async (c) => {
    const { input } = { input: (await bodyOf(server, c)).object('input') };
    const run = await readRunRequest(server, c.get('caller'), RequestBody.of(input));
    return c.json({ output: await eventsOfRun(server, c, run) });
  });
}

async function requested(server: ServerContext, c: RouteContext): Promise<AdkRun> {
  return readRunRequest(server, c.get('caller'), await bodyOf(server, c));
}

/** A run that a client waits for counts as one of the streams of its user, and is stopped like one that is streamed. */
async function eventsOfRun(
  { quotas, runs }: ServerContext,
  c: RouteContext,
  { userId, key, begin }: AdkRun,
): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = [];
  if (begin === undefined) return events;
  const { release } = quotas.streams.open(userId, 1);
  try {
    const reader = runs.add(key, begin(c.req.raw.signal), 0).follow();
    let item = await reader.next();
    for (; item?.kind === 'event'; item = await reader.next())
      if (!item.event.partial) events.push(adkEvent(item.event));
    if (item !== undefined && 'error' in item.ending) throw item.ending.error;
    return events;
  } finally {
    release();
  }
}

async function streamRun(server: ServerContext, c: RouteContext): Promise<Response> {
  try {
    const run = await requested(server, c);
    const { begin } = run;
    if (begin === undefined) return new Response('', { headers: STREAM_HEADERS });
    return await streamNewRun(server, c, run, begin, { encode: adkText, graceMs: 0 });
  } catch (error) {
    if (!isMissingSession(error) || !wantsEvents(c)) throw error;
    // adk-web reads events whatever the status is, and shows the error of one.
    const { code, message } = faultOf(error);
    const text = serverSentEvent({ error: message, detail: message, code });
    return new Response(text, { status: 404, headers: STREAM_HEADERS });
  }
}

/** adk-web asks for events in so many words. Other clients of the ADK read the JSON of an error. */
function wantsEvents({ req }: RouteContext): boolean {
  return req.header('accept')?.includes('text/event-stream') === true;
}

function isMissingSession(error: unknown): boolean {
  return error instanceof NotFoundError && error.message.startsWith('Session ');
}

/** The items of a run for adk-web. A run that throws ends with an error. */
function adkText(item: RunItem): string {
  if (item.kind === 'event') return adkEventText(item.event);
  if (!('error' in item.ending)) return '';
  const { code, message } = faultOf(item.ending.error);
  return serverSentEvent({ error: message, errorCode: code });
}
