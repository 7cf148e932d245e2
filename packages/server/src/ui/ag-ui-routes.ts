import type { Part, PendingRequest, Runner, SessionKey } from '@adorn/core';
import { RequestNotPendingError } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { signatureOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { readTimeOf } from '../api/read-time.js';
import { streamNewRun, streamReader } from '../api/stream-run.js';
import { RequestInvalidError } from '../errors.js';
import type { RequestBody } from '../http/request-body.js';
import { serverSentEvent } from '../frames/server-sent-event.js';
import { isPageCall, pageAnswers, resultsInMessages } from '../page-tools/page-results.js';
import { pageDeclaration, pageToolNames } from '../page-tools/page-tools.js';
import { STREAM_HEADERS } from '../runs/event-stream.js';
import { addressed, bodyOf, requireSession, type ServerContext } from '../server-context.js';
import { AgUiEncoder, interruptOf } from './ag-ui-encoder.js';
import { agUiMessages } from './ag-ui-history.js';
import { readConversation } from './conversation.js';
import { answerMcpApps } from './mcp-apps.js';
import { streamSent } from './stream-sent.js';
import { beginRun, type UiAnswer } from './ui-answers.js';
import { readUploads } from './uploads.js';
import { filePart, isFields, listOf, openIfNew, textOrNone } from './ui-message-routes.js';

/**
 * An agent for clients of AG-UI: `new HttpAgent({ url: '…/adorn/apps/desk/ag-ui' })`. The thread is the session, which is created
 * with its first message. The server's log is the conversation: of the messages the last one is read. A client that
 * disconnects cancels its run. The `tools` of a page are those of an agent with `pageTools()`. A message with `when` in `forwardedProps` reaches the run that is open.
 */
export function agUiRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/adorn/apps/:app/ag-ui', (c) => runAgent(server, c));
  app.get('/adorn/apps/:app/ag-ui/:session', (c) => loadThread(server, c));
  app.get('/adorn/apps/:app/ag-ui/:session/stream', (c) => resumeThread(server, c));
}

/** The thread for a page that is loaded again: `new HttpAgent({ threadId, initialMessages, initialState })`. */
async function loadThread(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const conversation = await readConversation(server, c);
  const { sessionId: threadId, state, pending } = conversation;
  const messages = agUiMessages(conversation);
  const pageTools = pageToolNames(state);
  const interrupts = pending.filter((request) => !isPageCall(request, pageTools)).map(interruptOf);
  return c.json({ threadId, messages, state, interrupts });
}

/** The run of a thread that is active, here or in another process, from its beginning; 204 if there is none. */
async function resumeThread(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const { userId } = addressed(server, c);
  const { sessionId: threadId, state, active } = await readConversation(server, c);
  if (active === undefined) return c.body(null, 204);
  const pageTools = pageToolNames(state);
  const { encode } = new AgUiEncoder({ threadId, runId: active.invocationId, state, pageTools });
  return streamReader(server, c, userId, () => active.follow(), { encode });
}

async function runAgent(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const { runner, caller, userId, key: place } = addressed(server, c);
  const body = await bodyOf(server, c);
  const key = { ...place, sessionId: body.text('threadId') };
  const runId = body.text('runId');
  const proxied = body.optionalObject('forwardedProps')?.['__proxiedMCPRequest'];
  if (isFields(proxied)) return answerPage(server, c, { key, runId, request: proxied });
  await openIfNew(server, { runner, caller, key });
  const { state } = await requireSession(runner, key);
  const declared = pageDeclaration(state, { tools: body.value('tools'), context: body.value('context') });
  const pageTools = pageToolNames(state, declared);
  const answers = await answersIn(runner, key, body, pageTools);
  const options = { ...signatureOf(caller, userId), config: { streaming: 'sse' as const } };
  const parts = answers.length === 0 ? await readUploads(runner, key, partsOfLast(body)) : [];
  const isBefore1 = body.value('protocolVersion') === undefined;
  const { encode } = new AgUiEncoder({ threadId: key.sessionId, runId, state, pageTools, isBefore1 });
  const when = readTimeOf(body.optionalObject('forwardedProps')?.['when']);
  if (when !== undefined && answers.length === 0) {
    const sent = { message: { role: 'user', parts }, when };
    return streamSent(server, c, { runner, caller, userId, key }, sent, { encode, graceMs: 0 });
  }
  const begin = () => beginRun(runner, key, { answers, parts, options, stateDelta: declared });
  return streamNewRun(server, c, { key, userId }, begin, { encode, graceMs: 0 });
}

