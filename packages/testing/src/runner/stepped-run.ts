import type { Event, ModelRequest, ModelResponse, Run, Runner, RunResult } from '@adorn/core';
import type { RunInput, StandIns, StoodInCall } from '@adorn/core/backend';

import { conversationText } from '../matchers/conversation-text.js';
import { StepNotReachedError } from './errors.js';

/** Where a run stands: what it is about to do, and what lets it. */
interface Stop {
  readonly at: { readonly request: ModelRequest } | { readonly call: StoodInCall };
  readonly go: () => void;
}

/**
 * A run that goes on only as far as a test wants it. It stands before each request to a model and before each call of a tool,
 * behind all gates, and with each event.
 *
 * @example
 * await using steps = runner.step({ message: 'Refund A-17' });
 * const { args } = await steps.toToolCall('refund_order');
 * expect(shop.refunds).toEqual([]);
 * await steps.toEnd();
 */
export class SteppedRun<Output> implements AsyncDisposable {
  /** The events so far, the pieces of streamed answers included. */
  readonly events: Event[] = [];
  private readonly runner: Runner<Output>;
  private readonly run: Run<Output>;
  /** Those at which the run stands and that the test has not seen; calls at once may be several. */
  private readonly stops: Stop[] = [];
  /** The one that the test has seen last. */
  private standing: Stop | undefined;
  /** The event that was requested. */
  private requested: Promise<IteratorResult<Event, void>> | undefined;
  private notice: () => void = () => undefined;
  private isFree = false;

  /** @param runner a runner that closes with it has stores in common with the steps */
  constructor(runner: Runner<Output>, input: RunInput) {
    const standIns: StandIns = {
      runTool: async (call, run) => {
        await this.stop({ call });
        return run();
      },
      askModel: (model, request) => this.ask(() => model.generate(request), request),
    };
    this.runner = runner.isolated({ sharesStores: true, standIns });
    // A test may stand in a debugger as long as it likes.
    this.run = this.runner.run({ ...input, config: { toolTimeout: Infinity, ...input.config } });
  }

  /** Goes on to the next event. @throws {StepNotReachedError} */
  async toEvent(): Promise<Event> {
    for (let found = await this.next(); found; found = await this.next()) {
      if ('event' in found) return found.event;
    }
    throw await this.ended('another event');
  }

  /** Goes on to the next request to a model, which is not sent yet. @throws {StepNotReachedError} */
  async toModelRequest(): Promise<ModelRequest> {
    for (let found = await this.next(); found; found = await this.next()) {
      if ('request' in found) return found.request;
    }
    throw await this.ended('another request to a model');
  }

  /**
   * Goes on to the next call of a tool, which has passed its gates and has not begun.
   *
   * @param name the tool's name. Default: any tool
   * @throws {StepNotReachedError} also if the call waits for a person, or was refused
   */
  async toToolCall(name?: string): Promise<StoodInCall> {
    for (let found = await this.next(); found; found = await this.next()) {
      if ('call' in found && (name === undefined || found.call.tool === name)) return found.call;
    }
    throw await this.ended(name === undefined ? 'another call of a tool' : `another call of ${name}`);
  }

  /** Goes on to the end of the run. */
  async toEnd(): Promise<RunResult<Output>> {
    while (await this.next());
    return await this.run;
  }

  /** Ends the run where it stands. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.isFree = true;
    const ended = this.run.return(undefined);
    for (const { go } of [...this.stops.splice(0), ...(this.standing ? [this.standing] : [])]) go();
    await ended.catch(() => undefined);
    await this.runner.close();
  }

  /** What the run does next; undefined if it has ended. */
  private async next(): Promise<Stop['at'] | { readonly event: Event } | undefined> {
    this.standing?.go();
    this.standing = undefined;
    if (this.stops.length === 0) {
      this.requested ??= this.run.next();
      const noticed = new Promise<undefined>((resolve) => (this.notice = () => resolve(undefined)));
      const found = await Promise.race([this.requested, noticed]);
      if (found) {
        this.requested = undefined;
        if (found.done === true) return undefined;
        this.events.push(found.value);
        return { event: found.value };
      }
    }
    this.standing = this.stops.shift();
    return this.standing?.at;
  }

  private async *ask(
    generate: () => AsyncGenerator<ModelResponse, void, undefined>,
    request: ModelRequest,
  ): AsyncGenerator<ModelResponse, void, undefined> {
    await this.stop({ request });
    request.signal.throwIfAborted();
    yield* generate();
  }

  /** Stands until the test goes on. */
  private stop(at: Stop['at']): Promise<void> {
    if (this.isFree) return Promise.resolve();
    return new Promise((go) => {
      this.stops.push({ at, go });
      this.notice();
    });
  }

  private async ended(wanted: string): Promise<StepNotReachedError> {
    const { pending } = await this.run;
    return new StepNotReachedError(wanted, conversationText({ events: this.events, pending }));
  }
}
