import { Conversation, MortalSessionService } from '../../agents/workflow/workflow.fixture.js';
import type { FunctionResponse } from '../../backend.js';
import {
  type Content,
  type Event,
  type FunctionCall,
  type PendingRequest,
  Plugin,
  type RunConfig,
  type Runner,
  type RunResult,
} from '../../index.js';
import { isRequestName } from '../../events/pending-request.js';
import { NothingToResumeError } from '../errors.js';
import { AgentTree, type Tree } from './agent-tree.fixture.js';

const { address } = Conversation;

/** A conversation about a tree, played to its end: each answer, and each life, is a process of its own. */
export class Stage {
  readonly tree: AgentTree;
  private readonly sessions = new MortalSessionService();
  private readonly conversation: Conversation;
  private readonly lives: number[];
  /** The requests that waited when a process died, and did not wait when the next one had gone on. */
  readonly lostRequests: PendingRequest[] = [];

  constructor(
    tree: Tree,
    asks: boolean,
    private readonly picks: readonly number[] = [0],
    lives: readonly number[] = [],
    private readonly way: Way = 'resume',
  ) {
    this.tree = new AgentTree(tree, asks);
    this.conversation = new Conversation(this.tree.root, this.sessions);
    this.lives = [...lives];
  }

  /**
   * The result; undefined if the process died behind the last event.
   *
   * @param says whether the user says something before the n-th answer
   */
  async play(config: RunConfig = {}, says: readonly boolean[] = []): Promise<RunResult<unknown> | undefined> {
    const first = await this.live((runner) => runner.run({ ...BEGINNING, config }));
    return this.answer(first, config, says);
  }

  /** Approves what is pending, one request after another, until there is none. */
  private async answer(
    first: RunResult<unknown> | undefined,
    config: RunConfig = {},
    says: readonly boolean[] = [],
  ): Promise<RunResult<unknown> | undefined> {
    let result = first;
    for (let round = 0; ; round++) {
      if (says[round] === true)
        await this.live((runner) => runner.run({ ...address, message: 'Well?', config }));
      const pending = await this.conversation.pending();
      const request = pending[(this.picks[round % this.picks.length] ?? 0) % Math.max(1, pending.length)];
      if (request === undefined) return result;
      result = await this.live((runner) => runner.approve(request, { config }));
    }
  }

  /** Cancels the first run behind so many events, and answers what is pending then. */
  async playCancelled(events: number): Promise<void> {
    const run = (await this.conversation.open()).run(BEGINNING);
    let read = 0;
    for await (const event of run) {
      if (read === events) run.cancel();
      if (!event.partial) read++;
    }
    await this.answer(undefined);
  }

