/* eslint-disable max-lines -- the loop of a live session, and what each item does to its one state */
import { type CallbackContext, type Content, type Event, type FunctionCall, joinText } from '@adorn/core';
import {
  describeThrown,
  type EventBody,
  type LiveDirection,
  type LiveEvent,
  type MessagePlace,
  type OpenTurn,
  type OperationEnd,
  type Performed,
  type Said,
  startTimer,
  type Step,
  toUserContent,
  type TurnModelRequest,
} from '@adorn/core/backend';
import type { LinePlace, LiveEventItem, LiveItem, LiveLine } from '../line/live-line.js';
import { AnsweredQuestions } from './answered-questions.js';
import { LiveCallRunner } from './live-call-runner.js';
import { LiveConversation } from './live-conversation.js';
import { liveModelOf, setupOf } from './live-setup.js';
import { LiveView } from './live-view.js';
import { LiveWords } from './live-words.js';
import { ObservedResponses } from './observed-responses.js';

/**
 * One agent's part of a live session: the counterpart of `runTurns`. Calls pass the same gates and are answered by the
 * same events; the model is a connection that is open.
 */
export async function runLiveTurns(turn: OpenTurn, line: LiveLine): Promise<Performed> {
  const { agent, context, sink } = turn;
  if (context.branch !== undefined) {
    await sink.emit(context.event({ ...besideOthers(agent.name), turnComplete: true }));
    return 'done';
  }
  const conversation = LiveConversation.of(line, turn);
  line.onCancelled = (ids) => conversation.calls.cancel(ids);
  return new LiveTurns(turn, line, conversation).run();
}

/** Undefined: the session goes on. */
type Next = Step | undefined;

class LiveTurns {
  private readonly words = new LiveWords();
  private readonly view: LiveView;
  private readonly calls: LiveCallRunner;
  private readonly observed: ObservedResponses;
  private isAnswering = false;
  /** True if the answer began with a known question. Otherwise its question is spoken, and its transcript comes late. */
  private isQuestionKnown = false;
  /** True until the end of a turn that was interrupted. */
  private isInterrupted = false;
  /** Where the newest event arrived. */
  private place: LinePlace;
  private renews = false;
  /** The context of the callbacks that see the answer that goes on. */
  private answerContext: CallbackContext | undefined;
  /** True until the end of a turn whose answer is dropped: it was refused, or a callback has answered instead. */
  private isDropped = false;
  private readonly questions = new AnsweredQuestions();
  /** Ends the wait for the words of the question that a turn has answered. Defined while the end of the turn waits. */
  private stopWaiting: (() => void) | undefined;
  private stopTimer: (() => void) | undefined;

  constructor(
    private readonly turn: OpenTurn,
    private readonly line: LiveLine,
    private readonly shared: LiveConversation,
  ) {
    this.view = new LiveView(turn, shared);
    this.calls = new LiveCallRunner(turn, line, shared, this.view);
    this.observed = new ObservedResponses(turn, line);
    line.onResponses = (responses) => this.calls.change(responses);
    this.place = line.place;
  }

  async run(): Promise<Performed> {
    const { turn, line } = this;
    try {
      const begun = await this.begin();
      for (let next: Next = begun; ; next = await this.handled(await line.next())) {
        if (!next) continue;
        if (next.kind === 'end') {
          await this.leave();
          if (next.event) await turn.sink.emit(next.event);
          return 'done';
        }
        if (next.kind === 'transfer') {
          await this.flush();
          await this.storeUsage();
          const end = await this.handOver(next);
          if (end !== undefined) return end;
        }
      }
    } catch (error) {
      await this.leave().catch(ignore);
      throw error;
    }
  }

  private async begin(): Promise<Next> {
    const { turn, shared } = this;
    shared.turns.set(turn.context.path, turn);
    const resumed = await turn.resumption();
    if (resumed.kind === 'calls') this.calls.rerun(resumed.batch, turn);
    const failed = await this.connect();
    if (failed) return failed;
    await this.callBack('onLiveStart');
    return undefined;
  }

