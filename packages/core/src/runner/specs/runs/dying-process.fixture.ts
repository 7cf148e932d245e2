import { ContainerModule } from 'inversify';

import { eventsOf } from '@adorn/testing';

import { MortalSessionService } from '../../../agents/workflow/workflow.fixture.js';
import { isRemark } from '../../../events/remark.js';
import { type Event, InMemorySessionService, type Run, type Runner, SessionService } from '../../../index.js';
import { SystemClock } from '../../../runtime/clock.js';
import { giveFeedback } from '../../feedback.js';

export const address = { userId: 'ada', sessionId: 's1' };

/** Makes a runner, in a process of its own, on the sessions that it is given. */
export type OpenRunner = (sessions: ContainerModule) => Promise<Runner>;

/** How another process goes on with a run whose process died. */
const GO_ON: Record<string, (runner: Runner) => Promise<unknown>> = {
  resume: async (runner) => {
    try {
      await eventsOf(runner.resume(address));
    } catch (error) {
      expect(error).toMatchObject({ code: 'NOTHING_TO_RESUME' });
    }
  },
  recover: async (runner) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const recovered = await runner.recover({ olderThan: 0 });
    expect(recovered.filter(({ outcome }) => outcome !== 'resumed')).toEqual([]);
  },
};

/**
 * Runs a conversation, in which all that is asked is approved; then twice more for each of its writes, with a process that dies
 * behind that write and another one that resumes or recovers the run. Each must leave the same log, and nothing open.
 *
 * @param open makes runners with `takeOverAfter: 0`
 * @param start begins the conversation
 * @returns the log, in lines
 */
export async function linesWhereverItDies(open: OpenRunner, start = sayGo): Promise<string[]> {
  const converse = (runner: Runner): Promise<void> => finish(runner, eventsOf(start(runner)));
  const whole = await begin(open, Infinity);
  await converse(whole.runner);
  const wanted = (await whole.log()).flatMap(lineOf);
  for (const [way, goOn] of Object.entries(GO_ON)) {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const process = await begin(open, writes);
      isDead = await converse(process.runner).then(
        () => false,
        () => true,
      );
      const next = await open(process.restart());
      await finish(next, isDead ? goOn(next) : undefined);
      const log = await process.log();
      expect([way, writes, log.flatMap(lineOf)]).toEqual([way, writes, wanted]);
      expect(await next.pending(address)).toEqual([]);
    }
  }
  return wanted;
}

async function begin(open: OpenRunner, writes: number) {
  const sessions = new MortalSessionService();
  sessions.left = writes;
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const runner = await open(bindings);
  const restart = (): ContainerModule => {
    sessions.left = Infinity;
    return bindings;
  };
  const key = { appName: runner.appName, ...address };
  return { runner, restart, log: async () => (await sessions.getSession(key))?.events ?? [] };
}

/** Has another process, which never dies, judge each event of an agent as soon as it is stored. */
export function judgeEach(runner: Runner): Runner {
  const { sessions, appName } = runner;
  if (Object.hasOwn(sessions, 'appendEvent')) return runner;
  const append = sessions.appendEvent.bind(sessions);
  const judge = Object.create(sessions, {
    appendEvent: { value: InMemorySessionService.prototype.appendEvent.bind(sessions) },
  }) as SessionService;
  sessions.appendEvent = async (session, event, options) => {
    const stored = await append(session, event, options);
    if (event.author !== 'user' && !event.partial)
      await giveFeedback(
        { sessions: judge, clock: new SystemClock() },
        { appName, ...address },
        { ...address, eventId: event.id, score: 0 },
      );
    return stored;
  };
  return runner;
}

function sayGo(runner: Runner): Run<unknown> {
  return runner.run({ ...address, message: 'Go.' });
}

/** Approves all that is asked, until nothing is. */
async function finish(runner: Runner, started: Promise<unknown> | undefined): Promise<void> {
  await started;
  for (;;) {
    const [request] = await runner.pending(address);
    if (request === undefined) return;
    await eventsOf(runner.approve(request));
  }
}

/** What an event says, and who says it; nothing for what a pause or a crash adds. */
function lineOf(event: Event): string[] {
  if (isRemark(event)) return [];
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