  /** Answers all requests of the first run at once, while `beforeRun` answers each message. */
  async playClosed(): Promise<void> {
    await this.live((runner) => runner.run(BEGINNING));
    const runner = await this.conversation.open([new Closed()]);
    for (;;) {
      const pending = await this.conversation.pending();
      if (pending.length === 0) return;
      const parts = pending.map(({ id }) => ({
        functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } },
      }));
      await runner.run({ ...address, message: { role: 'user', parts } });
    }
  }

  /**
   * Copies the conversation behind an event after so many answers, and plays the copy to its end, then the original.
   *
   * @returns the events of the copy
   */
  async playCopied(answers: number, at: number): Promise<readonly Event[]> {
    const events = await this.playSome(answers);
    const runner = await this.conversation.open();
    const copy = await runner.fork({ ...address, at: events[at % events.length]?.id });
    await runner.run({ ...copy, message: 'Well?' });
    for (let [one] = await runner.pending(copy); one; [one] = await runner.pending(copy))
      await runner.approve(one);
    await this.answer(undefined);
    return (await this.sessions.getSession(copy))?.events ?? [];
  }

  /** Undoes the run of an event, and those after it, after so many answers, and begins anew. */
  async playRewound(answers: number, at: number): Promise<void> {
    await this.rewind(answers, at);
    await this.play();
  }

  /** Undoes the run of an event, and those after it, after so many answers. Returns what is pending then. */
  async rewind(answers: number, at: number): Promise<readonly PendingRequest[]> {
    const events = await this.playSome(answers);
    const { invocationId = '' } = events[at % events.length] ?? {};
    const runner = await this.conversation.open();
    await runner.rewind({ ...address, invocationId });
    return this.conversation.pending();
  }

  private async playSome(answers: number): Promise<readonly Event[]> {
    await this.live((runner) => runner.run(BEGINNING));
    for (let left = answers; left > 0; left--) {
      const [request] = await this.conversation.pending();
      if (request) await this.live((runner) => runner.approve(request));
    }
    return this.stored();
  }

  stored(): Promise<readonly Event[]> {
    return this.conversation.stored();
  }

  private async noteLost(waiting: readonly PendingRequest[]): Promise<void> {
    const left = new Set((await this.conversation.pending()).map(({ id }) => id));
    this.lostRequests.push(...waiting.filter(({ id }) => !left.has(id)));
  }

  /** Runs to a pause or the end, in as many processes as it takes. */
  private async live(
    begin: (runner: Runner<unknown>) => PromiseLike<RunResult<unknown>>,
  ): Promise<RunResult<unknown> | undefined> {
    let act = begin;
    let waiting: readonly PendingRequest[] = [];
    for (;;) {
      this.sessions.left = this.lives.shift() ?? Infinity;
      try {
        const result = await act(await this.conversation.open());
        await this.noteLost(waiting);
        return result;
      } catch (error) {
        // Behind a pause or the last event, there is nothing to resume.
        if ((error as { code?: string }).code === 'NOTHING_TO_RESUME') {
          await this.noteLost(waiting);
          return undefined;
        }
        if (this.sessions.left >= 0) throw error;
      } finally {
        this.sessions.left = Infinity;
      }
      await this.noteLost(waiting);
      waiting = await this.conversation.pending();
      act = this.way === 'resume' ? (runner) => runner.resume(address) : recovered;
    }
  }
}

const BEGINNING = { ...address, message: 'Go.', stateDelta: { items: ['one', 'two'] } };

class Closed extends Plugin {
  readonly name = 'closed';

  override beforeRun(): Content {
    return { role: 'model', parts: [{ text: 'We are closed.' }] };
  }
}

/** How the next process goes on. */
export type Way = 'resume' | 'recover';

/** As `runner.resume`. Only runs whose last event is of an earlier millisecond are old. */
async function recovered(runner: Runner<unknown>): Promise<RunResult<unknown>> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  const [run] = await runner.recover({ olderThan: 0, maxAttempts: Infinity });
  if (run?.result !== undefined) return run.result;
  throw run === undefined ? NothingToResumeError.inSession(address.sessionId) : run.error;
}

/** As {@link expectAnswered}, and every request to a model is one that providers accept. */
export async function expectSound(stage: Stage): Promise<void> {
  expect(stage.tree.requestFaults).toEqual([]);
  expectAnswered(await stage.stored());
}

/** Every event has its place, and every call one final response, which its agent sees. */
export function expectAnswered(events: readonly Event[]): void {
  for (const { author, nodeInfo, invocationId } of events) {
    expect(invocationId).not.toBe('');
    if (author !== 'user') expect(nodeInfo?.path?.split('/').at(-1)?.replace(/@\d+$/, '')).toBe(author);
  }
  const calls = events.flatMap(({ functionCalls }) => functionCalls);
  const answers = events.flatMap(({ functionResponses }) => functionResponses);
  expect(unseenResponses(events)).toEqual([]);
  expect(idsOf(answers.filter(({ willContinue }) => willContinue !== true))).toEqual(idsOf(calls));
}

/** Responses in another scope than their calls, or in a branch that does not lead to that of the call. */
function unseenResponses(events: readonly Event[]): FunctionResponse[] {
  const made = new Map(events.flatMap((event) => event.functionCalls.map(({ id }) => [id, event] as const)));
  return events
    .filter(({ author }) => author !== 'user')
    .flatMap(({ branch = '', isolationScope, functionResponses }) =>
      functionResponses.filter(({ id }) => {
        const call = made.get(id);
        const leads = branch === '' || `${call?.branch ?? ''}.`.startsWith(`${branch}.`);
        return call?.isolationScope !== isolationScope || !leads;
      }),
    );
}

/** The ids of calls or responses, without those of requests to a person. */
function idsOf(parts: readonly (FunctionCall | FunctionResponse)[]): string[] {
  return parts.flatMap(({ id = '', name }) => (isRequestName(name) ? [] : [id])).sort();
}