  /** Hands over, or has a called agent run by text. Undefined: this agent goes on. */
  private async handOver(step: Extract<Step, { kind: 'transfer' }>): Promise<Performed | undefined> {
    const { turn, shared } = this;
    let answer = '';
    const emit = (event: Event): Promise<void> => {
      if (!event.partial && event.text !== '') answer = event.text;
      return turn.sink.emit(event);
    };
    const performed = await turn.transfer(step, { emit });
    if (performed !== undefined) return performed;
    shared.sendText(`[${step.successor.name} answered: ${answer}]`, true);
    return undefined;
  }

  /** Handles an item. The refusal of a guardrail stops the speech, and ends the session as it ends a run. */
  private async handled(item: LiveItem): Promise<Next> {
    const { turn } = this;
    try {
      const next = await this.handle(item);
      if (next || !turn.isSpent) return next;
    } catch (error) {
      if (await this.isAnswerRefused(error)) return undefined;
      if (!turn.endIfTripped(error)) throw error;
    }
    this.line.interrupt();
    return { kind: 'end' };
  }

  /** True for the refusal of an answer that does not end the session. The answer is dropped, and the refusal is stored. */
  private async isAnswerRefused(error: unknown): Promise<boolean> {
    const { line, turn } = this;
    const refusal = line.options.onTripwire === 'continue' ? turn.refusalOf(error) : undefined;
    if (!refusal) return false;
    this.dropAnswer();
    await turn.sink.emit(refusal);
    return true;
  }

  /** Drops the answer that goes on, or has just ended: nothing more of it is heard, shown or stored. */
  private dropAnswer(): void {
    this.words.dropSaid();
    this.isDropped = this.isAnswering && !this.isWaiting;
    if (this.isDropped) this.line.dropAnswer();
    else this.line.stopSpeech();
  }

  private async handle(item: LiveItem): Promise<Next> {
    if (this.isWaiting && endsWait(item) && !this.turn.context.cancellation.isCancelled) {
      const next = await this.endWaitingTurn();
      if (next) {
        this.line.putBack(item);
        return next;
      }
    }
    switch (item.kind) {
      case 'event':
        return this.take(item);
      case 'text':
        return this.takeText(item);
      case 'answers':
        return this.storeAnswers(item.take);
      case 'reconnect':
        return this.line.isPresent(item) ? this.connect() : undefined;
      case 'silence':
        return this.endSilentTurn();
      case 'overdue':
        return undefined;
      case 'timer':
        return this.afterCallback('onLiveTimer');
      case 'refused':
        throw item.error;
      case 'wake':
        return this.calls.respondToEnded();
      case 'close':
        return this.close();
    }
  }

  private async take({ event, atMs, playedMs, isMuted, ...place }: LiveEventItem): Promise<Next> {
    // What the connection before has said is told to the one that goes on.
    if (place.connection !== this.place.connection) {
      await this.flush();
      this.isInterrupted = false;
    }
    this.place = place;
    const isPresent = this.line.isPresent(place);
    switch (event.kind) {
      case 'inputTranscript':
        return this.onUserWords(event);
      case 'outputTranscript':
      case 'text': {
        const end = await this.beginAnswer();
        if (end) return end;
        if (this.isDropped || isMuted) return undefined;
        this.words.say(event, atMs);
        await this.showPiece(event);
        return undefined;
      }
      case 'toolCall': {
        const fresh = this.calls.withoutRepeated(event.calls);
        if (fresh.length === 0) return undefined;
        return (await this.beginAnswer()) ?? this.takeCalls(fresh, place);
      }
      case 'toolCallCancellation':
        return this.calls.respondToEnded();
      case 'interrupted':
        this.observed.end(COMPLETED, { ...(await this.flush(playedMs)), finishReason: 'INTERRUPTED' });
        if (!isPresent) return undefined;
        this.line.beginAnswer();
        this.shared.endAnswer();
        this.isInterrupted = true;
        return undefined;
      case 'turnComplete':
        return this.endTurn();
      case 'goAway':
        return this.isAnswering || !isPresent ? undefined : this.connect();
      case 'resumption':
        this.shared.forgetKnown();
        return undefined;
      case 'usage':
        this.words.noteUsage(event.usage);
        return undefined;
      case 'grounding':
        this.words.noteGrounding(event.grounding);
        return undefined;
      case 'speech':
        if (event.utterance !== undefined) this.questions.ended(event.utterance);
        await this.show({ voiceActivity: { voiceActivityType: `ACTIVITY_${event.activity.toUpperCase()}` } });
        return undefined;
      case 'error':
        return this.failed(event, isPresent);
      default:
        return undefined;
    }
  }

