/* eslint-disable max-lines -- the methods of one interface of the protocol */
import { AdornError, type Logger, type PendingRequest, type Run, type Runner } from '@adorn/core';
import { mayAnswer, type Principal } from '@adorn/core/backend';
import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  Role,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  A2AError,
  ExtendedAgentCardNotConfiguredError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';

import { fromPeerParts } from '../protocol/parts.js';
import { isSettled, isTerminal } from '../protocol/task-state.js';
import type { PeerLimits } from './serve-options.js';
import { type FoundTask, keyOf, ServedTasks, type TaskPlace } from './served-tasks.js';
import { answerIn } from './task-answer.js';
import { invocationIdOf, isUsableId, newCancellationId, newContextId } from './task-id.js';
import { runIdOf, statusOf, taskOf, type TaskView } from './task-of-log.js';
import type { TaskRun } from './task-runs.js';
import { updatesOf } from './task-updates.js';
import type { Webhooks } from './webhooks.js';

/** The channel of runs and answers of peers in the log. */
const CHANNEL = 'a2a';

/** The dependencies of a {@link TaskHandler}. */
export interface TaskHandlerFields {
  readonly runner: Runner<unknown>;
  readonly card: AgentCard;
  /** The card for authenticated principals. */
  readonly extended: AgentCard | undefined;
  readonly webhooks: Webhooks;
  readonly approve: ((request: PendingRequest, principal: string) => unknown) | undefined;
  readonly limits: Required<Pick<PeerLimits, 'tasks'>>;
  readonly logger: Logger;
}

/** Answers the requests of the protocol for one agent. Tasks are read from the session store, which alone records them. */
export class TaskHandler implements A2ARequestHandler {
  private readonly tasks: ServedTasks;