/** Answers what the page of a call asks for (MCP Apps), as `MCPAppsMiddleware` does: with the result of a run of its own. */
async function answerPage(
  server: ServerContext,
  c: Context<ServerEnv>,
  { key, runId, request }: { readonly key: SessionKey; readonly runId: string; readonly request: object },
): Promise<Response> {
  const { result, pending } = await answerMcpApps(server, { ...addressed(server, c), key }, { ...request });
  const run = { threadId: key.sessionId, runId };
  const outcome =
    pending.length > 0 ? { type: 'interrupt', interrupts: pending.map(interruptOf) } : undefined;
  const events = [
    { type: 'RUN_STARTED', ...run },
    { type: 'RUN_FINISHED', ...run, result, outcome },
  ];
  return new Response(events.map((event) => serverSentEvent(event)).join(''), { headers: STREAM_HEADERS });
}

/**
 * The answers to interrupts, and the results of calls that the page has run.
 *
 * @throws {RequestNotPendingError} if an interrupt is not pending
 */
async function answersIn(
  runner: Runner<unknown>,
  key: SessionKey,
  body: RequestBody,
  pageTools: ReadonlySet<string>,
): Promise<UiAnswer[]> {
  const resume = listOf(body.value('resume'));
  const messages = listOf(body.value('messages'));
  // A user who goes on without the results has the calls wait.
  const results = messages.at(-1)?.['role'] === 'tool' ? resultsInMessages(messages) : [];
  if (resume.length === 0 && results.length === 0) return [];
  const pending = await runner.pending(key);
  return [...answersTo(resume, pending), ...pageAnswers(results, pending, pageTools)];
}

function answersTo(
  resume: readonly Readonly<Record<string, unknown>>[],
  pending: readonly PendingRequest[],
): UiAnswer[] {
  return resume.map(({ interruptId, status, payload }) => {
    const request = pending.find(({ id }) => id === interruptId);
    if (request === undefined) throw new RequestNotPendingError(String(interruptId));
    const { approved, reason, args } = isFields(payload) ? payload : { approved: payload };
    const isApproved = status === 'resolved' && (request.kind !== 'confirmation' || approved === true);
    const changed = isFields(args) ? args : undefined;
    return { request, approved: isApproved, reason: textOrNone(reason), args: changed, value: payload };
  });
}

function partsOfLast(body: RequestBody): Part[] {
  const last = listOf(body.value('messages')).at(-1);
  if (last?.['role'] !== 'user') {
    const cure = 'Send a message of the user, or "resume" with answers.';
    throw new RequestInvalidError('"messages" ends with no message of the user', cure, 'messages');
  }
  const { content } = last;
  return typeof content === 'string' ? [{ text: content }] : listOf(content).flatMap(partOf);
}

function partOf({ type, text, source, metadata }: Readonly<Record<string, unknown>>): Part[] {
  if (type === 'text' && typeof text === 'string') return [{ text }];
  if (!isFields(source) || typeof source['value'] !== 'string') return [];
  const { value, mimeType } = source;
  const mime = textOrNone(mimeType);
  const name = isFields(metadata) ? textOrNone(metadata['filename']) : undefined;
  const url = source['type'] === 'data' ? `data:${mime ?? ''};base64,${value}` : value;
  return [filePart(url, mime, name)];
}
