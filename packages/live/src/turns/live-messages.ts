import type { Content, Event } from '@adorn/core';
import type { MessagePlace, OpenTurn, TurnModelRequest } from '@adorn/core/backend';
import type { LiveParts } from './live-parts.js';

/** What a message of the user passes, written or spoken, before the model answers it. */
export class LiveMessages {
  constructor(
    private readonly turn: OpenTurn,
    private readonly parts: Pick<LiveParts, 'line' | 'view'>,
  ) {}

  /** @returns undefined if another run has stored the mail that it comes from */
  async store(content: Content, place: MessagePlace): Promise<Event | undefined> {
    const { turn } = this;
    const { line } = this.parts;
    const replaced = await line.onUserMessage?.(content);
    const event = turn.messageEvent(replaced?.content ?? content, replaced?.actions, place);
    if (place.mail !== undefined && (await line.takeMail?.(place.mail, event)) === false) return undefined;
    await turn.sink.emit(event);
    return event;
  }

  /**
   * Has the callbacks of the model judge what the user says, as before a call by text. An answer of theirs is stored.
   *
   * @param isAnswered true if the model has answered it already: an answer of a callback comes too late
   * @returns what the model is sent, and the answer in place of its own
   */
  async judge(
    message: Content,
    isAnswered = false,
  ): Promise<{ readonly sent: Content; readonly answer?: Content | undefined }> {
    const { turn } = this;
    const { agent, context, sink } = turn;
    const { view } = this.parts;
    context.userContent = message;
    if (!view.isJudged(turn)) return { sent: message };
    const { request, sent, answer: given } = await view.judged(turn, message);
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
    const { context } = this.turn;
    if (signal === context.signal) return;
    const refused = (): void => {
      if (!context.cancellation.isCancelled) this.parts.line.post({ kind: 'refused', error: signal.reason });
    };
    if (signal.aborted) refused();
    else signal.addEventListener('abort', refused, { once: true });
  }
}
