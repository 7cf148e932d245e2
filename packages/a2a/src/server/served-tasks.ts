import type { Logger, PendingRequest, Run, Runner, Session } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { setTimeout } from 'node:timers/promises';

import { isSettled } from '../protocol/task-state.js';
import type { PeerLimits } from './serve-options.js';
import { placeOf } from './task-id.js';
import { readTaskLog, taskIdsIn, taskOf, type TaskLog } from './task-of-log.js';
import { TaskRun } from './task-runs.js';

/** Milliseconds between two looks at the log of a task that runs in another process. */
const POLL_MS = 500;
/** How long a cancellation waits for the process of a run, in milliseconds. */
const CANCEL_MS = 10_000;
const MOST_LISTED = 100;

/** A task, its session, and the peer that it belongs to. */
export interface TaskPlace {
  readonly taskId: string;
  readonly sessionId: string;
  /** The user of the session. */
  readonly userId: string;
}

/** A task with its run in this process, if it has one. */
export interface FoundTask extends TaskPlace {
  readonly run: TaskRun | undefined;
}

/** A text by which a task is told from those of other peers. */
export function keyOf({ userId, taskId }: TaskPlace): string {
  return composedKey(userId, taskId);
}

/** The dependencies of {@link ServedTasks}. */
interface ServedTasksFields {
  readonly runner: Runner<unknown>;
  readonly limits: Required<Pick<PeerLimits, 'tasks'>>;
  readonly logger: Logger;
}

/** The tasks of one agent: the runs of this process, and what the session store records of all. */
export class ServedTasks {
  private readonly runs = new Map<string, TaskRun>();

  constructor(private readonly fields: ServedTasksFields) {}

  /** The run of a task in this process. */
  run(place: TaskPlace): TaskRun | undefined {
    return this.runs.get(keyOf(place));
  }

  /** @throws {TaskNotFoundError} also for a task of another principal */
  async find(taskId: string, userId: string): Promise<FoundTask> {
    const place = placeOf(taskId);
    if (place === undefined) throw notFound(taskId);
    const found = { taskId, sessionId: place.sessionId, userId };
    const run = this.run(found);
    if (run === undefined && !(await this.isStored(found))) throw notFound(taskId);
    return { ...found, run };
  }

  async isStored(place: TaskPlace): Promise<boolean> {
    return (await this.storedLog(place)) !== undefined;
  }

  async log(place: TaskPlace): Promise<{ log: TaskLog; pending: readonly PendingRequest[] }> {
    const log = await this.storedLog(place);
    if (log === undefined) throw notFound(place.taskId);
    return { log, pending: await this.pendingIn(place) };
  }

  async task(place: TaskPlace, historyLength?: number): Promise<Task> {
    const run = this.run(place);
    const log = await this.storedLog(place);
    // Its message waits for another run of the session.
    if (!log && run) return submitted(place);
    if (!log) throw notFound(place.taskId);
    const pending = await this.pendingIn(place);
    return taskOf(log, { pending, isActive: this.run(place) !== undefined, historyLength });
  }

  async list(
    userId: string,
    { contextId, status, pageSize = 50, pageToken, historyLength, ...params }: ListTasksRequest,
  ): Promise<ListTasksResponse> {
    const tasks: Task[] = [];
    const after = params.statusTimestampAfter;
    for (const sessionId of await this.sessionIds(userId, contextId)) {
      for (const task of await this.tasksOf(userId, sessionId, historyLength ?? 0)) {
        if (status !== TaskState.TASK_STATE_UNSPECIFIED && task.status?.state !== status) continue;
        if (after !== undefined && (task.status?.timestamp ?? '') <= after) continue;
        tasks.push(params.includeArtifacts === true ? task : { ...task, artifacts: [] });
      }
    }
    const from = Number(pageToken);
    if (!Number.isSafeInteger(from) || from < 0)
      throw new RequestMalformedError('pageToken is not one of a page.');
    const limit = Math.min(Math.max(1, pageSize), MOST_LISTED);
    const next = from + limit;
    return {
      tasks: tasks.slice(from, next),
      nextPageToken: next < tasks.length ? String(next) : '',
      pageSize: limit,
      totalSize: tasks.length,
    };
  }

