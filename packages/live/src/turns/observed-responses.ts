import type { Content, ModelResponse } from '@adorn/core';
import type { GuardedObservation, OpenTurn, OperationEnd } from '@adorn/core/backend';
import type { LiveLine } from '../line/live-line.js';
import { liveModelOf } from './live-setup.js';

/** The responses of a live model, observed as requests to it: each from its first piece to its calls, or to the end of the turn. */
export class ObservedResponses {
  private heard: Content[] = [];
  private open: GuardedObservation | undefined;

  constructor(
    private readonly turn: OpenTurn,
    private readonly line: LiveLine,
  ) {}

  /** Notes what the next response is about. */
  noteInput(content: Content): void {
    if (this.turn.context.services.observe) this.heard.push(content);
  }

  /** Begins a response, unless one is open. */
  begin(): void {
    const { turn } = this;
    if (!turn.context.services.observe || this.open) return;
    this.open = turn.observe(liveModelOf(turn.agent, this.line), this.heard.splice(0));
  }

  /** Ends the open response, if there is one. @param response what was said; absent if that is nothing */
  end(end: OperationEnd, response?: ModelResponse): void {
    if (response) this.open?.note({ kind: 'response', response });
    this.open?.end(end);
    this.open = undefined;
  }
}
