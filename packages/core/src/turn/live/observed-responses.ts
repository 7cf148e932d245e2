import type { Content } from '../../events/genai-types.js';
import type { LiveLine } from '../../run/live/live-line.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { GuardedObservation, OperationEnd } from '../../run/telemetry/observation.js';
import type { Turn } from '../step.js';
import { liveModelOf } from './live-setup.js';

/** The responses of a live model, observed as requests to it: each from its first piece to its calls, or to the end of the turn. */
export class ObservedResponses {
  private heard: Content[] = [];
  private open: GuardedObservation | undefined;

  constructor(
    private readonly turn: Turn,
    private readonly line: LiveLine,
  ) {}

  /** Notes what the next response is about. */
  noteInput(content: Content): void {
    if (this.turn.context.services.observe) this.heard.push(content);
  }

  /** Begins a response, unless one is open. */
  begin(): void {
    const { agent, context } = this.turn;
    const { observe } = context.services;
    if (!observe || this.open) return;
    const { signal } = context.cancellation;
    const request = { contents: this.heard.splice(0), config: {}, stream: true, signal };
    const model = liveModelOf(agent, this.line);
    this.open = observe({ kind: 'model', agentName: agent.name, model, request, ...context.observedRun });
  }

  /** Ends the open response, if there is one. @param response what was said; absent if that is nothing */
  end(end: OperationEnd, response?: ModelResponse): void {
    if (response) this.open?.note({ kind: 'response', response });
    this.open?.end(end);
    this.open = undefined;
  }
}