  /** Notes words of the user. Those that an answer is already given to are not owed one. */
  private async onUserWords(event: Extract<LiveEvent, { kind: 'inputTranscript' }>): Promise<Next> {
    const before = this.questions.answerTo(event.utterance, event.finished === true);
    const isAnswered = before !== undefined || this.isWaiting || this.questions.isAnswering;
    this.words.addHeard(event.text, before);
    if (!isAnswered) this.shared.heard(this.isQuestionKnown);
    await this.show({ author: 'user', inputTranscription: transcript(event) });
    this.line.heard.publish({ kind: 'text', text: event.text });
    if (event.finished !== true) return undefined;
    if (this.isWaiting) return this.endWaitingTurn();
    // A later event would stand between the words and their answer.
    if (before !== undefined) await this.flushHeard();
    return undefined;
  }

  /** The first piece of an answer counts as one call of the model, and so does the first one behind a response. */
  private async beginAnswer(): Promise<Next> {
    const { turn, shared } = this;
    const isAfterResult = shared.takeResult();
    if (!this.isAnswering) this.isQuestionKnown = shared.isOwed;
    shared.spoke();
    shared.answered();
    if (this.isAnswering && !isAfterResult) {
      this.observed.begin();
      return undefined;
    }
    this.words.beginAnswer();
    if (!this.isAnswering) {
      this.isAnswering = true;
      this.questions.begin(!this.isQuestionKnown && this.line.takeSpeech());
      if (!shared.isAhead) await this.flushHeard();
    }
    this.observed.begin();
    return turn.spendCall();
  }

  /** Ends the turn of the model; later, if the words of the question that it has answered are still to come. */
  private async endTurn(): Promise<Next> {
    if (this.isWaiting || !this.questions.isAwaited || this.words.hasHeard) return this.endAnsweredTurn();
    const { clock } = this.turn.context.services;
    this.stopWaiting = startTimer(clock, TRANSCRIPT_MS, () => {
      this.line.post(OVERDUE);
    });
    return undefined;
  }

  private get isWaiting(): boolean {
    return this.stopWaiting !== undefined;
  }

  private endWaitingTurn(): Promise<Next> {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    return this.endAnsweredTurn();
  }

  private async endAnsweredTurn(): Promise<Next> {
    this.isAnswering = false;
    const said = await this.takeCheckedSaid();
    this.isDropped = false;
    this.observed.end(COMPLETED, said);
    const request = said && (await this.requestWithCode(said));
    this.questions.end();
    if (said && request) {
      this.line.beginAnswer();
      return this.calls.runCodeOf(said, request);
    }
    if (said) await this.storeSaid(said);
    else await this.endWordless();
    await this.flushHeard();
    // The end of an interrupted turn is no answer to what the user has said meanwhile.
    if (!said && !this.isInterrupted && this.line.isPresent(this.place)) this.shared.answered();
    this.isInterrupted = false;
    this.shared.endAnswer();
    this.line.beginAnswer();
    if (this.line.isGoingAway) {
      const failed = await this.connect();
      if (failed) return failed;
    }
    return this.turned();
  }