  /** Starts the run of a task. @throws {UnsupportedOperationError} if as many run as a peer may have */
  begin(place: TaskPlace, start: () => Run<unknown>): TaskRun {
    const { userId, taskId } = place;
    const { limits, logger } = this.fields;
    const running = [...this.runs.values()].filter((run) => run.userId === userId).length;
    if (running >= limits.tasks)
      throw new UnsupportedOperationError(
        `${String(running)} tasks of this principal are running. Wait for one.`,
      );
    const run = new TaskRun(taskId, userId, start(), logger);
    const key = keyOf(place);
    this.runs.set(key, run);
    void run.ended.then(() => this.runs.delete(key));
    return run;
  }

  /** Waits for a run of another process by its log. */
  async untilSettled(place: TaskPlace, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted === true) return;
      if (isSettled(await this.task(place, 0))) return;
      await this.refuseInterrupted(place);
      await setTimeout(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /**
   * Cancels the run of a task in another process, and waits until that process has ended it. A run whose process died is
   * ended here.
   */
  async cancelElsewhere(place: TaskPlace): Promise<void> {
    const { sessionId, userId } = place;
    const log = await this.storedLog(place);
    const open = await this.fields.runner.findOpenRun({ userId, sessionId });
    if (!open || log?.invocationIds.has(open.invocationId) !== true) return;
    await this.fields.runner.cancelRun({ userId, sessionId, invocationId: open.invocationId });
    await this.untilSettled(place, AbortSignal.timeout(CANCEL_MS));
  }

  /** @throws {UnsupportedOperationError} if nobody runs the task any more */
  private async refuseInterrupted({ taskId, sessionId, userId }: TaskPlace): Promise<void> {
    const open = await this.fields.runner.findOpenRun({ userId, sessionId });
    if (open?.place === 'interrupted' || open?.place === 'left')
      throw new UnsupportedOperationError(
        `The process of the task ${taskId} ended before the task did. It works again when it is recovered.`,
      );
  }

  /** Cancels what runs here, and waits for the ends. */
  async close(): Promise<void> {
    const runs = [...this.runs.values()];
    for (const run of runs) run.cancel();
    await Promise.all(runs.map(({ ended }) => ended));
  }

  private async sessionIds(userId: string, contextId: string): Promise<string[]> {
    if (contextId !== '') return [contextId];
    const { runner } = this.fields;
    const sessions = await runner.sessions.listSessions(
      { appName: runner.appName, userId },
      { limit: MOST_LISTED },
    );
    return sessions.map(({ id }) => id);
  }

  private async tasksOf(userId: string, sessionId: string, historyLength: number): Promise<Task[]> {
    const session = await this.session({ sessionId, userId });
    if (session === undefined) return [];
    const ids = taskIdsIn(session).filter((id) => readTaskLog(session, id) !== undefined);
    return Promise.all(ids.map((taskId) => this.task({ taskId, sessionId, userId }, historyLength)));
  }

  private async storedLog(place: TaskPlace): Promise<TaskLog | undefined> {
    const session = await this.session(place);
    return session && readTaskLog(session, place.taskId);
  }

  private pendingIn({ sessionId, userId }: TaskPlace): Promise<readonly PendingRequest[]> {
    return this.fields.runner.pending({ userId, sessionId });
  }

  private session({ sessionId, userId }: Omit<TaskPlace, 'taskId'>): Promise<Session | undefined> {
    const { runner } = this.fields;
    return runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
  }
}

function notFound(taskId: string): TaskNotFoundError {
  return new TaskNotFoundError(`The task ${taskId} was not found.`);
}

function submitted({ taskId: id, sessionId: contextId }: TaskPlace): Task {
  const status = {
    state: TaskState.TASK_STATE_SUBMITTED,
    message: undefined,
    timestamp: new Date().toISOString(),
  };
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined };
}
