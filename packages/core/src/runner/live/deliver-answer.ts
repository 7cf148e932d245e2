import { storeLiveAnswers } from '../answers/live-answers.js';
import { checkedRunInput, type RunStartInput } from '../begin/run-input.js';
import type { OpenLive } from './open-lives.js';

/** Has a live session take an answer of `runner.approve`, `reject` or `supply`. */
export function deliverAnswer(open: OpenLive, input: RunStartInput): Promise<void> {
  return open.live.deliver(() => storeAnswer(open, input));
}

/** Stores an answer in the run of a live session. A run that ends before its first agent takes none. */
export async function storeAnswer({ live, run }: OpenLive, input: RunStartInput): Promise<void> {
  const { handle, invocation, setting } = run;
  if (!invocation) return;
  const answering = checkedRunInput(setting, handle.invocationId, input);
  await storeLiveAnswers(invocation, answering, live.spoken);
}
