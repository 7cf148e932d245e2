/* eslint-disable max-lines -- the methods of one client */
import type { Content, Message, PendingRequest } from '@adorn/core';
import type {
  Feedback,
  InboxChange,
  InboxPage,
  InboxQuery,
  InboxRequest,
  PendingRequestData,
  ReadTime,
  StateDelta,
  StoredMemory,
} from '@adorn/core/backend';

import type { CallUiJson, UiCallOutcome } from '../call-ui/call-ui-json.js';
import type { Frame, SessionJson } from '../frames/frame.js';
import { requireMessage, requireObject, requireText } from './check-input.js';
import type { AdornClientOptions } from './client-options.js';
import { ClientRun } from './client-run.js';
import { inboxChanges } from './inbox-changes.js';
import { readEvents } from './read-events.js';
import { type ClientRequest, Transport } from './transport.js';

/** An application of a server. */
export interface AppJson {
  readonly name: string;
  /** The name of its root agent. */
  readonly agent: string;
  readonly description: string;
}

/** A file of a session. */
export interface ArtifactJson {
  readonly name: string;
  readonly versions: readonly number[];
}

/** What an agent keeps of a user. */
export interface ProfileOfUser {
  readonly name: string;
  /** The fields that are filled, as JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A conversation as it is after a reload of the page. */
export interface HistoryJson extends SessionJson {
  /** Oldest first, without what a rewind undid. */
  readonly frames: readonly Frame[];
  /** The requests that wait for an answer. */
  readonly pending: readonly PendingRequest[];
  /** What people think of the answers: of each person and event the last one, if it was not taken back. */
  readonly feedback: readonly Feedback[];
  /** The run that is active now: `chat.follow(activeRun)` reads it. */
  readonly activeRun?: string;
}

/** The options of a message. */
export interface SendOptions {
  /** Keys of the session's state. */
  readonly stateDelta?: StateDelta;
  /** False for whole answers only. Default: true. */
  readonly streaming?: boolean;
  /** Stops the run when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A message that is stored, and will be read. */
export interface PostedMessage {
  /** The id of the message, and of the run of its own if it begins one. */
  readonly id: string;
  /** The id of the run that reads it as things stand. */
  readonly invocationId: string;
}

/** What the user of the page thinks of an answer. */
export interface FeedbackOptions {
  /** From 0, bad, to 1, good. `null` takes back what this user has said of it before. */
  readonly score: number | null;
  /** A category, such as `wrong` or `too long`. Default: none. */
  readonly label?: string | undefined;
  /** The reason, in words. Default: none. */
  readonly comment?: string | undefined;
}

/** The options of an answer to a request. */
export type AnswerRequestOptions = Pick<SendOptions, 'streaming' | 'signal'>;

/** A request, or its id. */
export type RequestReference = string | Pick<PendingRequestData, 'id'>;

/**
 * Makes a client of a server, for browsers and for Node.js.
 *
 * ```ts
 * const client = createAdornClient('http://127.0.0.1:8000', { token });
 * const chat = await client.createSession();
 * for await (const frame of chat.send('Refund order 7')) {
 *   if (frame.kind === 'text') show(frame.text);
 *   if (frame.kind === 'request') await chat.approve(frame.request);
 * }
 * ```
 *
 * @param url the address under which the routes of the server are
 * @throws {AdornClientError} (`REQUEST_INVALID`, status 0) if the URL is no text, or the options are no object. The methods of the client
 *   throw it for arguments that no request can have, before anything is sent
 */
export function createAdornClient(url: string, options: AdornClientOptions = {}): AdornClient {
  requireText(url, 'url');
  requireObject(options, 'options');
  return new AdornClient(new Transport(url, options), options);
}

/** The sessions of a user of an application. Made by `createAdornClient`. */
export class AdornClient {
  private appName: Promise<string> | undefined;

  /** @internal */
  constructor(
    /** @internal */
    readonly transport: Transport,
    private readonly options: AdornClientOptions,
  ) {}

