/* eslint-disable max-lines -- sending, following and resuming share the state of one remote task */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { AdornError, type Event, type InvocationContext, type Part as AgentPart } from '@adorn/core';
import { type AgentQuestion, effectiveEvents } from '@adorn/core/backend';
import {
  type Message,
  type Part,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import { A2AError } from '@a2a-js/sdk/errors';

import { A2aOutcomeUnknownError } from '../errors.js';
import { adkAnswerPart, type AdkCall, adkCallsIn } from '../protocol/adk-parts.js';
import { cleanText } from '../protocol/clean-text.js';
import { dataPart, textPart, toPeerParts } from '../protocol/parts.js';
import { adkQuestion, adkResponse, asksForCredential } from './adk-question.js';
import {
  type Begun,
  begunBy,
  begunByUpdate,
  type Ending,
  endingOf,
  hasOwnQuestion,
  questionOf,
} from './peer-answer.js';
import { Unread } from '../protocol/unread.js';
import type { Connection, Peer } from './peer.js';
import { TaskFollower, type Updates, waitAfter } from './task-follower.js';

/** The key in the log of the task that a message began. */
const TASK = 'a2a:task';
/** The key of custom metadata with the task of an answer. */
const METADATA = 'adorn:a2a';
/** The key by which core knows that an event holds what others wrote. */
const UNTRUSTED = 'adorn:untrusted';
const MOST_TEXT = 2_000;
const MOST_FAULT = 300;

/** What a round came to, as the log holds it. */
type Outcome =
  | { readonly kind: 'ended' }
  | {
      readonly kind: 'input' | 'auth';
      readonly question: AgentQuestion;
      readonly messageId: string;
      /** The calls of an agent of Google's ADK that wait: each is a question of its own. */
      readonly calls?: readonly AdkCall[];
    };

/**
 * One run of a remote agent. All that must not happen twice is written to the log under a key before it is done: the id of
 * a message before it is sent, the id of the task when the peer has told it, each question before it is asked.
 */
export class RemoteConversation {
  private updates: Updates | undefined;
  private taskId: string | undefined;
  private ending: Ending | undefined;
  /** Pieces and the whole answer have one id. */
  private readonly eventId: string;

  constructor(
    private readonly peer: Peer,
    private readonly context: InvocationContext,
  ) {
    this.eventId = context.event({ author: context.agent.name }).id;
  }

  async *run(): AsyncGenerator<Event, void, undefined> {
    const { signal } = this.context;
    const stop = (): void => {
      if (this.taskId !== undefined) void this.peer.cancel(this.taskId);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* this.rounds();
    } catch (error) {
      // The runner says that the run was cancelled.
      if (signal.aborted) return;
      yield this.failed(this.peer.failure(error));
    } finally {
      signal.removeEventListener('abort', stop);
      void this.updates?.return?.().catch(() => undefined);
    }
  }

  private async *rounds(): AsyncGenerator<Event, void, undefined> {
    const begun = await this.begin();
    if (begun.taskId === undefined) {
      yield this.answered(begun, { state: TaskState.TASK_STATE_COMPLETED, parts: begun.parts });
      return;
    }
    this.taskId = begun.taskId;
    for (let round = 0; ; round++) {
      const outcome = yield* this.outcome(begun.taskId, round);
      if (outcome.kind === 'ended') {
        yield await this.ended(begun);
        return;
      }
      const parts = yield* this.asked(outcome);
      if (parts === undefined) {
        await this.peer.cancel(begun.taskId);
        yield this.answered(begun, {
          state: TaskState.TASK_STATE_REJECTED,
          parts: [{ text: 'its question was rejected' }],
        });
        return;
      }
      if (outcome.kind === 'input') await this.reply(begun, outcome, parts, round);
    }
  }

  /** Asks a person what the peer asks. @returns the parts of the reply; undefined if a question was rejected */
  private async *asked({
    question,
    calls = [],
  }: Extract<Outcome, { kind: 'input' | 'auth' }>): AsyncGenerator<Event, Part[] | undefined, undefined> {
    if (calls.length === 0) {
      const answer = yield* this.context.requestInput(question);
      if (answer.kind === 'rejected') return undefined;
      const { value } = answer;
      return [typeof value === 'string' ? textPart(value) : dataPart(value)];
    }
    const parts: Part[] = [];
    for (const call of calls) {
      const response = adkResponse(call, yield* this.context.requestInput(adkQuestion(call)));
      if (response === undefined) return undefined;
      parts.push(adkAnswerPart(call, response));
    }
    return parts;
  }

  /** Sends the message, unless a process before this one did. */
  private async begin(): Promise<Begun> {
    const { id, isNew } = await this.messageId('a2a:message/0');
    const message = this.message(id, messageParts(this.context));
    return this.context.once(TASK, async () => {
      const begun = await this.firstTask(message, isNew);
      if (this.context.signal.aborted && begun.taskId !== undefined) void this.peer.cancel(begun.taskId);
      return begun;
    });
  }

  /** An id that is in the log before it is used. `isNew`: no earlier process can have used it. */
  private async messageId(key: string): Promise<{ id: string; isNew: boolean }> {
    let isNew = false;
    const id = await this.context.once(key, () => {
      isNew = true;
      return randomUUID();
    });
    return { id, isNew };
  }

  private async firstTask(message: Message, isNew: boolean): Promise<Begun> {
    const connection = await this.connected();
    let mayHaveArrived = !isNew;
    let fault = 'the process that sent it died before the answer came';
    for (let attempt = 1; ; attempt++) {
      // It is sent again only to a peer that recognises it.
      if (mayHaveArrived && !connection.knowsMessages) return this.lookedUp(connection, message, fault);
      try {
        return await this.send(connection, message);
      } catch (error) {
        if (error instanceof A2AError || isBlocked(error) || attempt > this.peer.limits.retries) throw error;
        mayHaveArrived ||= !isRefused(error);
        fault = `its answer cannot be used (${cleanText(this.peer.failure(error).message, MOST_FAULT)})`;
        await setTimeout(waitAfter(attempt), undefined, { signal: this.context.signal });
      }
    }
  }

  /** Connects, with a few attempts: nothing was sent yet. */
  private async connected(): Promise<Connection> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.peer.connect();
      } catch (error) {
        if (attempt > this.peer.limits.retries || !isUnreachable(error)) throw error;
        await setTimeout(waitAfter(attempt), undefined, { signal: this.context.signal });
      }
    }
  }

  /** Sends a message. It is not aborted with the run: the id of the task is needed to cancel it. */
  private async send({ client, isStreaming }: Connection, message: Message): Promise<Begun> {
    const request = requestOf(message);
    if (!isStreaming) return begunBy(await client.sendMessage(request));
    const updates = client.sendMessageStream(request)[Symbol.asyncIterator]();
    const first = await updates.next();
    if (first.done === true) throw new Error('its stream ended before the task was told');
    this.updates = continued(first.value, updates);
    return begunByUpdate(first.value);
  }

  /** Finds the task of a message that an earlier process may have sent. */
  private async lookedUp({ client }: Connection, message: Message, fault: string): Promise<Begun> {
    const { messageId, contextId } = message;
    let cause: unknown;
    try {
      const { tasks } = await client.listTasks({
        ...{ tenant: '', contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: '' },
        ...{ pageSize: 100, historyLength: 100, statusTimestampAfter: undefined },
      });
      const found = tasks.find(({ history }) => history.some((one) => one.messageId === messageId));
      if (found !== undefined) return { taskId: found.id, contextId: found.contextId };
    } catch (error) {
      cause = error;
    }
    throw new A2aOutcomeUnknownError(this.peer.label, messageId, fault, { cause });
  }

  /** Follows the task to its next question or its end, and shows pieces of the answer meanwhile. */
  private async *outcome(taskId: string, round: number): AsyncGenerator<Event, Outcome, undefined> {
    const { context } = this;
    const pieces = new Unread<AgentPart>();
    const outcome = context
      .once(`a2a:outcome/${String(round)}`, async () => {
        const show = (part: AgentPart): void => {
          pieces.push(part);
        };
        const follower = new TaskFollower(this.peer, taskId, context.signal, show);
        const { updates } = this;
        this.updates = undefined;
        return this.outcomeOf(await follower.follow(updates));
      })
      .finally(() => {
        pieces.end();
      });
    outcome.catch(() => undefined);
    for (;;) {
      const part = await pieces.next();
      if (part === undefined) break;
      const content = { role: 'model', parts: [part] };
      yield context.event({ id: this.eventId, author: context.agent.name, partial: true, content });
    }
    return outcome;
  }

  private outcomeOf(task: Task): Outcome {
    const { state = TaskState.TASK_STATE_UNSPECIFIED, message } = task.status ?? {};
    const kind =
      state === TaskState.TASK_STATE_INPUT_REQUIRED
        ? 'input'
        : state === TaskState.TASK_STATE_AUTH_REQUIRED
          ? 'auth'
          : 'ended';
    const calls = adkCallsIn(message);
    if (calls.some(asksForCredential)) {
      this.ending = { state, parts: [{ text: ASKS_FOR_CREDENTIAL }] };
      return { kind: 'ended' };
    }
    if (kind !== 'ended') {
      const asked: Outcome = {
        kind,
        question: questionOf(kind, message),
        messageId: message?.messageId ?? '',
      };
      return hasOwnQuestion(message) || calls.length === 0 ? asked : { ...asked, calls };
    }
    this.ending = endingOf(task);
    return { kind };
  }

  /** Sends the answer to a question, unless the peer has it. */
  private async reply(
    begun: Begun,
    asked: Extract<Outcome, { kind: 'input' | 'auth' }>,
    parts: Part[],
    round: number,
  ): Promise<void> {
    const { id, isNew } = await this.messageId(`a2a:message/${String(round + 1)}`);
    const { taskId = '', contextId } = begun;
    const message = { ...this.message(id, parts), taskId, contextId };
    await this.context.once(`a2a:sent/${String(round + 1)}`, async () => {
      const connection = await this.connected();
      let mayHaveArrived = !isNew;
      for (let attempt = 1; ; attempt++) {
        try {
          if (!mayHaveArrived || (await this.isStillAsked(connection, taskId, asked.messageId, id)))
            await this.send(connection, message);
          return true;
        } catch (error) {
          if (error instanceof A2AError || isBlocked(error) || attempt > this.peer.limits.retries)
            throw error;
          mayHaveArrived ||= !isRefused(error);
          await setTimeout(waitAfter(attempt), undefined, { signal: this.context.signal });
        }
      }
    });
  }

  /** True if the peer waits for the answer to the same question, and has not got the message. */
  private async isStillAsked(
    { client }: Connection,
    taskId: string,
    askedId: string,
    id: string,
  ): Promise<boolean> {
    const { status, history } = await this.peer.getTask(client, taskId, this.context.signal);
    if (status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) return false;
    return status.message?.messageId === askedId && !history.some(({ messageId }) => messageId === id);
  }

  /** The last event. One that the log has is repeated as it is, although the peer may have dropped the task. */
  private async ended(begun: Begun & { readonly taskId: string }): Promise<Event> {
    const { context } = this;
    const recorded = context.session.events.findLast(
      ({ nodeInfo, customMetadata }) =>
        nodeInfo?.path === context.path && taskIn(customMetadata) === begun.taskId,
    );
    if (recorded !== undefined) {
      const { author, content, errorCode, errorMessage, customMetadata } = recorded;
      return context.event({ author, content, errorCode, errorMessage, customMetadata });
    }
    if (this.ending === undefined) {
      const { client } = await this.connected();
      this.ending = endingOf(await this.peer.getTask(client, begun.taskId, context.signal));
    }
    return this.answered(begun, this.ending);
  }

  private answered({ taskId, contextId }: Begun, { state, parts }: Ending): Event {
    const { name } = this.context.agent;
    const customMetadata = { [METADATA]: { taskId, contextId }, [UNTRUSTED]: [name] };
    const body = { id: this.eventId, author: name, customMetadata };
    if (state === TaskState.TASK_STATE_COMPLETED)
      return this.context.event({ ...body, content: { role: 'model', parts } });
    const said = parts.flatMap(({ text }) => text ?? []).join(' ');
    const ended = TaskState[state].replace('TASK_STATE_', '').toLowerCase();
    const errorMessage = `The task of the remote agent at ${this.peer.label} is ${ended}${said === '' ? '.' : `: ${cleanText(said, MOST_TEXT)}`}`;
    return this.context.event({ ...body, errorCode: 'A2A_PEER_FAILED', errorMessage });
  }

  private failed({ code: errorCode, message: errorMessage }: AdornError): Event {
    return this.context.event({ author: this.context.agent.name, errorCode, errorMessage });
  }

  private message(messageId: string, parts: Part[]): Message {
    const { context } = this;
    const contextId = lastContextId(context) ?? context.session.id;
    return {
      ...{ messageId, contextId, taskId: '', role: Role.ROLE_USER, parts },
      ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
    };
  }
}