  constructor(private readonly fields: TaskHandlerFields) {
    this.tasks = new ServedTasks(fields);
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.fields.card);
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    const { extended } = this.fields;
    return extended === undefined
      ? Promise.reject(new ExtendedAgentCardNotConfiguredError())
      : Promise.resolve(extended);
  }

  sendMessage({ message, configuration }: SendMessageRequest, call: ServerCallContext): Promise<Task> {
    return this.answered(async () => {
      const sent = await this.send(message, call, configuration);
      if (configuration?.returnImmediately !== true) await sent.run?.ended;
      refuseFailed(sent);
      return this.tasks.task(sent, configuration?.historyLength);
    });
  }

  async *sendMessageStream(
    { message, configuration }: SendMessageRequest,
    call: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const sent = await this.answered(() => this.send(message, call, configuration));
    yield* this.updates(sent, call, configuration?.historyLength);
  }

  getTask({ id, historyLength }: GetTaskRequest, call: ServerCallContext): Promise<Task> {
    return this.answered(async () => this.tasks.task(await this.tasks.find(id, userOf(call)), historyLength));
  }

  async *resubscribe(
    { id }: SubscribeToTaskRequest,
    call: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const found = await this.answered(async () => {
      const place = await this.tasks.find(id, userOf(call));
      if (isTerminal(await this.tasks.task(place, 0)))
        throw new UnsupportedOperationError(`The task ${id} has ended.`);
      return place;
    });
    yield* this.updates(found, call, 0);
  }

  cancelTask({ id }: CancelTaskRequest, call: ServerCallContext): Promise<Task> {
    return this.answered(async () => {
      const found = await this.tasks.find(id, userOf(call));
      if (isTerminal(await this.tasks.task(found, 0)))
        throw new TaskNotCancelableError(`The task ${id} has ended.`);
      if (found.run) {
        found.run.cancel();
        await found.run.ended;
      } else await this.tasks.cancelElsewhere(found);
      // A run may pause before it hears of the cancellation.
      if (!isTerminal(await this.tasks.task(found, 0))) await this.endWaiting(found, signerOf(call));
      return this.tasks.task(found);
    });
  }

  listTasks(params: ListTasksRequest, call: ServerCallContext): Promise<ListTasksResponse> {
    return this.answered(() => this.tasks.list(userOf(call), params));
  }

  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answered(async () => {
      const found = await this.tasks.find(config.taskId, userOf(call));
      return this.fields.webhooks.add(keyOf(found), config, call.requestedVersion);
    });
  }

  getTaskPushNotificationConfig(
    { taskId, id }: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answered(async () => {
      const key = keyOf(await this.tasks.find(taskId, userOf(call)));
      const { webhooks } = this.fields;
      // Clients of revision 0.3 may leave the id out.
      const [first] = id === '' || id === taskId ? webhooks.list(key) : [];
      return first ?? webhooks.get(key, id);
    });
  }

  listTaskPushNotificationConfigs(
    { taskId }: ListTaskPushNotificationConfigsRequest,
    call: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.answered(async () => {
      const key = keyOf(await this.tasks.find(taskId, userOf(call)));
      return { configs: this.fields.webhooks.list(key), nextPageToken: '' };
    });
  }

  deleteTaskPushNotificationConfig(
    { taskId, id }: DeleteTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<void> {
    return this.answered(async () => {
      this.fields.webhooks.delete(keyOf(await this.tasks.find(taskId, userOf(call))), id);
    });
  }

  /** Cancels what runs here, and waits for the ends. */
  async close(): Promise<void> {
    await this.tasks.close();
    await this.fields.webhooks.close();
  }

  /** Begins or continues a task. A message that is sent again begins nothing. */
  private async send(
    message: Message | undefined,
    call: ServerCallContext,
    configuration: SendMessageConfiguration | undefined,
  ): Promise<FoundTask> {
    const userId = userOf(call);
    const by = signerOf(call);
    const { messageId, taskId, parts } = requireMessage(message);
    const webhook = configuration?.taskPushNotificationConfig;
    const addWebhook = (place: TaskPlace): void => {
      if (webhook === undefined) return;
      this.fields.webhooks.add(keyOf(place), { ...webhook, taskId: place.taskId }, call.requestedVersion);
    };
    const contextId = message?.contextId ?? '';
    if (taskId !== '') {
      const given = { taskId, contextId, messageId, message, userId, by };
      return this.continueTask({ ...given, addWebhook });
    }
    const sessionId = contextId === '' ? newContextId(userId, messageId) : contextId;
    if (!isUsableId(sessionId))
      throw new RequestMalformedError('contextId is longer than 160 bytes, or not valid.');
    const invocationId = invocationIdOf({ sessionId, messageId });
    const place = { taskId: invocationId, sessionId, userId };
    const isStored = await this.tasks.isStored(place);
    // The same message, sent twice at once, begins one run.
    const active = this.tasks.run(place);
    if (active || isStored) return { ...place, run: active };
    const content = fromPeerParts(parts);
    if (content.length === 0) throw new RequestMalformedError('message.parts has nothing that can be read.');
    addWebhook(place);
    const run = this.begin(place, () =>
      this.fields.runner.run({
        ...{ userId, sessionId, invocationId, by, channel: CHANNEL },
        message: content,
        config: { streaming: 'sse' },
      }),
    );
    return { ...place, run };
  }

  private async continueTask(given: Continuation): Promise<FoundTask> {
    const { taskId, contextId, messageId, message, userId, by } = given;
    const found = await this.tasks.find(taskId, userId);
    if (contextId !== '' && contextId !== found.sessionId)
      throw new RequestMalformedError('contextId is not that of the task.');
    const invocationId = invocationIdOf({ sessionId: found.sessionId, messageId });
    const { log, pending } = await this.tasks.log(found);
    // The same message again.
    if (log.invocationIds.has(invocationId)) return found;
    const open = pending.filter((request) => log.invocationIds.has(runIdOf(request.invocationId)));
    if (found.run !== undefined || log.isOpen)
      throw new UnsupportedOperationError(
        `The task ${taskId} is working. Send the message when it waits for input.`,
      );
    if (open.length === 0)
      throw new UnsupportedOperationError(`The task ${taskId} has ended. Send the message without a taskId.`);
    const answer = await answerIn(message, { open, by, ...this.fields });
    const options = {
      by,
      channel: CHANNEL,
      invocationId,
      config: { streaming: 'sse' },
    } as const;
    given.addWebhook(found);
    // Another message may have answered meanwhile.
    if (this.tasks.run(found)) throw new UnsupportedOperationError(`The task ${taskId} is working.`);
    return { ...found, run: this.begin(found, () => answer(options)) };
  }

  private begin(place: TaskPlace, start: () => Run<unknown>): TaskRun {
    const run = this.tasks.begin(place, start);
    void this.notify(place, run);
    return run;
  }

  /** Tells the webhooks of a task that its run begins, what it does, and how it ends. Never rejects. */
  private async notify(place: TaskPlace, run: TaskRun): Promise<void> {
    const { webhooks, logger } = this.fields;
    const { taskId, sessionId: contextId } = place;
    const key = keyOf(place);
    const shown = new Set<string>();
    try {
      // Subscribed before the log is read, so that nothing comes in between.
      const events = run.follow();
      const first = events.next();
      await this.notifyStatus(place);
      for (let step = await first; step.done !== true; step = await events.next()) {
        if (step.value.partial || !webhooks.has(key)) continue;
        const task = await this.tasks.task(place, 0);
        for (const update of updatesOf(step.value, { taskId, contextId }, shown))
          webhooks.notify(key, update, task);
      }
      await run.ended;
      // A message that was refused has changed nothing, or begun nothing.
      if (run.error === undefined || (await this.tasks.isStored(place))) await this.notifyStatus(place);
    } catch (error) {
      logger.warn('the webhooks of an A2A task were not notified', { task: taskId, error });
    }
  }

  private async notifyStatus(place: TaskPlace): Promise<void> {
    const { webhooks } = this.fields;
    const { taskId, sessionId: contextId } = place;
    const key = keyOf(place);
    if (!webhooks.has(key)) return;
    const task = await this.tasks.task(place, 0);
    const value = { taskId, contextId, status: task.status, metadata: undefined };
    webhooks.notify(key, { payload: { $case: 'statusUpdate', value } }, task);
  }

  /** The task as it is, its updates while it runs, and its last status. */
  private async *updates(
    found: FoundTask,
    call: ServerCallContext,
    historyLength?: number,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const { run, sessionId: contextId, taskId } = found;
    const signal = call.state.get('signal') as AbortSignal | undefined;
    // Subscribed before the log is read, so that nothing comes in between.
    const events = run?.follow(signal);
    const first = events?.next();
    const begun = await this.answered(() => this.tasks.task(found, historyLength));
    yield { payload: { $case: 'task', value: begun } };
    if (events !== undefined && first !== undefined) {
      const shown = new Set<string>();
      for (let step = await first; step.done !== true; step = await events.next())
        for (const update of updatesOf(step.value, { taskId, contextId }, shown)) yield update;
      await run?.ended;
      refuseFailed(found);
    } else if (!isSettled(begun)) await this.tasks.untilSettled(found, signal);
    if (signal?.aborted === true || (run === undefined && isSettled(begun))) return;
    const { log, pending } = await this.answered(() => this.tasks.log(found));
    const view: TaskView = { pending, isActive: this.tasks.run(found) !== undefined };
    if (run === undefined)
      for (const artifact of taskOf(log, view).artifacts)
        yield {
          payload: {
            $case: 'artifactUpdate',
            value: { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined },
          },
        };
    const value = {
      taskId,
      contextId,
      status: statusOf(log, { ...view, isActive: false }),
      metadata: undefined,
    };
    yield { payload: { $case: 'statusUpdate', value } };
  }

  /** Ends a task that waits for an answer: its request is refused, and the run ends before the model is asked. */
  private async endWaiting(found: FoundTask, by: Principal): Promise<void> {
    const { log, pending } = await this.tasks.log(found);
    const open = pending.filter(({ invocationId }) => log.invocationIds.has(runIdOf(invocationId)));
    const { runner } = this.fields;
    const cannot = open.find(({ kind }) => kind !== 'input' && kind !== 'confirmation');
    if (cannot !== undefined || log.isOpen)
      throw new TaskNotCancelableError(
        `The task ${found.taskId} waits for a ${cannot?.kind ?? 'run of another process'}.`,
      );
    if (open.some((request) => !mayAnswer(request, by)))
      throw new TaskNotCancelableError(`The task ${found.taskId} waits for the approval of somebody else.`);
    for (const request of open) {
      const run = runner.reject(request, {
        by,
        channel: CHANNEL,
        invocationId: newCancellationId(),
        reason: 'The task was cancelled.',
      });
      await cancelledAfterFirst(run);
    }
  }

  /** Tells peers of faults in their requests; others are logged, and peers learn no more than that there is one. */
  private async answered<Value>(perform: () => Promise<Value>): Promise<Value> {
    try {
      return await perform();
    } catch (error) {
      if (error instanceof A2AError) throw error;
      refuseTold(error);
      this.fields.logger.error('an A2A request failed', { error });
      // eslint-disable-next-line preserve-caught-error -- a peer must not read the cause
      throw new Error('The request failed.');
    }
  }
}