  apps(): Promise<AppJson[]> {
    return this.transport.json('/adorn/apps');
  }

  /** The sessions without their frames, the latest first. */
  async sessions(page: { readonly limit?: number; readonly offset?: number } = {}): Promise<SessionJson[]> {
    requireObject(page, 'page');
    return this.transport.json(`${await this.path()}/sessions`, { query: { ...page } });
  }

  /** @param session its id, by default a new one, and its state */
  async createSession(
    session: { readonly id?: string; readonly state?: StateDelta } = {},
  ): Promise<ClientSession> {
    requireObject(session, 'session');
    const path = `${await this.path()}/sessions`;
    const { id } = await this.transport.json<SessionJson>(path, { method: 'POST', body: session });
    return this.session(id);
  }

  /** A session that exists. No request is sent. */
  session(id: string): ClientSession {
    requireText(id, 'id');
    const path = async () => `${await this.path()}/sessions/${encodeURIComponent(id)}`;
    return new ClientSession(id, this.transport, path, this.options.maxReconnects ?? 10);
  }

  /**
   * A page of the requests that wait for this user, in the conversations of whatever user, the oldest first.
   *
   * ```ts
   * const { requests } = await client.inbox({ olderThan: '4h' });
   * for (const request of requests) await client.sessionOf(request).approve(request);
   * ```
   */
  async inbox(query: Pick<InboxQuery, 'tool' | 'olderThan' | 'after' | 'limit'> = {}): Promise<InboxPage> {
    requireObject(query, 'query');
    return this.transport.json(`${await this.path()}/inbox`, { query: { ...query } });
  }