const ASKS_FOR_CREDENTIAL =
  'it asks for a credential, which no message may carry. Grant it where the remote agent runs, and ask again.';

function requestOf(message: Message): SendMessageRequest {
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: true,
  };
  return { tenant: '', message, configuration, metadata: undefined };
}

/** Updates with the first one again, which was read for the id of the task. */
async function* continued(
  first: StreamResponse,
  rest: Updates,
): AsyncGenerator<StreamResponse, void, undefined> {
  try {
    yield first;
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** The context of the last task of this agent in the session: a peer may give contexts ids of its own. */
function lastContextId({ agent, session }: InvocationContext): string | undefined {
  for (const { author, actions } of session.events.toReversed()) {
    const begun = author === agent.name ? (actions.agentState?.[TASK] as Begun | undefined) : undefined;
    if (begun?.contextId !== undefined && begun.contextId !== '') return begun.contextId;
  }
  return undefined;
}

function taskIn(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return (metadata?.[METADATA] as { readonly taskId?: string } | undefined)?.taskId;
}

/** What the peer is told: the message, and what agents before this one answered to it. */
function messageParts(context: InvocationContext): Part[] {
  const asked = toPeerParts(context.userContent?.parts);
  const { isolationScope } = context.event({ author: context.agent.name });
  const events = effectiveEvents(context.session.events);
  const isInvokedWith = events.some(
    ({ author, nodeInfo }) => author === 'user' && nodeInfo?.path === context.path,
  );
  if (isInvokedWith) return asked;
  const said = events.filter(
    (event) =>
      event.invocationId === context.invocationId &&
      event.author !== 'user' &&
      event.author !== context.agent.name &&
      event.isolationScope === isolationScope &&
      event.text !== '',
  );
  return [...asked, ...said.map(({ author, text }) => textPart(`${author} said: ${text}`))];
}

const REFUSED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** True if no connection was made, so that nothing was sent. */
function isRefused(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; depth++) {
    if (REFUSED.has((cause as { readonly code?: unknown }).code)) return true;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return false;
}

function isBlocked(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'HTTP_ADDRESS_BLOCKED';
}

function isUnreachable(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'HTTP_REQUEST_FAILED';
}
