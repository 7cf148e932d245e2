import { type CallbackContext, type Content, type Event, type FunctionCall } from '@adorn/core';
import {
  type EventBody,
  type LiveEvent,
  type OpenTurn,
  type OperationEnd,
  type Said,
  startTimer,
  type Step,
  type TurnModelRequest,
} from '@adorn/core/backend';
import type { LinePlace, LiveItem } from '../line/live-line.js';
import { afterModel } from './after-model.js';
import { AnsweredQuestions } from './answered-questions.js';
import { failureOf } from './live-failure.js';
import { LiveMessages } from './live-messages.js';
import type { LiveParts } from './live-parts.js';
import { LiveWords } from './live-words.js';
import { ObservedResponses } from './observed-responses.js';
import { show, showPiece, transcript } from './show-piece.js';

type EventOf<Kind extends LiveEvent['kind']> = Extract<LiveEvent, { kind: Kind }>;

/** An answer that holds code, and the request whose tools run it. */
export type WrittenCode = { readonly said: Said; readonly request: TurnModelRequest };

/**
 * What is said in one agent's part of a live session. The user's words, spoken or written, pass `onUserMessage`, the guardrails
 * and `beforeModel`; the model's pass `onModelPiece`, `afterModel` and the guardrails, and its failures `onModelError`. Each is
 * stored once, in the order of question and answer, however late a question is transcribed.
 */
export class LiveIntake {
  private readonly words = new LiveWords();
  private readonly questions = new AnsweredQuestions();
  private readonly observed: ObservedResponses;
  private readonly messages: LiveMessages;
  /** Where the newest event arrived. */
  private place: LinePlace;
  /** True from the first piece of an answer to the end of the model's turn. */
  isAnswering = false;
  /** True if the answer began with a known question. Otherwise its question is spoken, and its transcript comes late. */
  private isQuestionKnown = false;
  /** True until the end of a turn that was interrupted. */
  private isInterrupted = false;
  /** True until the end of a turn whose answer is dropped: it was refused, or a callback has answered instead. */
  private isDropped = false;
  /** The context of the callbacks that see the answer that goes on. */
  private answerContext: CallbackContext | undefined;
  /** Ends the wait for the words of the question that a turn has answered. Defined while the end of the turn waits. */
  private stopWaiting: (() => void) | undefined;

  constructor(
    private readonly turn: OpenTurn,
    private readonly parts: LiveParts,
  ) {
    this.observed = new ObservedResponses(turn, parts.line);
    this.messages = new LiveMessages(turn, parts);
    this.place = parts.line.place;
  }

  /** An event has arrived. What the connection before has said is stored, and told to the one that goes on. */
  async arrive(place: LinePlace): Promise<void> {
    if (place.connection !== this.place.connection) {
      await this.flush();
      this.isInterrupted = false;
      this.isDropped = false;
    }
    this.place = place;
  }

  // What the user says.

  /**
   * Notes words that the user has spoken. Those that an answer is already given to are not owed one.
   *
   * @returns true if the end of a turn has waited for them
   */
  async hear(event: EventOf<'inputTranscript'>): Promise<boolean> {
    const { line, talk } = this.parts;
    const before = this.questions.answerTo(event.utterance, event.finished === true);
    const isAnswered = before !== undefined || this.isWaiting || this.questions.isAnswering;
    this.words.addHeard(event.text, before);
    if (!isAnswered) talk.heard(this.isQuestionKnown);
    await show(this.turn, { author: 'user', inputTranscription: transcript(event) });
    line.heard.publish({ kind: 'text', text: event.text });
    if (event.finished !== true) return false;
    if (this.isWaiting) return true;
    // A later event would stand between the words and their answer.
    if (before !== undefined) await this.flushHeard();
    return false;
  }