  /** Ends a turn of which no word is known. What it has used is stored. */
  private async endWordless(): Promise<void> {
    const { turn } = this;
    const usageMetadata = this.words.takeUsage();
    if (!usageMetadata) return this.show({ turnComplete: true });
    await turn.sink.emit(turn.countedEvent({ usageMetadata, turnComplete: true }, 1));
  }

  /** The model does not answer what the user has said. */
  private async endSilentTurn(): Promise<Next> {
    if (this.isAnswering) return undefined;
    this.shared.answered();
    await this.flushHeard();
    return this.turned();
  }

  private async turned(): Promise<Next> {
    await this.calls.sendNewestProgress();
    return this.afterCallback('onLiveTurn');
  }

  private async afterCallback(hook: 'onLiveTurn' | 'onLiveTimer'): Promise<Next> {
    await this.callBack(hook);
    if (!this.renews && !this.view.hasNewTools) return undefined;
    this.renews = false;
    return this.connect();
  }

  private async takeText(item: Extract<LiveItem, { kind: 'text' }>): Promise<Next> {
    const { content, isOfUser, respond, mail } = item;
    let sent = content;
    if (isOfUser) {
      await this.flushHeard();
      const stored = await this.storeMessage(content, { mail });
      if (!stored) return undefined;
      sent = stored.content ?? content;
      for (const { text = '' } of sent.parts ?? []) this.line.heard.publish({ kind: 'text', text });
      this.shared.remember(stored);
      if (respond && this.words.hasSaid) this.shared.writtenWithin(sent);
      const asked = await this.beforeModel(sent);
      sent = asked.sent;
      if (asked.answer) {
        this.line.sendContents([sent, asked.answer], false);
        return this.turned();
      }
    }
    this.observed.noteInput(sent);
    if (!isOfUser) this.shared.sendUnstored(sent, respond);
    else {
      if (respond) this.shared.owe();
      this.line.sendContents([sent], respond);
    }
    return undefined;
  }

  private async storeAnswers(take: () => Promise<void>): Promise<Next> {
    await take();
    for (const turn of this.shared.turns.values()) {
      const resumed = await turn.resumption();
      if (resumed.kind === 'calls') this.calls.rerun(resumed.batch, turn);
      if (resumed.kind === 'results') this.calls.sendOutsideResults(resumed.origins);
    }
    return undefined;
  }

  private async takeCalls(fresh: readonly FunctionCall[], place: LinePlace): Promise<Next> {
    const said = this.isDropped ? undefined : await this.flushBeforeCalls();
    if (this.isDropped) {
      this.line.sendToolResponses(fresh.map(({ id = '', name = '' }) => ({ id, name, response: DROPPED })));
      return undefined;
    }
    const parts = [...(said?.content?.parts ?? []), ...fresh.map((functionCall) => ({ functionCall }))];
    this.observed.end(COMPLETED, { ...said, content: { role: 'model', parts } });
    this.shared.called();
    const { calls, questions, words } = this;
    const answer = { calls: fresh, place, usage: words.takeUsage() };
    return calls.take(answer, await this.view.now(), (event) => {
      questions.answered(event.id);
    });
  }

  /** Stores what the model has said before its calls, which is part of their answer. */
  private async flushBeforeCalls(): Promise<Said | undefined> {
    const said = await this.takeCheckedSaid();
    if (said) await this.storeSaid(said, false, 0);
    await this.flushHeard();
    return said;
  }

  /** A failure of a connection that was replaced ends nothing. */
  private async failed(
    { code, message, fatal }: Extract<LiveEvent, { kind: 'error' }>,
    isPresent: boolean,
  ): Promise<Next> {
    const { sink } = this.turn;
    this.observed.end({ status: 'failed', errorCode: code }, await this.flush(undefined, false));
    const event = await this.failureOf({ code, message });
    if (fatal && isPresent) return { kind: 'end', event };
    await sink.emit(event);
    return undefined;
  }

