import { callsFunctions, eventsOf, type GeminiRequest, saysText, startGeminiEmulator } from '@adorn/testing';
import { ContainerModule, createRunner, GeminiModel } from 'adorn';

import type { GoldTask } from './gold-tasks.js';
import { RetailAgent } from './retail/retail.agent.js';
import { RetailDatabase } from './retail/retail-database.js';
import { Triage } from './retail/triage.agent.js';
import { specialistTurns, TRANSFER } from './specialist-turns.js';
import { turnsOf } from './turns-of.js';
import type { Way } from './way.js';

/** What came out of a task. */
export interface TaskReplay {
  /** What the tools answered, in the order of the calls. */
  readonly outputs: readonly unknown[];
  /** The sha256 of the database after the last call. */
  readonly hash: string;
  /** What the model was asked. */
  readonly requests: readonly GeminiRequest[];
}

const CLOSING = 'That is all done.';

/** Replays a task with a database, a runner and a model of its own; the model makes the published calls. */
export async function replayTask(task: GoldTask, start: RetailDatabase, way: Way): Promise<TaskReplay> {
  const database = start.copy();
  const hasSpecialists = way.hasSpecialists === true;
  const turns = hasSpecialists ? specialistTurns(task.steps) : turnsOf(task.steps, way.readsTogether);
  const calls = turns.map((turn) => callsFunctions(...turn));
  await using gemini = await startGeminiEmulator([...calls, saysText(CLOSING)]);
  await using runner = await createRunner(hasSpecialists ? Triage : RetailAgent, {
    model: new GeminiModel({ apiKey: 'x', baseUrl: gemini.url, retry: { attempts: 1 } }),
    modules: [holding(database)],
    plugins: way.plugins ?? [],
    config: { streaming: way.streaming },
  });
  const events = await eventsOf(
    runner.run({ userId: 'customer', sessionId: task.id, message: task.instruction }),
  );
  const last = events.at(-1);
  if (last?.text !== CLOSING) throw new Error(`the run ended with ${JSON.stringify(last)}`);
  const responses = events
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name }) => name !== TRANSFER);
  return {
    outputs: responses.map(({ response }) => response?.['result'] ?? response),
    hash: database.hash(),
    requests: gemini.requests,
  };
}

/** Binds the database of a task. */
export function holding(database: RetailDatabase): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RetailDatabase).toConstantValue(database);
  });
}
