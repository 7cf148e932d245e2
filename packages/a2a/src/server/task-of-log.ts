import type { Event, PendingRequest, Session } from '@adorn/core';
import { present } from '@adorn/core/backend';
import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type Task,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk';

import { adkCallPart } from '../protocol/adk-parts.js';
import { dataPart, textPart, toPeerParts } from '../protocol/parts.js';
import { isCancellationId, placeOf } from './task-id.js';

/** The part of a session's log that belongs to a task: its first run, and the runs that continue it. */
export interface TaskLog {
  readonly taskId: string;
  readonly contextId: string;
  readonly invocationIds: ReadonlySet<string>;
  readonly events: readonly Event[];
  /** True if the last run of the session is the task's, and has not ended. */
  readonly isOpen: boolean;
}

/** Reads a task from the log of its session, which is its only record; undefined if the session has no such task. */
export function readTaskLog(session: Session, taskId: string): TaskLog | undefined {
  const invocationIds = new Set([taskId]);
  const requests = new Set<string>();
  const events: Event[] = [];
  const { lastRun } = session;
  for (const event of session.events) {
    const runId = runIdOf(event.invocationId);
    const isAnswer =
      event.author === 'user' && event.functionResponses.some(({ id = '' }) => requests.has(id));
    const isResumed = lastRun?.id === runId && invocationIds.has(lastRun.continues ?? '');
    if (isAnswer || isResumed) invocationIds.add(runId);
    if (!invocationIds.has(runId)) continue;
    events.push(event);
    for (const { id } of event.pending) requests.add(id);
  }
  const [first] = events;
  // A run that continues a task is no task.
  if (first === undefined || first.functionResponses.length > 0) return undefined;
  const isOpen = lastRun?.status === 'open' && invocationIds.has(lastRun.id);
  return { taskId, contextId: session.id, invocationIds, events, isOpen };
}

/** The ids of the tasks in a session, the latest first. */
export function taskIdsIn(session: Session): string[] {
  const ids = new Set(session.events.map(({ invocationId }) => runIdOf(invocationId)));
  return [...ids].filter((id) => placeOf(id)?.sessionId === session.id).reverse();
}

/** The run of an event; an agent that runs as a tool has an id of its own in it. */
export function runIdOf(invocationId: string): string {
  return invocationId.split('.sub.', 1)[0] ?? invocationId;
}

/** What a task is shown with besides its log. */
export interface TaskView {
  /** The open requests of the session. */
  readonly pending: readonly PendingRequest[];
  /** True if a run of the task is active in this process. */
  readonly isActive: boolean;
  /** How many messages to show, the latest; undefined for all. */
  readonly historyLength?: number | undefined;
}

/** The task as peers see it. */
export function taskOf(log: TaskLog, view: TaskView): Task {
  const { taskId: id, contextId, events } = log;
  return {
    ...{ id, contextId },
    status: statusOf(log, view),
    artifacts: events.flatMap((event) => artifactOf(event) ?? []),
    history: historyOf(log, view.historyLength),
    metadata: undefined,
  };
}

/** The status of a task. */
export function statusOf(log: TaskLog, { pending, isActive }: TaskView): TaskStatus {
  const { events, invocationIds, isOpen } = log;
  const timestamp = new Date((events.at(-1)?.timestamp ?? 0) * 1000).toISOString();
  const state = (one: TaskState, message?: Message): TaskStatus => ({ state: one, message, timestamp });
  if (isActive || isOpen) return state(TaskState.TASK_STATE_WORKING);
  const open = pending.filter(({ invocationId }) => invocationIds.has(runIdOf(invocationId)));
  if (open.length > 0) {
    const isAuth = open.every(({ kind }) => kind === 'credential');
    const waiting = isAuth ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED;
    return state(waiting, questionMessage(log, open));
  }
  // However the agent took the refusal of its question.
  if (isCancellationId(events.at(-1)?.invocationId ?? '')) return state(TaskState.TASK_STATE_CANCELED);
  const told = events.filter(isTold);
  const failed = told.findLastIndex(({ errorCode }) => errorCode !== undefined);
  const code = told[failed]?.errorCode;
  if (code === 'CANCELLED' && failed === told.length - 1) return state(TaskState.TASK_STATE_CANCELED);
  if (code === undefined || told.slice(failed).some((event) => artifactOf(event) !== undefined))
    return state(TaskState.TASK_STATE_COMPLETED);
  const text = `The agent could not answer (${code}).`;
  return state(TaskState.TASK_STATE_FAILED, agentMessage(log, `${log.taskId}/${code}`, [textPart(text)]));
}

