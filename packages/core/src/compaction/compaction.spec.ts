import { eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  ContainerModule,
  createRunner,
  type Event,
  type EventsCompactionConfig,
  InMemorySessionService,
  LlmAgent,
  Logger,
  type LogFacts,
  type Runner,
  SessionService,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('the compaction of a conversation', () => {
  it('shows the model a summary in the place of what it covers, and keeps all of it in the log', async () => {
    const { runner, model, sessions } = await start({ compactionInterval: 2, overlapSize: 0 }, [
      ...[says('one'), says('two'), says('SUM'), says('three'), says('four')],
    ]);
    await say(runner, 'First.');
    await say(runner, 'Second.');
    await summarised(sessions, 1);

    await say(runner, 'Third.');

    expect(model.requests.at(-1)?.contents).toEqual([
      { role: 'user', parts: [{ text: '[Summary of earlier conversation]\nSUM' }] },
      { role: 'user', parts: [{ text: 'Third.' }] },
    ]);
    expect((await stored(sessions)).map(({ text }) => text)).toEqual([
      ...['First.', 'one', 'Second.', 'two', '', 'Third.', 'three'],
    ]);
  });
});

async function start(compaction: EventsCompactionConfig, script: readonly ScriptedStep[]) {
  const sessions = new InMemorySessionService();
  const model = new ScriptedModel(...script);
  const warnings: LogFacts[] = [];
  const logger = { warn: (_: string, facts: LogFacts = {}) => warnings.push(facts) } as unknown as Logger;
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Logger).toConstantValue(logger);
    }),
  ];
  const runner = await createRunner(Clerk, { model, modules, compaction });
  return { runner, model, sessions, warnings };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function stored(sessions: SessionService): Promise<readonly Event[]> {
  return (await sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

/** Waits until so many summaries are in the log. */
async function summarised(sessions: SessionService, count: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const markers = (await stored(sessions)).filter(({ actions }) => actions.compaction !== undefined);
    if (markers.length >= count) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`There are not ${String(count)} summaries.`);
}

@agent({ description: '' })
class Clerk extends LlmAgent {}
