import { ManualClock } from '@adorn/testing';

import type { ToolPolicies } from '../../backend.js';
import { RunGate } from '../../gates/run.gate.js';
import { type CallParts, ListLogger, NO_SINK, toolCall } from '../../gates/tool-call.fixture.js';
import type { ToolCall, ToolOutcome } from '../../gates/tool-call.js';
import type { Tool } from '../tool.js';

/** The run gate of one runner with a clock that stands. */
export class RunStage {
  readonly clock = new ManualClock();
  readonly logger = new ListLogger();
  readonly gate: RunGate;

  constructor(policies?: ToolPolicies) {
    this.gate = new RunGate(policies);
  }

  /** Calls a tool to its end and gives the response that the model reads. */
  async respond(tool: Tool, parts: CallParts = {}): Promise<unknown> {
    const outcome = await this.enter(await this.call(tool, parts));
    return 'response' in outcome ? outcome.response : outcome;
  }

  /** Starts a call and lets all happen that needs no time. */
  async start(tool: Tool, parts: CallParts = {}): Promise<StartedCall> {
    const started = new StartedCall(await this.call(tool, parts));
    started.follow(this.enter(started.call));
    await settle();
    return started;
  }

  /** Moves the clock and lets all happen that was due. */
  async advance(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds);
    await settle();
  }

  call(tool: Tool, parts: CallParts = {}): Promise<ToolCall> {
    return toolCall(tool, { clock: this.clock, logger: this.logger, ...parts });
  }

  async enter(call: ToolCall): Promise<ToolOutcome> {
    return (await this.gate.enter(call, NO_SINK)) as ToolOutcome;
  }
}

/** A call that may have ended. */
export class StartedCall {
  /** What the model reads; undefined while the call is under way. */
  response: unknown;

  constructor(readonly call: ToolCall) {}

  follow(outcome: Promise<ToolOutcome>): void {
    void outcome.then((ended) => (this.response = 'response' in ended ? ended.response : ended));
  }

  async cancel(): Promise<void> {
    this.call.invocation.cancellation.cancel();
    await settle();
  }
}

/** Lets every promise settle that can. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise(setImmediate);
}

/** A promise that a test settles. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