  /** The user has begun, or ended, to speak. */
  async noteActivity({ activity, utterance }: EventOf<'speech'>): Promise<void> {
    if (utterance !== undefined) this.questions.ended(utterance);
    await show(this.turn, { voiceActivity: { voiceActivityType: `ACTIVITY_${activity.toUpperCase()}` } });
  }

  /**
   * Stores and sends a text that the user has written, or sends one that is not stored.
   *
   * @returns true if `beforeModel` has answered it
   */
  async takeText({
    content,
    isOfUser,
    respond,
    mail,
  }: Extract<LiveItem, { kind: 'text' }>): Promise<boolean> {
    const { line, view, talk } = this.parts;
    if (!isOfUser) {
      this.observed.noteInput(content);
      view.sendUnstored(content, respond);
      return false;
    }
    await this.flushHeard();
    const stored = await this.messages.store(content, { mail });
    if (!stored) return false;
    const message = stored.content ?? content;
    for (const { text = '' } of message.parts ?? []) line.heard.publish({ kind: 'text', text });
    view.remember(stored);
    if (respond && this.words.hasSaid) talk.wroteWithin(message);
    const { sent, answer } = await this.messages.judge(message);
    if (answer) {
      view.send([sent, answer], false);
      return true;
    }
    this.observed.noteInput(sent);
    if (respond) talk.asked();
    view.send([sent], respond);
    return false;
  }

  /** The model does not answer what the user has said. */
  async stayedSilent(): Promise<void> {
    this.parts.view.answered();
    await this.flushHeard();
  }

  // What the model says.

  /** The first piece of an answer counts as one call of the model, and so does the first one behind a response. */
  async beginAnswer(): Promise<Step | undefined> {
    const { line, view, talk } = this.parts;
    const isAfterResult = talk.takeResult();
    if (!this.isAnswering) this.isQuestionKnown = talk.isOwed;
    if (talk.spoke()) view.answerBegan();
    view.answered();
    if (this.isAnswering && !isAfterResult) {
      this.observed.begin();
      return undefined;
    }
    this.words.beginAnswer();
    if (!this.isAnswering) {
      this.isAnswering = true;
      this.questions.begin(line.takeSpeech() && !this.isQuestionKnown);
      if (!talk.isAhead) await this.flushHeard();
    }
    this.observed.begin();
    return this.turn.spendCall();
  }

  /** Notes and shows a piece of an answer. @param atMs how much of the answer had been spoken by then */
  async say(event: EventOf<'text' | 'outputTranscript'>, atMs: number): Promise<void> {
    if (this.isDropped) return;
    this.words.say(event, atMs);
    await showPiece(this.turn, event, () => (this.answerContext ??= this.turn.callbackContext()));
  }

  /** Notes what belongs to the answer: what it has used, or its sources. */
  note(event: EventOf<'usage' | 'grounding'>): void {
    if (event.kind === 'usage') this.words.noteUsage(event.usage);
    else this.words.noteGrounding(event.grounding);
  }

  /**
   * Stores what the model has said before its calls, which is part of their answer.
   *
   * @returns what the model has used for them; undefined if the answer was refused: its calls are, too
   */
  async beforeCalls(
    calls: readonly FunctionCall[],
  ): Promise<{ readonly usage: EventBody['usageMetadata'] } | undefined> {
    const { line, talk } = this.parts;
    const said = this.isDropped ? undefined : await this.storeBeforeCalls();
    if (this.isDropped) {
      line.sendToolResponses(calls.map(({ id = '', name = '' }) => ({ id, name, response: DROPPED })));
      return undefined;
    }
    const parts = [...(said?.content?.parts ?? []), ...calls.map((functionCall) => ({ functionCall }))];
    this.observed.end(COMPLETED, { ...said, content: { role: 'model', parts } });
    talk.called();
    return { usage: this.words.takeUsage() };
  }

  /** The calls of the answer were stored. */
  storedCalls({ id }: Event): void {
    this.questions.answered(id);
  }