/** The codes of errors that the peer's message causes, and whose texts are about nothing else. */
const TOLD: ReadonlySet<string> = new Set([
  'ANSWER_INVALID',
  'MESSAGE_INVALID',
  'REQUEST_NOT_PENDING',
  'NAME_INVALID',
]);

interface Continuation {
  readonly taskId: string;
  readonly contextId: string;
  readonly messageId: string;
  readonly message: Message | undefined;
  readonly userId: string;
  readonly by: Principal;
  readonly addWebhook: (place: TaskPlace) => void;
}

/** The key of a call's state for the principal that sent it. */
export const PRINCIPAL = 'principal';

/** The user whose tasks a call is about. */
function userOf({ user }: ServerCallContext): string {
  return user?.userName ?? '';
}

/** Who sent a call: who begins its run, or answers. */
function signerOf({ state }: ServerCallContext): Principal {
  return state.get(PRINCIPAL) as Principal;
}

function requireMessage(message: Message | undefined): Message {
  if (message === undefined) throw new RequestMalformedError('message is missing.');
  if (!isUsableId(message.messageId))
    throw new RequestMalformedError('message.messageId is missing, longer than 160 bytes, or not valid.');
  if (message.role === Role.ROLE_AGENT) throw new RequestMalformedError('message.role is that of an agent.');
  return message;
}

/** Codes that say what a peer may not do, in texts that tell no more. */
const REFUSED: ReadonlySet<string> = new Set(['APPROVER_NOT_ALLOWED', 'REQUEST_CHANGED']);

/** @throws {A2AError} if the peer's message caused the error */
function refuseTold(error: unknown): void {
  if (AdornError.is(error) && REFUSED.has(error.code)) throw new UnsupportedOperationError(error.message);
  if (AdornError.is(error) && TOLD.has(error.code)) throw new RequestMalformedError(error.message);
}

/** @throws what the run threw before anything was stored */
function refuseFailed({ run }: FoundTask): void {
  if (run?.error === undefined) return;
  refuseTold(run.error);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- a store may throw anything
  throw run.error;
}

async function cancelledAfterFirst(run: Run<unknown>): Promise<void> {
  for await (const _event of run) run.cancel();
}