  /** Opens the connection, or opens it again, after what was said is stored. A failure is the end of the session. */
  private async connect(): Promise<Next> {
    const { turn, line, shared } = this;
    const { agent, context } = turn;
    if (line.isClosing) return undefined;
    this.observed.end(CANCELLED, await this.flush());
    let owed: readonly Content[] = [];
    try {
      const model = liveModelOf(agent, line);
      const opened = await line.connect(model, context, async () => {
        const setup = setupOf(await this.view.begin(), line, model, shared.calls.openIds);
        const begun = shared.owedOf(setup.history);
        owed = begun.owed;
        return { ...setup, history: begun.history };
      });
      if (opened === 'new') shared.begin(owed);
      else if (opened === 'resumed') shared.catchUp();
      this.isAnswering = false;
      this.questions.end();
      shared.endAnswer();
      return undefined;
    } catch (error) {
      if (context.cancellation.isCancelled) return turn.cancelled();
      const { code = 'MODEL_FAILED', message } = describeThrown(error);
      return { kind: 'end', event: await this.failureOf({ code, message, error, turnComplete: true }) };
    }
  }

  /** The event of a failure of the model, or of the answer that `onModelError` puts in its place. */
  private async failureOf({
    code,
    message,
    error = new LiveModelFailedError(code, message),
    turnComplete = false,
  }: {
    readonly code: string;
    readonly message: string;
    readonly error?: unknown;
    readonly turnComplete?: boolean;
  }): Promise<Event> {
    const { agent, context } = this.turn;
    const failure = { author: agent.name, errorCode: code, errorMessage: message, turnComplete };
    const { onModelError } = agent.callbacks;
    if (!onModelError) return context.event(failure);
    const request = await this.view.now();
    const replaced = await onModelError(error, request, request.callbackContext);
    const actions = request.drainActions();
    if (!replaced?.content) return context.event({ ...failure, actions });
    return context.event({ author: agent.name, content: replaced.content, actions, turnComplete: true });
  }

  /** The request whose tools run the code that the model has written; undefined if there is none. */
  private async requestWithCode({ content }: Said): Promise<TurnModelRequest | undefined> {
    return content && this.turn.requestWithCode(content);
  }

  /** Stores what was said so far. @param turnComplete false if the turn goes on */
  private async flush(playedMs?: number, turnComplete = true): Promise<Said | undefined> {
    const said = await this.takeSaid(playedMs);
    if (said) await this.storeSaid(said, turnComplete);
    await this.flushHeard();
    return said;
  }

  /** The fields of an event with what was said so far, after the callbacks; undefined if that is nothing. */
  private async takeSaid(playedMs?: number): Promise<Said | undefined> {
    if (!this.shared.isAhead) await this.flushHeard();
    const said = this.words.takeSaid(playedMs);
    if (!said) return undefined;
    const { content, usageMetadata, groundingMetadata } = said;
    const callbackContext = (this.answerContext ??= this.turn.callbackContext());
    this.answerContext = undefined;
    const response = { content, usageMetadata, groundingMetadata };
    const changed = await this.turn.agent.callbacks.afterModel?.(response, callbackContext);
    const actions = this.turn.closed(callbackContext);
    const words = changed?.content ?? content;
    // Speech cannot be changed: what was to be heard is not what is stored.
    if (words !== content) this.line.output.dropAudio();
    this.line.output.release();
    return {
      ...said,
      content: words,
      outputTranscription:
        said.outputTranscription && words ? { text: joinText(words), finished: true } : undefined,
      actions,
      interrupted: playedMs === undefined ? undefined : true,
    };
  }