  /** The answer was interrupted. @param isPresent false if an earlier connection says so */
  async interrupted(playedMs: number, isPresent: boolean): Promise<void> {
    const { line, talk } = this.parts;
    this.observed.end(COMPLETED, { ...(await this.flush(playedMs)), finishReason: 'INTERRUPTED' });
    if (!isPresent) return;
    line.beginAnswer();
    talk.ended();
    this.isInterrupted = true;
  }

  /**
   * Has the end of the model's turn wait for the words of the question that it has answered.
   *
   * @returns false if they are known, or do not come
   */
  awaitQuestion(): boolean {
    if (this.isWaiting || !this.questions.isAwaited || this.words.hasHeard) return false;
    this.stopWaiting = startTimer(this.turn.context.services.clock, TRANSCRIPT_MS, () => {
      this.parts.line.post(OVERDUE);
    });
    return true;
  }

  /** True while the end of the model's turn waits for the words that it has answered. */
  get isWaiting(): boolean {
    return this.stopWaiting !== undefined;
  }

  /** The turn of the model is over: its answer is stored. @returns the code in it, which is to run before anything is stored */
  async endAnswer(): Promise<WrittenCode | undefined> {
    const { line, view, talk } = this.parts;
    this.stopWait();
    this.isAnswering = false;
    const said = await this.takeCheckedSaid();
    this.isDropped = false;
    this.observed.end(COMPLETED, said);
    const request = said?.content && (await this.turn.requestWithCode(said.content));
    this.questions.end();
    if (said && request) {
      line.beginAnswer();
      return { said, request };
    }
    if (said) await this.storeSaid(said);
    else await this.endWordless();
    await this.flushHeard();
    // The end of an interrupted turn is no answer to what the user has said meanwhile.
    if (!said && !this.isInterrupted && line.isPresent(this.place)) view.answered();
    this.isInterrupted = false;
    talk.ended();
    line.beginAnswer();
    return undefined;
  }

  /** True for the refusal of an answer that does not end the session. The answer is dropped, and the refusal is stored. */
  async isAnswerRefused(error: unknown): Promise<boolean> {
    const { turn, parts } = this;
    const refusal = parts.line.options.onTripwire === 'continue' ? turn.refusalOf(error) : undefined;
    if (!refusal) return false;
    this.dropAnswer();
    await turn.sink.emit(refusal);
    return true;
  }

  /** The connection has failed. @returns the event of the failure, which is not stored */
  async fail({ code, message }: EventOf<'error'>): Promise<Event> {
    this.observed.end({ status: 'failed', errorCode: code }, await this.flush(undefined, false));
    return failureOf(this.turn, { code, message });
  }

  // The connection, and the end.

  /** Another connection is about to be opened: what was said so far is stored. */
  async breakOff(): Promise<void> {
    this.observed.end(CANCELLED, await this.flush());
  }

  /** A connection was opened: what comes from it is another answer. */
  connected(): void {
    this.isAnswering = false;
    this.questions.end();
    this.parts.talk.ended();
  }

  /** Stores what was said so far, unless it is refused. @param turnComplete false if the turn goes on */
  async flush(playedMs?: number, turnComplete = true): Promise<Said | undefined> {
    const said = await this.takeCheckedSaid(playedMs);
    if (said) await this.storeSaid(said, turnComplete);
    await this.flushHeard();
    return said;
  }

  /** Nothing more is taken; what was said and is not stored is lost. */
  stop(): void {
    this.observed.end(CANCELLED);
    this.stopWait();
  }

  /** Stores what the model has used since its newest event. */
  async storeUsage(): Promise<void> {
    const { turn } = this;
    const usageMetadata = this.words.takeUsage();
    if (usageMetadata) await turn.sink.emit(turn.countedEvent({ usageMetadata }, 0));
  }

  private stopWait(): void {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
  }

