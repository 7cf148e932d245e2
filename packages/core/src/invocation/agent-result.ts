import { answerTextOf } from '../events/answer-text.js';
import type { Event } from '../events/event.js';

/** The key under which the type of an agent's output is known to the compiler. */
export declare const OUTPUT: unique symbol;

/** What an agent returns to the agent that invoked it. */
export interface AgentResult<Output = string> {
  /** `failed` if its last event is an error, or if its code threw. */
  readonly status: 'answered' | 'failed';
  /** The text of its answer; empty if there is none. */
  readonly text: string;
  /** The parsed answer of an agent with an `outputSchema`, else the text. Undefined if it failed. */
  readonly output: Output | undefined;
  /** Whether it asked to return control to the agent above, as `exit_loop` does. */
  readonly escalated: boolean;
  readonly error: AgentFailure | undefined;
}

/** Why an agent failed. */
export interface AgentFailure {
  readonly code: string;
  readonly message: string;
}

/** Collects the result of a run from its events, live or from the log. */
export class ResultCollector {
  /** The text of the last answer. */
  text = '';
  /** The path of the agent that gave it. */
  answeredBy: string | undefined;
  escalated = false;
  error: AgentFailure | undefined;

  /** @param isOwn false for an event of a run below this one, whose errors and escalations are its own business */
  note(event: Event, isOwn: boolean): void {
    if (event.partial) return;
    const text = answerTextOf(event);
    if (text !== undefined) {
      this.text = text;
      this.answeredBy = event.nodeInfo?.path;
    }
    if (!isOwn) return;
    const { actions, errorCode: code, errorMessage: message = '' } = event;
    if (actions.escalate === true) this.escalated = true;
    if (code !== undefined) this.error = { code, message };
    else if (actions.endOfAgent !== true) this.error = undefined;
  }
}
