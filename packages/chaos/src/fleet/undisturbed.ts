import { createRunner, type Event } from '@adorn/core';

import { DeedLog } from '../processes/deed-log.js';
import { newDesk } from './desk.js';
import { USER } from './open-machine.js';
import { answersTo } from './answers.js';
import { messageOf, sessionIdOf, stepOf } from './step.js';

/**
 * The last words to each message of a log, by its id; more than one text if the clerk has answered twice. They may stand behind
 * the message or behind the answer to its request: a call whose worker died before it could ask is not made again.
 */
export function finalTexts(events: readonly Event[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { author, invocationId, text } of events) {
    if (author !== 'clerk' || text === '') continue;
    const id = messageOf(invocationId);
    const before = texts.get(id);
    texts.set(id, before === undefined ? text : `${before} | ${text}`);
  }
  return texts;
}

/**
 * The final texts of a session whose steps are taken in this process, in memory, where nothing breaks.
 *
 * @param deeds a file for what its tools do
 */
export async function undisturbedTexts(
  { seed, session, deeds }: { readonly seed: number; readonly session: number; readonly deeds: string },
  steps: number,
): Promise<Map<string, string>> {
  const root = newDesk({ deeds: new DeedLog(deeds), pace: 0 });
  const runner = await createRunner<unknown>(root, { appName: 'desk' });
  const sessionId = sessionIdOf(session);
  for (let index = 0; index < steps; index++) {
    const { messages, isApproved } = stepOf(seed, session, index);
    for (const { id, text } of messages)
      await runner.run({ userId: USER, sessionId, message: text, invocationId: id });
    const [request] = await runner.pending({ userId: USER, sessionId });
    if (!request) continue;
    const last = String(messages.at(-1)?.id);
    for (const { suffix, by } of answersTo(request, isApproved)) {
      if ((await runner.pending({ userId: USER, sessionId })).length === 0) break;
      const options = { invocationId: `${last}${suffix}`, ...(by && { by }) };
      if (request.kind === 'result') await runner.supply(request, { result: 'delivered' }, options);
      else if (isApproved) await runner.approve(request, options);
      else await runner.reject(request, options);
    }
  }
  const { appName } = runner;
  const { events = [] } = (await runner.sessions.getSession({ appName, userId: USER, sessionId })) ?? {};
  await runner.close();
  return finalTexts(events);
}
