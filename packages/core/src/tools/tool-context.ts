import type { AuthCredential } from '../auth/auth-config.js';
import type { EventActions } from '../events/event-actions.js';
import type { ToolConfirmation } from '../events/pending-request.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { CallbackContext, type RequestedActions } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ServiceToken } from '../invocation/invocation-services.js';

/** Which call a context is for. */
export interface CallAddress {
  readonly functionCallId: string;
  /** The event that carried the call. */
  readonly functionCallEventId: string;
}

/** The context of one tool call. Created per call; not visible to the model. */
export class ToolContext extends CallbackContext {
  readonly functionCallId: string;
  readonly functionCallEventId: string;
  /** The credential the tool's `auth` asked for. It prints, and turns into JSON, without its secret. */
  credential: AuthCredential | undefined = undefined;
  /** The person's approval and payload, if the call needed confirmation. */
  confirmation: ToolConfirmation | undefined = undefined;
  /** Set to true to return a handle: the run pauses, and the result arrives in a later message. */
  longRunning = false;
  private controller: AbortController | undefined;
  private stopped: Error | undefined;
  private ownActions: RequestedActions | undefined;

  constructor(invocation: InvocationContext, agent: AgentNode, address: CallAddress) {
    super(invocation, agent);
    this.functionCallId = address.functionCallId;
    this.functionCallEventId = address.functionCallEventId;
  }

  override get actions(): RequestedActions {
    return (this.ownActions ??= {});
  }

  /**
   * The agent that was asked to take over, if any was.
   *
   * @internal
   */
  get transferRequested(): string | undefined {
    return this.ownActions?.transferToAgent;
  }

  /** @internal */
  override takeActions(): Partial<EventActions> | undefined {
    const written = super.takeActions();
    return this.ownActions === undefined ? written : { ...this.ownActions, ...written };
  }

  /** Aborted when the invocation is cancelled or the tool's time is up; made when it is first read. */
  override get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = (this.controller = new AbortController());
      if (this.stopped !== undefined || this.invocation.cancellation.isCancelled)
        controller.abort(this.stopped);
      this.invocation.cancellation.own(controller.signal);
    }
    return this.controller.signal;
  }

  /** Resolves a service of the runner's container. */
  get<Service>(token: ServiceToken<Service>): Service {
    return this.invocation.services.resolve(token);
  }

  /**
   * Tells a tool that reads its signal to stop.
   *
   * @internal
   */
  abort(reason: Error): void {
    this.stopped = reason;
    this.controller?.abort(reason);
  }
}