  /**
   * The requests that wait for this user, and then each change, about a second after it is made: `opened`, `changed`, `closed`. A stream
   * that breaks is followed by another one, which begins where the last one ended. Ends with the signal, or when the reader stops.
   *
   * @throws {AdornClientError} if the server refuses, or cannot be reached `maxReconnects` times in turn
   */
  watchInbox(
    query: Pick<InboxQuery, 'tool' | 'olderThan'> = {},
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<InboxChange, void, undefined> {
    requireObject(query, 'query');
    requireObject(options, 'options');
    const { maxReconnects = 10 } = this.options;
    const open = async (connection: AbortSignal) =>
      this.transport.send(`${await this.path()}/inbox/events`, { query: { ...query }, signal: connection });
    return inboxChanges({ list: () => this.wholeInbox(query), open, maxReconnects }, options.signal);
  }

  /**
   * What is remembered of this user, the last added first.
   *
   * ```ts
   * for (const { id, content } of await client.memories()) if (isWrong(content)) await client.deleteMemory(id);
   * ```
   */
  async memories(page: { readonly limit?: number; readonly offset?: number } = {}): Promise<StoredMemory[]> {
    requireObject(page, 'page');
    return this.transport.json(`${await this.path()}/memories`, { query: { ...page } });
  }

  /**
   * Replaces what a memory of this user says: it is found by the new words from then on.
   *
   * @throws {AdornClientError} with status 404 if this user has no memory of that id
   */
  async correctMemory(id: string, content: string | Content): Promise<void> {
    requireText(id, 'id');
    requireMessage(content, 'content');
    await this.transport.json(await this.memoryPath(id), { method: 'PATCH', body: { content } });
  }

  /**
   * Deletes a memory of this user. One of a session comes back if the session is added to the memory again.
   *
   * @throws {AdornClientError} with status 404 if this user has no memory of that id
   */
  async deleteMemory(id: string): Promise<void> {
    requireText(id, 'id');
    await this.transport.json(await this.memoryPath(id), { method: 'DELETE' });
  }

  /**
   * What agents keep of this user: the profiles that the server has as its option `profiles`.
   *
   * ```ts
   * for (const { name, fields } of await client.profiles()) console.log(name, fields);
   * ```
   */
  async profiles(): Promise<ProfileOfUser[]> {
    return this.transport.json(`${await this.path()}/profiles`);
  }

  /**
   * Changes fields of a profile of this user; `null` removes one.
   *
   * @returns the profile from then on
   * @throws {AdornClientError} with status 400 if a value does not fit, and 404 if there is no such profile
   */
  async correctProfile(name: string, fields: Readonly<Record<string, unknown>>): Promise<ProfileOfUser> {
    requireText(name, 'name');
    requireObject(fields, 'fields');
    return this.transport.json(await this.profilePath(name), { method: 'PATCH', body: { fields } });
  }

  /**
   * Deletes a profile of this user.
   *
   * @throws {AdornClientError} with status 404 if there is no such profile
   */
  async deleteProfile(name: string): Promise<void> {
    requireText(name, 'name');
    await this.transport.json(await this.profilePath(name), { method: 'DELETE' });
  }

  private async profilePath(name: string): Promise<string> {
    return `${await this.path()}/profiles/${encodeURIComponent(name)}`;
  }

  private async memoryPath(id: string): Promise<string> {
    return `${await this.path()}/memories/${encodeURIComponent(id)}`;
  }

  private async wholeInbox(query: Pick<InboxQuery, 'tool' | 'olderThan'>): Promise<InboxRequest[]> {
    const found: InboxRequest[] = [];
    for (let after: string | undefined; ;) {
      const { requests, next } = await this.inbox({ ...query, after, limit: 1_000 });
      found.push(...requests);
      if (next === undefined) return found;
      after = next;
    }
  }

  /**
   * The conversation in which a request of the inbox waits. Who is not its user may answer the request there, and nothing else. No
   * request is sent.
   */
  sessionOf(request: Pick<PendingRequest, 'userId' | 'sessionId'>): ClientSession {
    requireObject(request, 'request');
    const { userId, sessionId } = request;
    requireText(userId, 'userId');
    requireText(sessionId, 'sessionId');
    const path = async () => `${await this.path()}/sessions/${encodeURIComponent(sessionId)}`;
    return new ClientSession(sessionId, this.transport.of(userId), path, this.options.maxReconnects ?? 10);
  }

  private async path(): Promise<string> {
    this.appName ??= this.findApp();
    return `/adorn/apps/${encodeURIComponent(await this.appName)}`;
  }

  private async findApp(): Promise<string> {
    if (this.options.app !== undefined) return this.options.app;
    const [first, ...others] = await this.apps();
    if (first !== undefined && others.length === 0) return first.name;
    throw new Error(
      'The server has several applications. Pass the name of one as "app" to createAdornClient.',
    );
  }
}

/** A conversation on the server. */
export class ClientSession {
  /** @internal */
  constructor(
    readonly id: string,
    private readonly transport: Transport,
    private readonly path: () => Promise<string>,
    private readonly maxReconnects: number,
  ) {}

  /** Sends a message. Iterate the run for its frames, or await it for the answer. */
  send(message: Message, options: SendOptions = {}): ClientRun {
    requireMessage(message, 'message');
    requireObject(options, 'options');
    const { signal, ...fields } = options;
    return this.run('/runs', { message, ...fields }, signal);
  }

  /**
   * Sends a message to the run that is open: read before its next model call (`now`, the default), after it (`next`), or in
   * its place (`instead`). With no run open it begins one. `follow(invocationId)` reads the run that reads it.
   */
  async post(message: Message, options: { readonly when?: ReadTime } = {}): Promise<PostedMessage> {
    requireMessage(message, 'message');
    requireObject(options, 'options');
    const path = `${await this.path()}/messages`;
    return this.transport.json(path, { method: 'POST', body: { message, ...options } });
  }

