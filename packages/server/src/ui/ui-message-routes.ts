import type { Part, PendingRequest, Runner, SessionKey } from '@adorn/core';
import { effectiveEvents, isReadWithin } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { signatureOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { openSession } from '../api/open-session.js';
import { readTimeOf } from '../api/read-time.js';
import { streamNewRun, streamReader } from '../api/stream-run.js';
import { RequestInvalidError } from '../errors.js';
import type { RequestBody } from '../http/request-body.js';
import { pageAnswers, resultsInParts } from '../page-tools/page-results.js';
import { pageDeclaration, pageToolNames } from '../page-tools/page-tools.js';
import { findOpenRun } from '../runs/open-run.js';
import { type Addressed, addressed, bodyOf, requireSession, type ServerContext } from '../server-context.js';
import { type Conversation, readConversation } from './conversation.js';
import { streamSent } from './stream-sent.js';
import { beginRun, type UiAnswer } from './ui-answers.js';
import { UI_MESSAGE_HEADERS, UiMessageEncoder } from './ui-message-encoder.js';
import { deniedCalls, type UiMessage, uiMessages } from './ui-message-history.js';
import { readUploads } from './uploads.js';

type RouteContext = Context<ServerEnv>;
type Fields = Readonly<Record<string, unknown>>;

const CHAT = '/adorn/apps/:app/ui-messages';

/**
 * The chats of the AI SDK: `new DefaultChatTransport({ api: '…/adorn/apps/desk/ui-messages' })`. The id of the chat is the id of
 * the session, which is created with its first message. `GET …/ui-messages/:session` gives a page that is loaded again its
 * messages. With `?resume=true`, or `resume: true` in the body, a run goes on when its page is closed, for `useChat({ resume: true })`, until
 * `DELETE …/ui-messages/:session/stream`; otherwise it is cancelled, as `stop()` means it. `tools` in the body are those of an agent
 * with `pageTools()`. A message with `when` in the body reaches the run that
 * is open.
 */
export function uiMessageRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post(CHAT, (c) => chat(server, c));
  app.get(`${CHAT}/:session`, async (c) => {
    const { before } = shownTo(await readConversation(server, c));
    return c.json({ messages: before });
  });
  app.get(`${CHAT}/:session/stream`, (c) => resumeStream(server, c));
  app.delete(`${CHAT}/:session/stream`, (c) => stopChat(server, c));
}

async function chat(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key: place } = addressed(server, c);
  const body = await bodyOf(server, c);
  const key = { ...place, sessionId: body.text('id') };
  const message = lastMessage(body);
  await openIfNew(server, { runner, caller, key });
  const options = { ...signatureOf(caller, userId), config: { streaming: 'sse' as const } };
  const { state } = await requireSession(runner, key);
  const declared = pageDeclaration(state, { tools: body.value('tools') });
  const pageTools = pageToolNames(state, declared);
  const answers = await answersIn(runner, key, body, { message, pageTools });
  const isUser = message['role'] === 'user';
  if (answers.length === 0 && !isUser) {
    const cure = 'Send a message of the user, or an answer to a request that is pending.';
    throw new RequestInvalidError(
      '"messages" ends with no message of the user and no answer',
      cure,
      'messages',
    );
  }
  // A message that is sent again names files of the history, which are undone with the message.
  const uploads = await readUploads(runner, key, partsOf(message));
  const isRepeated = answers.length === 0 && body.optionalText('trigger') === 'regenerate-message';
  const before = isRepeated ? await undoLast(runner, key) : [];
  const parts = answers.length === 0 ? [...before, ...uploads] : [];
  const when = readTimeOf(body.value('when'));
  const goesOn = c.req.query('resume') === 'true' || body.optionalBoolean('resume') === true;
  const graceMs = goesOn ? server.graceMs : 0;
  if (when !== undefined && answers.length === 0) {
    const { encode } = new UiMessageEncoder(undefined, pageTools);
    const sent = { message: { role: 'user', parts }, when };
    const stream = { encode, graceMs, headers: UI_MESSAGE_HEADERS };
    return streamSent(server, c, { runner, caller, userId, key }, sent, stream);
  }
  const begin = () => beginRun(runner, key, { answers, parts, options, stateDelta: declared });
  const denied = answers.filter(({ approved }) => !approved).map(({ request }) => request.functionCallId);
  const begun = answers.length === 0 ? 'new' : undefined;
  const { encode } = new UiMessageEncoder(new Set(denied), pageTools, begun);
  return streamNewRun(server, c, { key, userId }, begin, { encode, graceMs, headers: UI_MESSAGE_HEADERS });
}

