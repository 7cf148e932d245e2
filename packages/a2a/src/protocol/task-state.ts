import { type Task, TaskState } from '@a2a-js/sdk';

/** True for a state in which a task waits for somebody, or has ended. */
export function isSettledState(state: TaskState | undefined): boolean {
  return (
    state !== undefined && state !== TaskState.TASK_STATE_WORKING && state !== TaskState.TASK_STATE_SUBMITTED
  );
}

/** True for a task that waits for somebody, or has ended. */
export function isSettled({ status }: Task): boolean {
  return isSettledState(status?.state);
}

/** True for a task that has ended. */
export function isTerminal({ status }: Task): boolean {
  return status?.state !== undefined && TERMINAL.has(status.state);
}

const TERMINAL: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);