  /**
   * Says what this user thinks of an answer: good or bad, and why.
   *
   * ```ts
   * await chat.feedback(frame, { score: 0, comment: 'It has shipped.' });
   * ```
   *
   * @param answer a frame of the answer, or the id of its run
   * @returns the feedback; undefined if it is taken back
   */
  async feedback(
    answer: string | { readonly eventId: string },
    options: FeedbackOptions,
  ): Promise<Feedback | undefined> {
    requireAnswer(answer);
    requireObject(options, 'options');
    const about = typeof answer === 'string' ? { invocationId: answer } : { eventId: answer.eventId };
    const body = { ...about, ...options };
    const path = `${await this.path()}/feedback`;
    const { feedback } = await this.transport.json<{ feedback: Feedback | null }>(path, {
      method: 'POST',
      body,
    });
    return feedback ?? undefined;
  }

  /** Approves a call that waits for it, with other arguments if `args` are given. */
  approve(
    request: RequestReference,
    options: AnswerRequestOptions & {
      readonly args?: object;
      readonly payload?: unknown;
      /** `session`: the approval also covers later calls of the tool in the session. */
      readonly remember?: 'session';
    } = {},
  ): ClientRun {
    return this.answer(request, 'approve', options);
  }

  /** Rejects a call or an input that waits. The model reads the reason. */
  reject(
    request: RequestReference,
    options: AnswerRequestOptions & { readonly reason?: string } = {},
  ): ClientRun {
    return this.answer(request, 'reject', options);
  }

  /** Supplies what a call waits for: a credential, an input, or the result of a long-running tool. */
  supply(
    request: RequestReference,
    value: unknown,
    options: AnswerRequestOptions & { readonly willContinue?: boolean } = {},
  ): ClientRun {
    requireObject(options, 'options');
    return this.answer(request, 'supply', { value, ...options });
  }

  /** Lets another user answer a confirmation or an input, too. The request stays open. */
  delegate(request: RequestReference, to: string, options: AnswerRequestOptions = {}): ClientRun {
    requireText(to, 'to');
    requireObject(options, 'options');
    return this.answer(request, 'delegate', { to, ...options });
  }

  /**
   * Undoes what the tools of a run have done, the last call first; for developers of the application. `undo` of the last frame says what
   * has become of each call.
   *
   * ```ts
   * const { undo } = await chat.undo(invocationId);
   * ```
   *
   * @param options.calls the ids of the calls to undo. Default: all calls of the run
   */
  undo(
    invocationId: string,
    options: { readonly calls?: readonly string[]; readonly signal?: AbortSignal } = {},
  ): ClientRun {
    requireText(invocationId, 'invocationId');
    requireObject(options, 'options');
    const { signal, ...fields } = options;
    return this.run('/undo', { invocationId, ...fields }, signal);
  }

  /** The conversation, what waits for an answer, and the active run: what a page needs after a reload. */
  async history(): Promise<HistoryJson> {
    return this.transport.json(await this.path());
  }

  /** The requests that wait for an answer, oldest first. */
  async pending(): Promise<PendingRequest[]> {
    return this.transport.json(`${await this.path()}/requests`);
  }

  /**
   * The page of a call (MCP Apps), for the result of which a frame has `ui`; with what it shows and may call. The page is written by
   * others: show it in a sandbox of an origin of its own.
   */
  async ui(callId: string): Promise<CallUiJson> {
    return this.transport.json(await this.uiPath(callId));
  }

  /**
   * Calls a tool for the page of a call, as a call of the conversation: it passes every gate. Resolves to the result, or to what it
   * waits for: then answer that, and read the result by `uiCall`.
   *
   * @param callId the id of the call that the page shows
   * @param tool by the name that its server knows
   */
  async callFromUi(
    callId: string,
    tool: { readonly name: string; readonly arguments?: object | undefined },
  ): Promise<UiCallOutcome> {
    requireObject(tool, 'tool');
    requireText(tool.name, 'tool.name');
    return this.transport.json(`${await this.uiPath(callId)}/calls`, { method: 'POST', body: tool });
  }

