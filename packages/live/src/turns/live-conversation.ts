import type { Content, Event } from '@adorn/core';
import { type OpenTurn, toUserContent } from '@adorn/core/backend';
import type { LiveLine } from '../line/live-line.js';
import { LiveCalls } from './live-calls.js';
import { eventAsText } from './live-words.js';

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

/** What the agents of a live session share. */
export class LiveConversation {
  readonly calls = new LiveCalls();
  /** The turns of the agents that have spoken, by their paths: their calls may be answered while another one speaks. */
  readonly turns = new Map<string, OpenTurn>();
  /** True if the user, or a result, waits for the model. */
  isOwed: boolean;
  /** Whether an answer to the result of a call is due, or has begun. */
  private answerToResult: 'none' | 'due' | 'begun' = 'none';
  /** True if the user has said or written something within an answer: the next one is to answer it. */
  isAhead = false;
  /** What the user has written within an answer. It is stored in front of the answer. */
  private written: Content[] = [];
  /** What was stored and may be missing behind a handle, with the number of handles when the model got it. */
  private told: { readonly content: Content; readonly handles: number }[] = [];
  /** What the model was told and is not stored, until an answer has begun behind it. */
  private asides: Aside[] = [];
  /** What this connection was told of additions to its requests; true for what is told once. */
  private readonly added = new Map<string, boolean>();
  /** True from the first piece of an answer to its end, or to a call. */
  private isSpeaking = false;
  /** The number of the event with which the newest answer began. */
  private began = 0;
  /** The number of the newest event that had come when the user wrote: an answer that begins up to it is none. */
  private writtenAt = -1;
  /** True if the model got a response that it answers, and has said nothing since. */
  private hasResult = false;

  private constructor(
    private readonly line: LiveLine,
    first: OpenTurn,
  ) {
    this.isOwed = first.isUnanswered;
  }

  /** The conversation of a session. The first agent begins it. */
  static of(line: LiveLine, turn: OpenTurn): LiveConversation {
    let conversation = conversations.get(line);
    if (!conversation) {
      conversation = new LiveConversation(line, turn);
      conversations.set(line, conversation);
    }
    return conversation;
  }

  /**
   * Sends the model a content that is not stored. Another connection gets it, too, until the model has begun an answer behind it.
   *
   * @param respond true if the model answers it; otherwise it reads it with whatever follows
   */
  sendUnstored(content: Content, respond: boolean): void {
    const { line } = this;
    if (respond) this.isOwed = true;
    this.asides.push({ content, respond, at: line.received });
    line.sendContents([content], respond);
    if (line.resumptionHandle !== undefined) this.told.push({ content, handles: line.handles });
  }

  /**
   * Sends the model what a request holds beside the conversation, such as a file that it has loaded. A new connection begins
   * with it.
   */
  sendAdded(content: Content): void {
    const { line } = this;
    this.asides.push({ content, respond: false, at: line.received, isInRequest: true });
    line.sendContents([content], false);
    if (line.resumptionHandle !== undefined) this.told.push({ content, handles: line.handles });
  }

  /** True for a content that was not sent before. @param isOnce false if it is sent again after the next answer */
  isNews(content: Content, isOnce: boolean): boolean {
    const key = JSON.stringify(content);
    if (this.added.has(key)) return false;
    this.added.set(key, isOnce);
    return true;
  }

  /** Another connection begins. */
  forgetAdded(): void {
    this.added.clear();
  }

  /** The model has called a tool: its next answer is to the result, whatever the user says meanwhile. */
  called(): void {
    this.answerToResult = 'due';
    this.endSpeaking();
  }

  /** A result was sent that the model is to answer. */
  resultSent(): void {
    this.isOwed = true;
    this.hasResult = true;
    this.answerToResult = 'due';
  }

  /** True if a response was sent since the last call: what the model says now is another answer. */
  takeResult(): boolean {
    const { hasResult } = this;
    this.hasResult = false;
    return hasResult;
  }

