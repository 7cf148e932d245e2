import { ContainerModule, createRunner, type Runner } from 'adorn';

import type { Bench, Scenario } from '../../adapter.js';
import { HandingAgent, LoneAgent, ROOT_MODEL, SUB_MODEL } from './bench.agents.js';
import { ScriptedBenchModel } from './scripted-bench.model.js';

const OWNER = { appName: 'bench', userId: 'u' };

export const handsOff = true;

/** Adorn as its users have it: decorated classes, a runner, sessions in memory, and nothing switched off. */
export async function setup(scenario: Scenario): Promise<Bench> {
  const runner = await createRunner(scenario.kind === 'F' ? HandingAgent : LoneAgent, {
    appName: OWNER.appName,
    modules: [benchModels(scenario)],
    ...(scenario.kind === 'E' ? { config: { streaming: 'sse' } } : {}),
  });
  const { sessions } = runner;
  const { appName, userId } = OWNER;
  const keyOf = (sessionId: string) => ({ appName, userId, sessionId });
  let made = 0;
  const bench: Bench<string> = {
    newSession: async () => (await sessions.createSession(keyOf(`s${String(made++)}`))).id,
    dropSession: (id) => sessions.deleteSession(keyOf(id)),
    eventCount: async (id) => (await sessions.getSession(keyOf(id)))?.events.length ?? 0,
    turn: (id, text, onChunk) => runTurn(runner, id, text, onChunk),
    close: () => runner.close(),
  };
  return bench;
}

function benchModels(scenario: Scenario): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ROOT_MODEL).toConstantValue(new ScriptedBenchModel(scenario, 'root'));
    bind(SUB_MODEL).toConstantValue(new ScriptedBenchModel(scenario, 'sub'));
  });
}

async function runTurn(
  runner: Runner,
  sessionId: string,
  message: string,
  onChunk?: (text: string) => void,
): Promise<string> {
  let answer = '';
  for await (const event of runner.run({ userId: OWNER.userId, sessionId, message })) {
    const said = event.content?.parts?.[0]?.text;
    if (event.partial) onChunk?.(said ?? '');
    else if (said !== undefined) answer = said;
  }
  return answer;
}
