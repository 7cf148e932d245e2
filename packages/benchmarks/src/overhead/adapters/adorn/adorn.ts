import { ContainerModule, createRunner, type Runner } from 'adorn';

import type { Bench, Scenario } from '../../adapter.js';
import { HandingAgent, LoneAgent, MODELS, NestingAgent, SPEAKERS } from './bench.agents.js';
import { ScriptedBenchModel } from './scripted-bench.model.js';

const OWNER = { appName: 'bench', userId: 'u' };

export { setupReplay } from './replay.bench.js';

export const handsOff = true;
export const nestsAgents = true;

/** Adorn as its users have it: decorated classes, a runner, sessions in memory, and nothing switched off. */
export async function setup(scenario: Scenario): Promise<Bench> {
  const runner = await createRunner(rootOf(scenario), {
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

function rootOf({ kind }: Scenario) {
  if (kind === 'G') return NestingAgent;
  return kind === 'F' ? HandingAgent : LoneAgent;
}

function benchModels(scenario: Scenario): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const speaker of SPEAKERS)
      bind(MODELS[speaker]).toConstantValue(new ScriptedBenchModel(scenario, speaker));
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