  /** The user speaks. @param isQuestionKnown true if the newest answer began with a known question: these words are not it */
  heard(isQuestionKnown: boolean): void {
    this.isOwed = true;
    if (isQuestionKnown && this.answerToResult !== 'none') this.isAhead = true;
  }

  /** A piece of an answer has come. */
  spoke(): void {
    if (this.answerToResult === 'due') this.answerToResult = 'begun';
    if (this.isSpeaking) return;
    for (const [key, isOnce] of this.added) if (!isOnce) this.added.delete(key);
    this.isSpeaking = true;
    this.began = this.line.taken;
  }

  /** The model answers, or stays silent. Its answer is none to what came when it had begun. */
  answered(): void {
    const began = this.isSpeaking ? this.began : this.line.taken;
    this.asides = this.asides.filter(({ at }) => at >= began);
    if (this.isAhead) return;
    this.isOwed = this.writtenAt >= began || this.asides.some(({ respond }) => respond);
    this.written = [];
  }

  /** The user has written something that the model is to answer. */
  owe(): void {
    this.isOwed = true;
    this.writtenAt = this.line.received;
  }

  /** True from the first piece of an answer to its end, or to a call. */
  get isAnswering(): boolean {
    return this.isSpeaking;
  }

  private endSpeaking(): void {
    this.isSpeaking = false;
  }

  /** Notes a message of the user that came while the model was speaking. */
  writtenWithin(content: Content): void {
    this.isAhead = true;
    this.written.push(content);
  }

  /** The answer is over: what comes from the model now is another one. The turn of a call may end behind its result. */
  endAnswer(): void {
    this.endSpeaking();
    if (this.answerToResult === 'due') return;
    this.isAhead = false;
    this.answerToResult = 'none';
  }

  /** What a new connection has to answer of its history: at its end, or in front of the answer within which it came. */
  owedOf(history: readonly Content[]): {
    readonly history: readonly Content[];
    readonly owed: readonly Content[];
  } {
    const last = history.at(-1);
    if (!this.isOwed) return { history, owed: [] };
    return last?.role === 'user'
      ? { history: history.slice(0, -1), owed: [last] }
      : { history, owed: this.written };
  }

  /** Sends the model a text. @param respond true if it answers it */
  sendText(text: string, respond: boolean): void {
    if (respond) this.isOwed = true;
    this.line.sendContents([toUserContent(text)], respond);
  }

  /**
   * Notes a stored event, which a connection that is continued has to be told.
   *
   * @param place where the model got it, or made it. Default: it is sent in this tick. The event of a connection that was
   *   replaced meanwhile is told to the new one
   */
  remember(event: Event, place = this.line.place): void {
    const { line } = this;
    const content = eventAsText(event);
    if (!content) return;
    const isKnown = line.knows(place);
    if (!isKnown) line.sendContents([content], false);
    // Without a handle, the next connection gets the whole history.
    if (line.resumptionHandle !== undefined)
      this.told.push({ content, handles: isKnown ? place.handles : line.handles });
  }

  /** Has a connection that has begun with the whole history answer what it owes. */
  begin(owed: readonly Content[]): void {
    const asides = this.asides.filter(({ isInRequest }) => isInRequest !== true);
    const contents = [...owed, ...asides.map(({ content }) => content)];
    const isAsked = owed.length > 0 || asides.some(({ respond }) => respond);
    if (contents.length > 0) this.line.sendContents(contents, isAsked);
  }

  /** Forgets what the newest handle has. */
  forgetKnown(): void {
    const { handles } = this.line;
    this.told = this.told.filter((one) => one.handles >= handles);
  }

  /** Tells a connection that was continued what came behind its handle, and has it answer what it owes. */
  catchUp(): void {
    const contents = this.told.map(({ content }) => content);
    if (contents.length > 0 || this.isOwed) this.line.sendContents(contents, this.isOwed);
  }
}

const conversations = new WeakMap<LiveLine, LiveConversation>();