  /** Drops the answer that goes on, or has just ended: nothing more of it is heard, shown or stored. */
  private dropAnswer(): void {
    const { line } = this.parts;
    this.words.dropSaid();
    this.isDropped = this.isAnswering && !this.isWaiting;
    if (this.isDropped && line.isPresent(this.place)) line.dropAnswer();
    else line.stopSpeech();
  }

  private async storeBeforeCalls(): Promise<Said | undefined> {
    const said = await this.takeCheckedSaid();
    if (said) await this.storeSaid(said, false, 0);
    await this.flushHeard();
    return said;
  }

  /** Ends a turn of which no word is known. What it has used is stored. */
  private async endWordless(): Promise<void> {
    const { turn } = this;
    const usageMetadata = this.words.takeUsage();
    if (!usageMetadata) return show(this.turn, { turnComplete: true });
    await turn.sink.emit(turn.countedEvent({ usageMetadata, turnComplete: true }, 1));
  }

  /** The fields of an event with what was said so far, after the callbacks; undefined if that is nothing. */
  private async takeSaid(playedMs?: number): Promise<Said | undefined> {
    const { line, talk } = this.parts;
    if (!talk.isAhead) await this.flushHeard();
    const said = this.words.takeSaid(playedMs);
    if (!said) return undefined;
    const context = (this.answerContext ??= this.turn.callbackContext());
    this.answerContext = undefined;
    const changed = await afterModel(this.turn, said, context);
    // Speech cannot be changed: what was to be heard is not what is stored.
    if (changed.content !== said.content) line.output.dropAudio();
    line.output.release();
    return { ...changed, interrupted: playedMs === undefined ? undefined : true };
  }

  /** As `takeSaid`; undefined, too, if the answer was refused and the session goes on. */
  private async takeCheckedSaid(playedMs?: number): Promise<Said | undefined> {
    try {
      return await this.takeSaid(playedMs);
    } catch (error) {
      if (await this.isAnswerRefused(error)) return undefined;
      throw error;
    }
  }

  /** @param llmCalls counted with the event. Default: one */
  private async storeSaid(said: Said, turnComplete = true, llmCalls?: number): Promise<void> {
    const { turn } = this;
    const isFinal = turnComplete && said.interrupted !== true;
    const body = { ...said, actions: turn.withOutput(said, isFinal), turnComplete };
    const event = llmCalls === undefined ? turn.event(body) : turn.countedEvent(body, llmCalls);
    await turn.sink.emit(event);
    this.questions.answered(event.id);
    this.parts.view.remember(event, this.place);
  }

  private async flushHeard(): Promise<void> {
    const heard = this.words.takeHeard();
    if (!heard) return;
    const before = heard.before ?? this.questions.newestAnswer;
    this.questions.heard();
    const stored = await this.messages.store(heard.content, { before });
    if (!stored) return;
    const message = stored.content ?? heard.content;
    this.observed.noteInput(message);
    this.parts.view.remember(stored, this.place);
    const { answer } = await this.messages.judge(message, before !== undefined);
    if (answer) this.sendReplacement(answer);
  }

  /** The model has heard the words that a callback has answered: its own answer, if one goes on, is dropped. */
  private sendReplacement(answer: Content): void {
    const { view } = this.parts;
    if (this.isAnswering || this.words.hasSaid) this.dropAnswer();
    view.send([answer], false);
    view.answered();
  }
}

/** Milliseconds that the end of a turn waits for the words that it has answered. */
const TRANSCRIPT_MS = 2_000;
/** What a model reads of calls of an answer that was dropped. */
const DROPPED = Object.freeze({ error: 'The answer was not accepted, so its calls do not run.' });
const OVERDUE: LiveItem = Object.freeze({ kind: 'overdue' });

const COMPLETED: OperationEnd = Object.freeze({ status: 'completed' });
const CANCELLED: OperationEnd = Object.freeze({ status: 'cancelled' });
