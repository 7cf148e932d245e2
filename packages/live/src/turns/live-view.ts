import type { Content, Event } from '@adorn/core';
import { isSameJson, type OpenTurn, toUserContent, type TurnModelRequest } from '@adorn/core/backend';
import type { LiveLine } from '../line/live-line.js';
import { eventAsText } from './live-words.js';
import type { TurnTaking } from './turn-taking.js';

/** What `beforeModel` has made of a message of the user. */
export interface JudgedMessage {
  readonly request: TurnModelRequest;
  /** The message for the model. */
  readonly sent: Content;
  /** The answer in place of the model's. */
  readonly answer: Content | undefined;
}

/** Something that the model was told and that is not stored, such as a steer. */
interface Aside {
  readonly content: Content;
  /** True if the model is to answer it. */
  readonly respond: boolean;
  /** The number of the newest event that had come by then: an answer that begins with an event up to it is none to it. */
  readonly at: number;
  /** True if a new connection begins with it anyway. */
  readonly isInRequest?: boolean;
}

/**
 * What the model of a live session is told. A connection begins with the request that the agent would send in a text run;
 * what is stored, said aside, or added by tools and instructions later is told to the connection that is open, and again to
 * one that takes its place and does not know it.
 */
export class LiveView {
  /** What was told and may be missing behind a handle, with the number of handles when the model got it. */
  private told: { readonly content: Content; readonly handles: number }[] = [];
  /** What the model was told and is not stored, until an answer has begun behind it. */
  private asides: Aside[] = [];
  /** What this connection was told of additions to its requests; true for what is told once. */
  private readonly added = new Map<string, boolean>();
  /** The opened tools that the connection has. */
  private opened = '';

  constructor(
    private readonly line: LiveLine,
    private readonly talk: TurnTaking,
  ) {}

  /** The request with which a connection begins, after the callbacks. */
  async firstRequest(turn: OpenTurn): Promise<TurnModelRequest> {
    const { agent, context, sink } = turn;
    const request = await turn.firstRequest();
    this.added.clear();
    this.newOf(request.added, true);
    this.opened = turn.opened;
    if (!agent.callbacks.beforeModel) return request;
    await agent.callbacks.beforeModel(request, request.callbackContext);
    const actions = request.drainActions();
    if (actions) await sink.emit(context.event({ author: agent.name, actions }));
    return request;
  }

  /** What a new connection has to answer of its history: at its end, or in front of the answer within which it came. */
  owedOf(history: readonly Content[]): {
    readonly history: readonly Content[];
    readonly owed: readonly Content[];
  } {
    const last = history.at(-1);
    if (!this.talk.isOwed) return { history, owed: [] };
    return last?.role === 'user'
      ? { history: history.slice(0, -1), owed: [last] }
      : { history, owed: this.talk.writtenWithin };
  }

  /** Has a connection that has begun with the whole history answer what it owes. */
  begin(owed: readonly Content[]): void {
    const asides = this.asides.filter(({ isInRequest }) => isInRequest !== true);
    const contents = [...owed, ...asides.map(({ content }) => content)];
    const isAsked = owed.length > 0 || asides.some(({ respond }) => respond);
    if (contents.length > 0) this.line.sendContents(contents, isAsked);
  }

  /** Tells a connection that was continued what came behind its handle, and has it answer what it owes. */
  catchUp(): void {
    const contents = this.told.map(({ content }) => content);
    const { isOwed } = this.talk;
    if (contents.length > 0 || isOwed) this.line.sendContents(contents, isOwed);
  }

  /** Forgets what the newest handle has. */
  forgetKnown(): void {
    const { handles } = this.line;
    this.told = this.told.filter((one) => one.handles >= handles);
  }

  /** True if tools or instructions add contents to requests, or callbacks judge messages. */
  isJudged({ agent, isAddedTo }: OpenTurn): boolean {
    return agent.callbacks.beforeModel !== undefined || isAddedTo;
  }

