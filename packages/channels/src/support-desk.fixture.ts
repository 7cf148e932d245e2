import {
  agent,
  type AgentClass,
  Clock,
  ContainerModule,
  createRunner,
  LlmAgent,
  type Runner,
  tool,
} from '@adorn/core';
import { type AdornHandler, adornHandler } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { ManualClock, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { ChannelDoor } from './channel-door.js';

/** The orders that were refunded. */
export const refunds: string[] = [];

class Orders {
  @tool({
    description: 'Refund an order.',
    confirm: 'Refund it?',
    approvers: { role: 'manager' },
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  })
  refund({ order }: { order: string }): { refunded: string } {
    refunds.push(order);
    return { refunded: order };
  }
}

@agent({ description: 'Helps.', tools: [Orders] })
export class Support extends LlmAgent {}

export const NOW = 1_700_000_000;

/** An agent behind a channel. */
interface ServedChannel {
  readonly runner: Runner<unknown>;
  readonly model: ScriptedModel;
  readonly handler: AdornHandler;
}

/** Serves an agent to a channel, over a SQLite file. */
export async function serveChannel(
  desk: ChannelDoor,
  {
    steps,
    file,
    root = Support,
  }: { steps: readonly ScriptedStep[]; file: string; root?: AgentClass<unknown> },
): Promise<ServedChannel> {
  const clock = new ManualClock(NOW);
  const clocks = new ContainerModule(({ bind }) => {
    // Only the time: what is watched is watched by timers of Node.js.
    bind(Clock).toConstantValue({ now: () => clock.now() });
  });
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(root, {
    appName: 'shop',
    model,
    plugins: [desk],
    modules: [sqlStorage(file), clocks],
  });
  const handler = await adornHandler(runner, { authenticate: () => undefined, endpoints: [desk] });
  return { runner, model, handler };
}
