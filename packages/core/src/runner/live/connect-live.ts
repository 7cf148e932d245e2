import type { Event } from '../../events/event.js';
import type { Part } from '../../events/genai-types.js';
import { consumedAs } from '../../events/mail.js';
import type { PendingRequest, PendingRequestData } from '../../events/pending-request.js';
import type { Invocation } from '../../run/invocation.js';
import { decisionInput, supplyInput } from '../answers/answer-input.js';
import type { Execute, RunHandle } from '../begin/active-run.js';
import type { RunProgress } from '../run-progress.js';
import { isTaken } from '../mailbox/run-mailbox.js';
import { resultOf, type RunResult } from '../run.js';
import { storeAnswer } from './deliver-answer.js';
import type { LiveRunOutput, OpenSession } from './live-sessions.js';

/** Runs the agents of a live session, which shows their events. */
export async function runLive(
  invocationId: string,
  { cancellation, events, emit, cancelled }: LiveRunOutput,
  execute: Execute,
): Promise<RunResult<unknown>> {
  const run: RunHandle = {
    ...{ invocationId, cancellation, emit, cancelled },
    ...{ hasStopped: false, detach: noop, interrupt: noop },
  };
  cancellation.add(run);
  // Whoever opened the session may send and iterate first.
  await DONE;
  return resultOf<unknown>(events, await execute(run));
}

/** Connects a live session to the plugins, and to the answers of persons. */
export function connectLive(run: RunProgress, live: OpenSession, invocation: Invocation): void {
  const { key } = run.request;
  const { onUserMessage } = run.setting.hooks;
  const open = { live, run };
  // A request of `event.pending` does not name its session: it is this one.
  const own = (request: PendingRequest | PendingRequestData): PendingRequest => {
    const { sessionId } = Object(request) as Partial<PendingRequest>;
    if (sessionId !== undefined) return request as PendingRequest;
    return { ...(request as PendingRequest), ...key };
  };
  run.setting.lives.add(key, open);
  live.connect({
    onUserMessage: onUserMessage && ((message) => onUserMessage(message, invocation.root)),
    takeMail: (mail, event) => takeMail(run, invocation, { mail, event }),
    approve: async (request, options) => storeAnswer(open, decisionInput('approve', own(request), options)),
    reject: async (request, options) => storeAnswer(open, decisionInput('reject', own(request), options)),
    supply: async (request, value, options) => storeAnswer(open, supplyInput(own(request), value, options)),
    saveSpeech: (name, part) => saveSpeech(run, name, part),
  });
}

async function takeMail(
  { request, setting }: RunProgress,
  { log }: Invocation,
  { mail, event }: { readonly mail: string; readonly event: Event },
): Promise<boolean> {
  let isFirst = true;
  try {
    await log.append(event, { consumes: [consumedAs({ id: mail })] });
  } catch (error) {
    if (!isTaken(error, mail)) throw error;
    isFirst = false;
  }
  await setting.mail.remove(request.key, mail);
  return isFirst;
}

async function saveSpeech(
  { handle, request, setting }: RunProgress,
  name: string,
  part: Part,
): Promise<void> {
  const { artifacts, logger } = setting.services;
  const { invocationId } = handle;
  try {
    await artifacts.save(request.key, `${invocationId}-${name}`, part);
  } catch (error) {
    logger.error('speech of a live session could not be saved', { invocationId, name, error });
  }
}

const DONE = Promise.resolve();

function noop(): void {
  // A live session has no reader that runs wait for.
}