  /** What has become of a call that a page has made. @param madeId the id of that call */
  async uiCall(callId: string, madeId: string): Promise<UiCallOutcome> {
    requireText(madeId, 'madeId');
    return this.transport.json(`${await this.uiPath(callId)}/calls/${encodeURIComponent(madeId)}`);
  }

  private async uiPath(callId: string): Promise<string> {
    requireText(callId, 'callId');
    return `${await this.path()}/calls/${encodeURIComponent(callId)}/ui`;
  }

  /** Reads a run that has begun, such as `activeRun` of the history. @param lastEventId the last event that is known */
  follow(invocationId: string, options: { lastEventId?: string; signal?: AbortSignal } = {}): ClientRun {
    requireText(invocationId, 'invocationId');
    requireObject(options, 'options');
    const { lastEventId, signal } = options;
    const open = async (connection: AbortSignal) => {
      const path = `${await this.path()}/runs/${encodeURIComponent(invocationId)}`;
      return this.transport.send(path, { lastEventId, signal: connection });
    };
    return this.opened(open, signal, invocationId);
  }

  /** The files of the session with their versions, from 0. */
  async artifacts(): Promise<ArtifactJson[]> {
    return this.transport.json(`${await this.path()}/artifacts`);
  }

  /** The bytes of a file, by default of its newest version; `blob.type` is its MIME type. */
  async artifact(name: string, version?: number): Promise<Blob> {
    requireText(name, 'name');
    const path = `${await this.path()}/artifacts/${encodeURIComponent(name)}`;
    const response = await this.transport.send(path, { query: { version } });
    const type = response.headers.get('x-artifact-type') ?? '';
    return new Blob([await response.arrayBuffer()], { type });
  }

  async rename(title: string): Promise<void> {
    requireText(title, 'title');
    await this.transport.json(await this.path(), { method: 'PATCH', body: { title } });
  }

  /** Writes keys of the session's state; `null` removes one. */
  async updateState(stateDelta: StateDelta): Promise<SessionJson> {
    requireObject(stateDelta, 'stateDelta');
    return this.transport.json(await this.path(), { method: 'PATCH', body: { stateDelta } });
  }

  /** Deletes the session with all its data. An active run is cancelled. */
  async delete(): Promise<void> {
    await this.transport.json(await this.path(), { method: 'DELETE' });
  }

  private answer(
    request: RequestReference,
    decision: string,
    options: AnswerRequestOptions & Readonly<Record<string, unknown>>,
  ): ClientRun {
    requireObject(options, 'options');
    if (typeof request !== 'string') requireObject(request, 'request');
    const id = typeof request === 'string' ? request : request.id;
    requireText(id, typeof request === 'string' ? 'request' : 'request.id');
    const { signal, ...fields } = options;
    return this.run(`/requests/${encodeURIComponent(id)}`, { decision, ...fields }, signal);
  }

  private run(path: string, body: ClientRequest['body'], signal: AbortSignal | undefined): ClientRun {
    const open = async (connection: AbortSignal) =>
      this.transport.send(`${await this.path()}${path}`, { method: 'POST', body, signal: connection });
    return this.opened(open, signal);
  }

  private opened(
    open: (signal: AbortSignal) => Promise<Response>,
    signal: AbortSignal | undefined,
    invocationId?: string,
  ): ClientRun {
    const { transport, maxReconnects } = this;
    return new ClientRun({ transport, maxReconnects, open, signal, invocationId, session: this.path });
  }
}

/** @throws {AdornClientError} if it is neither the id of a run nor a frame with the id of its event */
function requireAnswer(answer: string | { readonly eventId: string }): void {
  if (typeof answer !== 'string') {
    requireObject(answer, 'answer');
    requireText(answer.eventId, 'answer.eventId');
  } else requireText(answer, 'answer');
}

/** The frames of a response of `sse`, for an endpoint of your own. */
export async function* readFrames({ body }: Response): AsyncGenerator<Frame, void, undefined> {
  if (body === null) return;
  for await (const { data } of readEvents(body)) yield JSON.parse(data) as Frame;
}
