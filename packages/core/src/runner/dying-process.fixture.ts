import { ContainerModule } from 'inversify';

import { eventsOf } from '@adorn/testing';

import { type Event, InMemorySessionService, type Runner, SessionService } from '../index.js';

export const address = { userId: 'ada', sessionId: 's1' };

/** Makes a runner, in a process of its own, on the sessions that it is given. */
export type OpenRunner = (sessions: ContainerModule) => Promise<Runner>;

/**
 * Runs a conversation, in which all that is asked is approved; then once more for each event that it wrote, with a process that
 * died behind that event and another one that goes on. Each must leave the same log, and nothing open.
 *
 * @param open makes runners with `takeOverAfter: 0`
 * @returns the log, in lines
 */
export async function linesWhereverItDies(open: OpenRunner): Promise<string[]> {
  const whole = await begin(open, []);
  await finish(whole.runner, eventsOf(whole.runner.run({ ...address, message: 'Go.' })));
  const log = await whole.log();
  const wanted = log.flatMap(lineOf);
  for (let length = 1; length < log.length; length++) {
    const again = await begin(open, log.slice(0, length));
    await finish(again.runner, resume(again.runner));
    const lines = (await again.log()).flatMap(lineOf);
    expect([length, log[length]?.toJSON(), lines]).toEqual([length, log[length]?.toJSON(), wanted]);
    expect(await again.runner.pending(address)).toEqual([]);
  }
  return wanted;
}

async function begin(open: OpenRunner, log: readonly Event[]) {
  const sessions = new InMemorySessionService();
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const runner = await open(bindings);
  const key = { appName: runner.appName, ...address };
  if (log.length > 0) {
    let session = await sessions.createSession(key);
    for (const event of log) session = await sessions.appendEvent(session, event);
  }
  return { runner, log: async () => (await sessions.getSession(key))?.events ?? [] };
}

/** Goes on with what the process left, if anything is left. */
async function resume(runner: Runner): Promise<void> {
  try {
    await eventsOf(runner.resume(address));
  } catch (error) {
    expect(error).toMatchObject({ code: 'NOTHING_TO_RESUME' });
  }
}

/** Approves all that is asked, until nothing is. */
async function finish(runner: Runner, started: Promise<unknown>): Promise<void> {
  await started;
  for (;;) {
    const [request] = await runner.pending(address);
    if (request === undefined) return;
    await eventsOf(runner.approve(request));
  }
}

/** What an event says, and who says it; nothing for what a pause or a crash adds. */
function lineOf(event: Event): string[] {
  const { author, nodeInfo, text, functionCalls, functionResponses, actions } = event;
  const responses = functionResponses.filter(({ willContinue }) => willContinue !== true);
  if (author === 'user' && responses.length > 0) return [];
  if (functionCalls.some(({ name = '' }) => name.startsWith('adk_'))) return [];
  if (functionResponses.length > responses.length) return [];
  const said = [
    ...functionCalls.map(({ name = '' }) => `call ${name}`),
    ...responses.map(({ name = '' }) => `response ${name}`),
    ...(text === '' ? [] : [text]),
    ...(actions.transferToAgent === undefined ? [] : [`to ${actions.transferToAgent}`]),
    ...(actions.agentState === undefined ? [] : [`keeps ${JSON.stringify(actions.agentState)}`]),
    ...(actions.endOfAgent === true ? ['end'] : []),
  ];
  return [`${author === 'user' ? author : (nodeInfo?.path ?? author)}: ${said.join(', ')}`];
}
