import { type Fleet, FleetBusyError } from '@adorn/fleet';
import { AdornError } from 'adorn';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { streamSSE } from 'hono/streaming';

import { probesOf } from './probes.js';

/** The routes of the server. Any server has those of any session. */
export function routesOf(fleet: Fleet): Hono {
  const routes = new Hono();
  routes.route('/', probesOf(fleet));
  routes.post('/sessions/:sessionId/messages', async (c) => {
    const { message, invocationId } = await bodyOf(c);
    if (typeof message !== 'string' || message === '') throw refused('The body is not {"message": "…"}.');
    if (invocationId !== undefined && typeof invocationId !== 'string')
      throw refused('invocationId is not a text.');
    const address = await fleet.submit({ ...sessionOf(c), message, invocationId });
    return c.json({ invocationId: address.invocationId }, 202);
  });
  routes.post('/sessions/:sessionId/decisions', async (c) => {
    const { requestId, approved } = await bodyOf(c);
    if (typeof approved !== 'boolean') throw refused('The body is not {"requestId": "…", "approved": true}.');
    const session = sessionOf(c);
    const request = (await fleet.runner.pending(session)).find(({ id }) => id === requestId);
    if (request === undefined) throw new HTTPException(404, { message: 'No such request is pending.' });
    const address = await fleet.submit(
      approved ? { ...session, approve: request } : { ...session, reject: request },
    );
    return c.json({ invocationId: address.invocationId }, 202);
  });
  routes.get('/sessions/:sessionId/events', (c) => eventsOf(fleet, c));
  routes.onError((error, c) => {
    if (error instanceof FleetBusyError) {
      const { code, message, retryAfter } = error;
      return c.json({ error: message, code }, 429, { 'Retry-After': String(retryAfter) });
    }
    if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
    if (AdornError.is(error)) {
      const { code, message } = error;
      return c.json({ error: message, code }, code === 'INVOCATION_ACCEPTED' ? 409 : 400);
    }
    console.error(error);
    return c.json({ error: 'The server has failed.' }, 500);
  });
  return routes;
}

type SessionContext = Context<object, '/sessions/:sessionId/:rest'>;

/**
 * Server-sent events: those stored after the number in `Last-Event-ID`, then new ones. With `?invocation=ID`, an `end`
 * with what waits for a person ends them once that invocation has ended.
 */
function eventsOf(fleet: Fleet, c: SessionContext): Response {
  const last = Number(c.req.header('Last-Event-ID') ?? -1);
  if (!Number.isSafeInteger(last)) throw refused('Last-Event-ID is not the number of an event.');
  const session = sessionOf(c);
  const invocationId = c.req.query('invocation');
  return streamSSE(c, async (stream) => {
    const reading = new AbortController();
    stream.onAbort(() => {
      reading.abort();
    });
    const { signal } = reading;
    for await (const { seq, event } of fleet.follow({ ...session, afterSeq: last, invocationId, signal })) {
      const { author, text } = event;
      await stream.writeSSE({ id: String(seq), data: JSON.stringify({ author, text }) });
    }
    if (signal.aborted) return;
    const pending = await fleet.runner.pending(session);
    const questions = pending.map(({ id, tool, args, hint }) => ({ requestId: id, tool, args, hint }));
    await stream.writeSSE({ event: 'end', data: JSON.stringify({ pending: questions }) });
  });
}

/** The gateway in front of the server knows who asks, and says so in a header. */
function sessionOf(c: SessionContext): { userId: string; sessionId: string } {
  return { userId: c.req.header('X-User-Id') ?? 'ada', sessionId: c.req.param('sessionId') };
}

async function bodyOf(c: Context): Promise<Partial<Record<string, unknown>>> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) throw refused('The body is not a JSON object.');
  return body;
}

function refused(message: string): HTTPException {
  return new HTTPException(400, { message });
}