/** True for an event that is for the user: not of an agent that runs as a tool, and not of the user. */
export function isTold({ author, isolationScope }: Event): boolean {
  return author !== 'user' && isolationScope === undefined;
}

/** The artifact of an event with an answer; its id is the event's. Undefined for other events. */
export function artifactOf(event: Event): Artifact | undefined {
  if (!isTold(event) || !(event.partial || event.isFinalResponse) || event.pending.length > 0)
    return undefined;
  const parts = toPeerParts(event.content?.parts);
  if (parts.length === 0) return undefined;
  const { id: artifactId, author: name } = event;
  return { artifactId, name, description: '', parts, metadata: undefined, extensions: [] };
}

function historyOf(log: TaskLog, length: number | undefined): Message[] {
  if (length === 0) return [];
  const { contextId, taskId, events } = log;
  const messages = events.flatMap((event): Message[] => {
    if (event.author !== 'user' || event.isolationScope !== undefined || event.nodeInfo !== undefined)
      return [];
    const messageId = placeOf(event.invocationId)?.messageId ?? event.id;
    const answers = event.functionResponses.map(({ response }) => dataPart(response?.['result'] ?? null));
    const parts = [...toPeerParts(event.content?.parts), ...answers];
    return [{ ...EMPTY, messageId, contextId, taskId, role: Role.ROLE_USER, parts }];
  });
  return length === undefined ? messages : messages.slice(-length);
}

/** A question to the peer: the hint as text, and what may be answered as data. */
function questionMessage(log: TaskLog, open: readonly PendingRequest[]): Message {
  const [first] = open;
  const hints = open.flatMap(({ hint }) => (hint === undefined || hint === '' ? [] : [textPart(hint)]));
  const questions = open.map((request) => dataPart(questionOf(request)));
  const parts = [...hints, ...questions, ...open.flatMap((request) => adkPartOf(request) ?? [])];
  return agentMessage(log, first?.id ?? log.taskId, parts);
}

/** The arguments of a call that waits for an approval are for its operator, not for the peer. */
function questionOf({ id: requestId, kind, tool, hint, schema, payload }: PendingRequest): object {
  return kind === 'input' ? { requestId, kind, hint, schema, payload } : { requestId, kind, tool, hint };
}

/** The same question for clients of Google's ADK; undefined for a credential, which no message may carry. */
function adkPartOf({ id, kind, tool, hint, schema, payload }: PendingRequest): Part | undefined {
  switch (kind) {
    case 'confirmation':
      return adkCallPart({
        id,
        name: 'adk_request_confirmation',
        args: { originalFunctionCall: { name: tool }, toolConfirmation: present({ hint, confirmed: false }) },
      });
    case 'input':
      return adkCallPart({
        id,
        name: 'adk_request_input',
        args: present({ interruptId: id, message: hint, payload, response_schema: schema }),
      });
    case 'result':
      return adkCallPart({ id, name: tool, args: {} });
    case 'credential':
      return undefined;
  }
}

const EMPTY = { metadata: undefined, extensions: [], referenceTaskIds: [] };

function agentMessage({ taskId, contextId }: TaskLog, messageId: string, parts: Message['parts']): Message {
  return { ...EMPTY, messageId, contextId, taskId, role: Role.ROLE_AGENT, parts };
}
