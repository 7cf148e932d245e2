import { quickJs } from '@adorn/sandbox';
import { callsFunctions, eventsOf, type GeminiRequest, saysText, startGeminiEmulator } from '@adorn/testing';
import { ContainerModule, createRunner, defineAgent, GeminiModel } from 'adorn';
import { codeMode } from 'adorn/backend';

import type { GoldStep, GoldTask } from './gold-tasks.js';
import type { TaskReplay } from './replay-task.js';
import { CustomerTools } from './retail/customer.tools.js';
import { DeliveredOrderTools } from './retail/delivered-order.tools.js';
import { PendingOrderTools } from './retail/pending-order.tools.js';
import { RetailDatabase } from './retail/retail-database.js';
import { ShopTools } from './retail/shop.tools.js';

const CLOSING = 'That is all done.';

/** Replays a task whose calls one script makes, in the place of a turn of the model for each. */
export async function replayScript(task: GoldTask, start: RetailDatabase): Promise<TaskReplay> {
  const database = start.copy();
  const script = { name: 'run_script', args: { code: scriptOf(task.steps) } };
  await using gemini = await startGeminiEmulator([callsFunctions(script), saysText(CLOSING)]);
  await using sandbox = quickJs();
  const tools = [CustomerTools, PendingOrderTools, DeliveredOrderTools, ShopTools];
  const agent = defineAgent({
    name: 'retail_agent',
    description: 'Helps the customers of a shop with their orders.',
    instruction: 'Help the customer with the tools.',
    tools: [codeMode(sandbox, { tools })],
  });
  await using runner = await createRunner(agent, {
    model: new GeminiModel({ apiKey: 'x', baseUrl: gemini.url, retry: { attempts: 1 } }),
    modules: [new ContainerModule(({ bind }) => void bind(RetailDatabase).toConstantValue(database))],
  });
  const events = await eventsOf(
    runner.run({ userId: 'customer', sessionId: task.id, message: task.instruction }),
  );
  if (events.at(-1)?.text !== CLOSING) throw new Error(`the run ended with ${JSON.stringify(events.at(-1))}`);
  const [response] = events
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name }) => name === 'run_script');
  const answered: Readonly<Record<string, unknown>> = response?.response ?? {};
  if (!Array.isArray(answered['result'])) throw new Error(JSON.stringify(answered));
  return { outputs: answered['result'], hash: database.hash(), requests: gemini.requests };
}

/** The calls of a task in their order. The script returns all outputs, though a model would return few. */
function scriptOf(steps: readonly GoldStep[]): string {
  const calls = steps.map(({ name, args }) => `outputs.push(await ${name}(${JSON.stringify(args)}));`);
  return ['const outputs = [];', ...calls, 'return outputs;'].join('\n');
}

/** What the requests of a model have cost: its calls, and about how many tokens it has read, of four characters each. */
export interface ModelCost {
  readonly calls: number;
  readonly tokens: number;
}

export function costOf(requests: readonly GeminiRequest[]): ModelCost {
  const characters = requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
  return { calls: requests.length, tokens: Math.round(characters / 4) };
}
