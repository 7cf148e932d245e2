import { setTimeout } from 'node:timers/promises';

import {
  agent,
  createRunner,
  type CreateRunnerOptions,
  LlmAgent,
  type Runner,
  tool,
  ToolContext,
} from '@adorn/core';
import { ScriptedModel, type ScriptedStep } from '@adorn/testing';

/** The tools of the service desk. */
export class Orders {
  /** Refunds that were made. */
  static readonly refunds: string[] = [];

  @tool({
    description: 'Find an order.',
    effect: 'read',
    parameters: object({ orderId: { type: 'string' } }),
  })
  findOrder({ orderId }: { orderId: string }): { orderId: string; status: string } {
    return { orderId, status: 'shipped' };
  }

  @tool({
    description: 'Refund an order.',
    confirm: 'Refund it?',
    parameters: object({ orderId: { type: 'string' } }),
  })
  refund({ orderId }: { orderId: string }): { refunded: string } {
    Orders.refunds.push(orderId);
    return { refunded: orderId };
  }

  @tool({ description: 'Write a note.', parameters: object({ text: { type: 'string' } }) })
  async note({ text }: { text: string }, context: ToolContext): Promise<string> {
    context.state.set('noted', text);
    await context.saveArtifact('note.txt', { text });
    return text;
  }

  /** Takes a minute, unless it is cancelled. */
  @tool({ description: 'Count the stock.', parameters: object({}), effect: 'read', timeout: 90_000 })
  async count(_args: object, { signal }: ToolContext): Promise<string> {
    await setTimeout(60_000, undefined, { signal });
    return 'counted';
  }

  @tool({ description: 'Asks for a name.', parameters: object({}) })
  async register(_args: object, context: ToolContext): Promise<string> {
    const name = await context.requestInput({ message: 'Which name?', schema: { type: 'string' } });
    return `registered ${String(name)}`;
  }
}

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) } as const;
}

/** A service desk. */
@agent({ model: 'scripted', description: 'Service desk.', tools: [Orders] })
export class Desk extends LlmAgent {}

/** A runner of the desk whose model answers from a script. */
export function openDesk(steps: readonly ScriptedStep[], options: CreateRunnerOptions = {}): Promise<Runner> {
  return createRunner(Desk, { model: new ScriptedModel(...steps), ...options });
}