  /** Has the callbacks judge a message of the user, and sends the model what was added to its request. */
  async judged(turn: OpenTurn, message: Content): Promise<JudgedMessage> {
    const request = await turn.request();
    const { contents: before, added } = request;
    const response = await turn.agent.callbacks.beforeModel?.(request, request.callbackContext);
    const { contents: after } = request;
    const changed = (content: Content | undefined): Content | undefined => {
      const index = content ? before.indexOf(content) : -1;
      if (content && after.includes(content)) return content;
      return after.length === before.length ? after[index] : undefined;
    };
    const own = before.findLast((one) => isSameJson(one, message));
    this.sendNew(
      added.flatMap((content) => changed(content) ?? []),
      true,
    );
    return { request, sent: changed(own) ?? message, answer: response?.content };
  }

  /** Sends the model what a response has added to the request. */
  async sendAdded(turn: OpenTurn): Promise<void> {
    if (turn.isAddedTo) this.sendNew((await turn.request()).added, false);
  }

  /** True if tools were opened since the connection has begun. */
  hasNewTools({ opened }: OpenTurn): boolean {
    return opened !== this.opened;
  }

  /** Sends the model contents that are stored as it reads them. @param respond true if it answers them */
  send(contents: readonly Content[], respond: boolean): void {
    this.line.sendContents(contents, respond);
  }

  /** Sends the model a text for something that is stored. @param respond true if it answers it */
  sendText(text: string, respond: boolean): void {
    if (respond) this.talk.isOwed = true;
    this.line.sendContents([toUserContent(text)], respond);
  }

  /**
   * Sends the model a content that is not stored. Another connection gets it, too, until the model has begun an answer behind it.
   *
   * @param respond true if the model answers it; otherwise it reads it with whatever follows
   */
  sendUnstored(content: Content, respond: boolean): void {
    if (respond) this.talk.asked();
    this.sendAside({ content, respond });
  }

  /**
   * Notes a stored event, which a connection that is continued has to be told.
   *
   * @param place where the model got it, or made it. Default: it is sent in this tick. The event of a connection that was
   *   replaced meanwhile is told to the new one
   */
  remember(event: Event, place = this.line.place): void {
    const content = eventAsText(event);
    if (!content) return;
    const isKnown = this.line.knows(place);
    if (!isKnown) this.line.sendContents([content], false);
    this.keep(content, isKnown ? place.handles : this.line.handles);
  }

  /** An answer has begun: what is told again with each request may be told again. */
  answerBegan(): void {
    for (const [key, isOnce] of this.added) if (!isOnce) this.added.delete(key);
  }

  /** The model answers, or stays silent: it has read the asides that came before it began. */
  answered(): void {
    const began = this.talk.answersBefore;
    this.asides = this.asides.filter(({ at }) => at >= began);
    this.talk.answered();
  }

  private sendNew(added: readonly Content[], isOnce: boolean): void {
    for (const content of this.newOf(added, isOnce))
      this.sendAside({ content, respond: false, isInRequest: true });
  }

  private sendAside(aside: Omit<Aside, 'at'>): void {
    const { content, respond } = aside;
    this.asides.push({ ...aside, at: this.line.received });
    this.line.sendContents([content], respond);
    this.keep(content, this.line.handles);
  }

  /** Keeps what a connection that is continued has to be told. Without a handle, the next one gets the whole history. */
  private keep(content: Content, handles: number): void {
    if (this.line.resumptionHandle !== undefined) this.told.push({ content, handles });
  }

  /** The contents that were not sent before. @param isOnce false if they are sent again after the next answer */
  private newOf(contents: readonly Content[], isOnce: boolean): Content[] {
    return contents.filter((content) => {
      const key = JSON.stringify(content);
      if (this.added.has(key)) return false;
      this.added.set(key, isOnce);
      return true;
    });
  }
}
