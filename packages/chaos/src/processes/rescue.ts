import { setTimeout as sleep } from 'node:timers/promises';

import { AdornError, type PendingRequest, type RunResult, type Runner } from '@adorn/core';

import { approverOf } from './approver.js';
import { DONE } from './shop.js';

export const USER = 'ada';

/** How a process takes up the session of a dead one. */
export type Way =
  'recover' | 'message' | 'answer' | 'resume' | 'undo' | 'cancelled message' | 'cancelled resume';

export interface Rescue {
  readonly way: Way;
  /** When it begins, in milliseconds after the first moment. */
  readonly at: number;
  /** When a cancelled run is cancelled, in milliseconds after its begin. */
  readonly cancelledAfter: number;
  /** The user's next message, which no other process sends. */
  readonly message: string;
  /** The request to answer. */
  readonly request?: PendingRequest | undefined;
  /** Who answers, see `approverOf`. */
  readonly turn: number;
}

/** What became of a rescue. */
export interface Outcome {
  /** The status of a run, or what became of each run that was recovered; nothing if it was rejected. */
  readonly said: readonly string[];
  /** The codes of errors; a text for what is no error of Adorn. */
  readonly codes: readonly string[];
}

/** Takes up a session. Never rejects. */
export async function rescue(runner: Runner<unknown>, sessionId: string, plan: Rescue): Promise<Outcome> {
  await sleep(plan.at);
  try {
    if (plan.way === 'recover') return await recover(runner);
    return { said: [(await runOf(runner, sessionId, plan)).status], codes: [] };
  } catch (error) {
    return { said: [], codes: [codeOf(error)] };
  }
}

async function recover(runner: Runner<unknown>): Promise<Outcome> {
  const recovered = await runner.recover();
  const failed = recovered.filter(({ outcome }) => outcome === 'failed');
  return {
    said: recovered.map(({ outcome }) => outcome),
    codes: failed.map(({ error }) => codeOf(error)),
  };
}

async function runOf(
  runner: Runner<unknown>,
  sessionId: string,
  { way, message, request, turn, cancelledAfter }: Rescue,
): Promise<RunResult<unknown>> {
  if (request) return answer(runner, request, turn);
  const address = { userId: USER, sessionId };
  if (way === 'undo') return runner.undo({ ...address, invocationId: firstRunOf(sessionId) });
  const run = way.endsWith('message') ? runner.run({ ...address, message }) : runner.resume(address);
  if (!way.startsWith('cancelled')) return run;
  const timer = setTimeout(() => {
    run.cancel();
  }, cancelledAfter);
  try {
    return await run;
  } finally {
    clearTimeout(timer);
  }
}

/** Approves a call, or delivers its result. @param turn who approves, see `approverOf` */
export function answer(
  runner: Runner<unknown>,
  request: PendingRequest,
  turn: number,
): Promise<RunResult<unknown>> {
  const by = approverOf(request, turn);
  return request.kind === 'confirmation'
    ? runner.approve(request, by ? { by } : {})
    : runner.supply(request, { result: DONE });
}

/** The run that begins a conversation. */
export function firstRunOf(sessionId: string): string {
  return `${sessionId}-first`;
}

/** Holds a conversation, in which all that is asked is answered, and undoes it if the tree can. */
export async function converse(runner: Runner<unknown>, sessionId: string, isUndone: boolean): Promise<void> {
  const address = { userId: USER, sessionId };
  const invocationId = firstRunOf(sessionId);
  await runner.run({ ...address, invocationId, message: 'Go.' });
  await answerAll(runner, sessionId);
  if (!isUndone) return;
  await undoOnceEnded(runner, { ...address, invocationId });
  await answerAll(runner, sessionId);
}

/** Nobody waits until the end of a run is recorded: an undo that comes before is refused. */
async function undoOnceEnded(
  runner: Runner<unknown>,
  input: Parameters<typeof runner.undo>[0],
): Promise<void> {
  for (;;) {
    try {
      await runner.undo(input);
      return;
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'INVOCATION_ACTIVE') throw error;
      await sleep(10);
    }
  }
}

async function answerAll(runner: Runner<unknown>, sessionId: string): Promise<void> {
  for (let turn = 0; ; turn++) {
    const [request] = await runner.pending({ userId: USER, sessionId });
    if (!request) return;
    await answerInTurn(runner, request, turn);
  }
}

/** Answers as whoever's turn it is, who may be refused. */
export async function answerInTurn(
  runner: Runner<unknown>,
  request: PendingRequest,
  turn: number,
): Promise<void> {
  try {
    await answer(runner, request, turn);
  } catch (error) {
    if (!AdornError.is(error) || error.code !== 'APPROVER_NOT_ALLOWED') throw error;
  }
}

export function codeOf(error: unknown): string {
  if (AdornError.is(error)) return error.code;
  return `no error of Adorn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