  /** As `takeSaid`; undefined, too, if the answer was refused and the session goes on. */
  private async takeCheckedSaid(): Promise<Said | undefined> {
    try {
      return await this.takeSaid();
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
    this.shared.remember(event, this.place);
  }

  private async flushHeard(): Promise<void> {
    const heard = this.words.takeHeard();
    if (!heard) return;
    const before = heard.before ?? this.questions.newestAnswer;
    this.questions.heard();
    const stored = await this.storeMessage(heard.content, { before });
    if (!stored) return;
    this.observed.noteInput(stored.content ?? heard.content);
    this.shared.remember(stored, this.place);
    const { answer } = await this.beforeModel(stored.content ?? heard.content, before !== undefined);
    if (answer) this.sendReplacement(answer);
  }

  /** The model has heard the words that a callback has answered: its own answer, if one goes on, is dropped. */
  private sendReplacement(answer: Content): void {
    if (this.isAnswering || this.words.hasSaid) this.dropAnswer();
    this.line.sendContents([answer], false);
    this.shared.answered();
  }

  /**
   * Has the callbacks of the model judge what the user says, as before a call by text. An answer of theirs is stored.
   *
   * @param isAnswered true if the model has answered it already: an answer of a callback comes too late
   * @returns what the model is sent, and the answer in place of its own
   */
  private async beforeModel(
    message: Content,
    isAnswered = false,
  ): Promise<{ readonly sent: Content; readonly answer?: Content | undefined }> {
    const { agent, context, sink } = this.turn;
    context.userContent = message;
    if (!this.view.isJudged) return { sent: message };
    const { request, sent, answer: given } = await this.view.judged(message);
    this.watchChecks(request);
    const actions = request.drainActions();
    const answer = isAnswered ? undefined : given;
    if (answer)
      await sink.emit(context.event({ author: agent.name, content: answer, actions, turnComplete: true }));
    else if (actions) await sink.emit(context.event({ author: agent.name, actions }));
    if (isAnswered && given)
      context.services.logger.warn('beforeModel has answered words that the model had already answered', {
        agent: agent.path,
      });
    return { sent, answer };
  }

  /** A check that goes on beside the model ends the session if it refuses. */
  private watchChecks({ signal }: TurnModelRequest): void {
    if (signal === this.turn.context.signal) return;
    const refused = (): void => {
      if (!this.turn.context.cancellation.isCancelled)
        this.line.post({ kind: 'refused', error: signal.reason });
    };
    if (signal.aborted) refused();
    else signal.addEventListener('abort', refused, { once: true });
  }

  /** @returns undefined if another run has stored the mail that it comes from */
  private async storeMessage(content: Content, place: MessagePlace): Promise<Event | undefined> {
    const { turn, line } = this;
    const replaced = await line.onUserMessage?.(content);
    const event = turn.messageEvent(replaced?.content ?? content, replaced?.actions, place);
    if (place.mail !== undefined && (await line.takeMail?.(place.mail, event)) === false) return undefined;
    await turn.sink.emit(event);
    return event;
  }

  /** Shows a piece of the answer as `onModelPiece` leaves it. */
  private async showPiece(event: Extract<LiveEvent, { kind: 'text' | 'outputTranscript' }>): Promise<void> {
    const { onModelPiece } = this.turn.agent.callbacks;
    const shown = pieceOf(event);
    if (!onModelPiece) return this.show(shown);
    const isThought = 'thought' in event && event.thought === true;
    const part = isThought ? { text: event.text, thought: true } : { text: event.text };
    const piece = { content: { role: 'model', parts: [part] }, partial: true };
    const changed = await onModelPiece(piece, (this.answerContext ??= this.turn.callbackContext()));
    if (changed === false) return undefined;
    const content = changed?.content;
    if (!content) return this.show(shown);
    if (event.kind === 'text') return this.show({ content });
    return this.show({ outputTranscription: transcript({ ...event, text: joinText(content) }) });
  }

  private show(body: Omit<EventBody, 'author'> & { readonly author?: string }): Promise<void> {
    const { agent, context, sink } = this.turn;
    return sink.emit(context.event({ author: agent.name, ...body, partial: true }));
  }

  /** Calls a callback, and stores what it has written. One that fails is logged: the conversation goes on. */
  private async callBack(hook: 'onLiveStart' | 'onLiveTurn' | 'onLiveTimer'): Promise<void> {
    const { turn } = this;
    await turn.direct(hook, (context) => turn.callbacks[hook]?.(this.direction, context));
  }

  private get direction(): LiveDirection {
    const { line } = this;
    return {
      get signals() {
        return line.signals;
      },
      steer: (text) => {
        this.shared.sendUnstored(toUserContent(text), false);
      },
      prompt: (text) => {
        this.shared.sendUnstored(toUserContent(text), true);
      },
      renew: () => {
        this.renews = true;
      },
      after: (milliseconds) => {
        this.stopTimer?.();
        this.stopTimer = startTimer(this.turn.context.services.clock, milliseconds, () => {
          line.post(TIMER);
        });
      },
    };
  }

  private async close(): Promise<Next> {
    if (this.turn.context.cancellation.isCancelled) return this.turn.cancelled();
    await this.flush();
    return { kind: 'end' };
  }

  /** Ends the connection, and stops and answers the calls that run. */
  private async leave(): Promise<void> {
    this.observed.end(CANCELLED);
    this.stopWaiting?.();
    this.stopTimer?.();
    this.line.hangUp();
    await this.calls.close();
    await this.storeUsage();
  }

  /** Stores what the model has used since its newest event. */
  private async storeUsage(): Promise<void> {
    const { turn } = this;
    const usageMetadata = this.words.takeUsage();
    if (usageMetadata) await turn.sink.emit(turn.countedEvent({ usageMetadata }, 0));
  }
}

/** Milliseconds that the end of a turn waits for the words that it has answered. */
const TRANSCRIPT_MS = 2_000;
/** What a model reads of calls of an answer that was dropped. */
const DROPPED = Object.freeze({ error: 'The answer was not accepted, so its calls do not run.' });
const TIMER: LiveItem = Object.freeze({ kind: 'timer' });
const OVERDUE: LiveItem = Object.freeze({ kind: 'overdue' });

/** What may come between an answer and the transcript of its question. */
const BESIDE_WAIT: ReadonlySet<LiveEvent['kind']> = new Set([
  'inputTranscript',
  'resumption',
  'usage',
  'grounding',
  'generationComplete',
  'toolCallCancellation',
]);

/** True for an item behind which words of the user would not be those that the turn has answered. */
function endsWait(item: LiveItem): boolean {
  if (item.kind !== 'event') return item.kind !== 'wake';
  const { event } = item;
  return event.kind === 'speech' ? event.activity === 'start' : !BESIDE_WAIT.has(event.kind);
}

const COMPLETED: OperationEnd = Object.freeze({ status: 'completed' });
const CANCELLED: OperationEnd = Object.freeze({ status: 'cancelled' });

function transcript({ text, finished }: { readonly text: string; readonly finished?: boolean }): object {
  return finished === undefined ? { text } : { text, finished };
}

/** A piece of an answer, as it is shown. */
function pieceOf(
  event: Extract<LiveEvent, { kind: 'text' | 'outputTranscript' }>,
): Omit<EventBody, 'author'> {
  if (event.kind === 'outputTranscript') return { outputTranscription: transcript(event) };
  const part = event.thought === true ? { text: event.text, thought: true } : { text: event.text };
  return { content: { role: 'model', parts: [part] } };
}

/** A live model has reported a failure: the error that `onModelError` gets. */
class LiveModelFailedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** An agent that would share the connection with others that run at the same time. */
function besideOthers(author: string): EventBody {
  const errorMessage =
    `The agent "${author}" runs beside others (ParallelAgent, RaceAgent or MapAgent), and a live session has one connection. ` +
    'Let the agents run one after another, or list them as tools: agentTool(Research). Nothing was sent.';
  return { author, errorCode: 'LIVE_NOT_SUPPORTED', errorMessage };
}

function ignore(): void {
  // The error that ended the session is thrown.
}
