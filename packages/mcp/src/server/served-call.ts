import type { Event, PendingRequest, Run, RunResult } from '@adorn/core';

import type { AnswersOfClient, AskingCall } from './answers-of-client.js';

/** What a call of a client is executed with. */
export interface ServedCallFields extends AskingCall {
  /** Absent if the client is asked with the result, and answers with its next call. */
  readonly answers?: AnswersOfClient | undefined;
}

/** How a call of a client ended. */
export interface ServedOutcome {
  readonly result: RunResult<unknown>;
  /** What the run waits for: what nobody answered, or else a result that comes later. */
  readonly unanswered: PendingRequest | undefined;
}

/** One call of a client: a run, and the runs that follow the answers of the client's user. */
export class ServedCall {
  private progress = 0;

  constructor(private readonly fields: ServedCallFields) {}

  /** Runs a call to its end, and asks the client for the answers that the run waits for. */
  async settle(first: Run<unknown>): Promise<ServedOutcome> {
    let result = await this.follow(first);
    for (;;) {
      const request = result.pending.find(({ kind }) => kind !== 'result');
      if (request === undefined) return { result, unanswered: result.pending[0] };
      const next = await this.fields.answers?.answer(request, this.fields);
      if (next === undefined) return { result, unanswered: request };
      result = await this.follow(next.run);
    }
  }

  private async follow(run: Run<unknown>): Promise<RunResult<unknown>> {
    for await (const event of run) if (event.partial) await this.tell(event);
    return run;
  }

  /** Passes progress on to a client that asked for it. */
  private async tell(event: Event): Promise<void> {
    const { mcpReq } = this.fields.context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const said = event.functionResponses[0]?.response ?? { message: event.text };
    const params = { progressToken, ...this.progressOf(said) };
    await mcpReq.notify({ method: 'notifications/progress', params });
  }

  /** The numbers of a tool that gives some, always rising as the protocol has it; else a count. */
  private progressOf(said: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { progress, total, message } = said;
    this.progress = typeof progress === 'number' && progress >= this.progress ? progress : this.progress + 1;
    const text =
      typeof message === 'string' ? message : typeof progress === 'number' ? undefined : JSON.stringify(said);
    return {
      progress: this.progress,
      ...(typeof total === 'number' && { total }),
      ...(text !== undefined && { message: text }),
    };
  }
}
