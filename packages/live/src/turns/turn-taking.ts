import type { Content } from '@adorn/core';
import type { LiveLine } from '../line/live-line.js';

/**
 * Who is to speak next in a live conversation: what waits for the model, and whether an answer of it is one to that. Where
 * something "came" is the number of the newest event that the session had received by then.
 */
export class TurnTaking {
  /** True if the user, or a result, waits for the model. */
  isOwed: boolean;
  /** Whether an answer to the result of a call is due, or has begun. */
  private answerToResult: 'none' | 'due' | 'begun' = 'none';
  /** True if the user has said or written something within an answer: the next one is to answer it. */
  isAhead = false;
  /** What the user has written within an answer. It is stored in front of the answer. */
  private written: Content[] = [];
  private isSpeaking = false;
  /** The number of the event with which the newest answer began. */
  private began = 0;
  /** Where the newest text that the model is to answer came. */
  private askedAt = -1;
  /** True if the model got a response that it answers, and has said nothing since. */
  private hasResult = false;

  constructor(
    private readonly line: Pick<LiveLine, 'received' | 'taken'>,
    isOwed: boolean,
  ) {
    this.isOwed = isOwed;
  }

  /** True from the first piece of an answer to its end, or to a call. */
  get isAnswering(): boolean {
    return this.isSpeaking;
  }

  /** The newest answer is none to what came here or later. */
  get answersBefore(): number {
    return this.isSpeaking ? this.began : this.line.taken;
  }

  /** What the user has written within the answer that goes on. */
  get writtenWithin(): readonly Content[] {
    return this.written;
  }

  /** The model is sent a text that it is to answer. */
  asked(): void {
    this.isOwed = true;
    this.askedAt = this.line.received;
  }

  /** The user speaks. @param isQuestionKnown true if the newest answer began with a known question: these words are not it */
  heard(isQuestionKnown: boolean): void {
    this.isOwed = true;
    if (isQuestionKnown && this.answerToResult !== 'none') this.isAhead = true;
  }

  /** The user has written a message while the model was speaking. */
  wroteWithin(content: Content): void {
    this.isAhead = true;
    this.written.push(content);
  }

  /** The model has called a tool: its next answer is to the result, whatever the user says meanwhile. */
  called(): void {
    this.answerToResult = 'due';
    this.isSpeaking = false;
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

  /** A piece of an answer has come. @returns true for the first one */
  spoke(): boolean {
    if (this.answerToResult === 'due') this.answerToResult = 'begun';
    if (this.isSpeaking) return false;
    this.isSpeaking = true;
    this.began = this.line.taken;
    return true;
  }

  /** The model answers, or stays silent. Its answer is none to what came when it had begun. */
  answered(): void {
    if (this.isAhead) return;
    this.isOwed = this.askedAt >= this.answersBefore;
    this.written = [];
  }

  /** The answer is over: what comes from the model now is another one. The turn of a call may end behind its result. */
  ended(): void {
    this.isSpeaking = false;
    if (this.answerToResult === 'due') return;
    this.isAhead = false;
    this.answerToResult = 'none';
  }
}