/** The run that is active, here or in another process, from its beginning; 204 if there is none. */
async function resumeStream(server: ServerContext, c: RouteContext): Promise<Response> {
  const { userId } = addressed(server, c);
  const conversation = await readConversation(server, c);
  const { active } = conversation;
  if (active === undefined) return c.body(null, 204);
  const { before, begun } = shownTo(conversation);
  const denied = deniedCalls(begun ? [...before, begun] : before);
  const { encode } = new UiMessageEncoder(denied, pageToolNames(conversation.state), begun ?? 'new');
  return streamReader(server, c, userId, () => active.follow(), { encode, headers: UI_MESSAGE_HEADERS });
}

/** The messages that a page loads, and the one that the active run goes on with, which the page gets with the stream of the run. */
function shownTo(conversation: Conversation): {
  readonly before: readonly UiMessage[];
  readonly begun: UiMessage | undefined;
} {
  const messages = uiMessages(conversation);
  const last = messages.at(-1);
  if (conversation.active === undefined || last?.role !== 'assistant')
    return { before: messages, begun: undefined };
  return { before: messages.slice(0, -1), begun: last };
}

/** Ends the run that is active, here or in another process, which `stop()` of a page with `?resume=true` only stops to read. */
async function stopChat(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId, key } = addressed(server, c);
  const active = await findOpenRun(server, runner, key);
  if (active === undefined) return c.json({ stopped: false });
  const { invocationId } = active;
  const feed = server.runs.find(key, invocationId);
  if (feed === undefined)
    return c.json({ stopped: await runner.cancelRun({ userId, sessionId: key.sessionId, invocationId }) });
  await server.runs.stopSession(key);
  return c.json({ stopped: true });
}

/** Creates the session of a chat with its first message. */
export async function openIfNew(
  server: ServerContext,
  { runner, caller, key }: Pick<Addressed, 'runner' | 'caller' | 'key'>,
): Promise<void> {
  const session = await runner.sessions.getSession(key, { numRecentEvents: 0 });
  if (session === undefined) await openSession(server, runner, { key, state: undefined, caller });
}

function lastMessage(body: RequestBody): Fields {
  const last: unknown = body.optionalList('messages')?.at(-1);
  if (isFields(last)) return last;
  throw new RequestInvalidError('"messages" has no message', 'Send the messages of the chat.', 'messages');
}

/**
 * The approvals in the last message and the results of calls that the page has run, or the answer to another request in the
 * body's `answer`.
 */
async function answersIn(
  runner: Runner<unknown>,
  key: SessionKey,
  body: RequestBody,
  { message, pageTools }: { readonly message: Fields; readonly pageTools: ReadonlySet<string> },
): Promise<UiAnswer[]> {
  const open = await runner.pending(key);
  const pending = new Map(open.map((request) => [request.id, request]));
  const parts = listOf(message['parts']);
  const approvals = [
    ...parts.flatMap((part) => approvalIn(part, pending)),
    ...pageAnswers(resultsInParts(parts), open, pageTools),
  ];
  const { requestId, approved = true, reason, value } = body.optionalObject('answer') ?? {};
  const request = pending.get(String(requestId));
  if (request === undefined) return message['role'] === 'assistant' ? approvals : [];
  return [{ request, approved: approved === true, reason: textOrNone(reason), value }];
}

function approvalIn(part: Fields, pending: ReadonlyMap<string, PendingRequest>): UiAnswer[] {
  const { approval, state } = part;
  if (state !== 'approval-responded' || !isFields(approval)) return [];
  const request = pending.get(String(approval['id']));
  if (request === undefined) return [];
  return [{ request, approved: approval['approved'] === true, reason: textOrNone(approval['reason']) }];
}

/** Undoes the invocation of the last message, which is sent again. @returns what that invocation has read before it */
async function undoLast(runner: Runner<unknown>, key: SessionKey): Promise<readonly Part[]> {
  const session = await runner.sessions.getSession(key);
  const messages = effectiveEvents(session?.events ?? []).filter(
    ({ author, text }) => author === 'user' && text !== '',
  );
  const last = messages.pop();
  if (last === undefined) return [];
  await runner.rewind({ ...key, invocationId: last.invocationId });
  if (!isReadWithin(last)) return [];
  return messages
    .filter(({ invocationId }) => invocationId === last.invocationId)
    .flatMap(({ content }) => content?.parts ?? []);
}

function partsOf(message: Fields): Part[] {
  return listOf(message['parts']).flatMap(({ type, text, url, mediaType, filename }) => {
    if (type === 'text' && typeof text === 'string') return [{ text }];
    if (type !== 'file' || typeof url !== 'string') return [];
    return [filePart(url, textOrNone(mediaType), textOrNone(filename))];
  });
}

/** A file of a message: a `data:` URL is its content, any other URL its address. */
export function filePart(url: string, mimeType: string | undefined, displayName: string | undefined): Part {
  const [, type = '', data] = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return { fileData: { fileUri: url, mimeType, displayName } };
  return { inlineData: { data, mimeType: mimeType ?? type, displayName } };
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
