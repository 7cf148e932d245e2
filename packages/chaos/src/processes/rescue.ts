import { setTimeout as sleep } from 'node:timers/promises';

import { AdornError, type PendingRequest, type RunResult, type Runner } from '@adorn/core';

import { DONE } from './trees.js';

export const USER = 'ada';

/** How a process takes up the session of a dead one. */
export type Way = 'recover' | 'message' | 'answer' | 'resume' | 'cancelled message' | 'cancelled resume';

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
  { way, message, request, cancelledAfter }: Rescue,
): Promise<RunResult<unknown>> {
  if (request) return answer(runner, request);
  const address = { userId: USER, sessionId };
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

/** Approves a call, or delivers its result. */
export function answer(runner: Runner<unknown>, request: PendingRequest): Promise<RunResult<unknown>> {
  return request.kind === 'confirmation' ? runner.approve(request) : runner.supply(request, { result: DONE });
}

/** Holds a conversation, in which all that is asked is answered. */
export async function converse(runner: Runner<unknown>, sessionId: string): Promise<void> {
  const address = { userId: USER, sessionId };
  await runner.run({ ...address, message: 'Go.' });
  for (;;) {
    const [request] = await runner.pending(address);
    if (!request) return;
    await answer(runner, request);
  }
}

export function codeOf(error: unknown): string {
  if (AdornError.is(error)) return error.code;
  return `no error of Adorn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
