import { createRunner, defineAgent, defineTool, Model, type Runner } from '@adorn/core';
import { type AdornServer, pageTools, serve } from '@adorn/server';
import { callsTool, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import { orderTools } from '../order-desk.js';

/** Text, a call with its result and a refund that is approved, and a refund that is refused. */
export const TALK: readonly ScriptedStep[] = [
  streams('Good ', 'day.'),
  callsTool('find_order', { orderId: 'A' }),
  callsTool('refund', { orderId: 'A' }),
  streams('Re', 'funded.'),
  callsTool('refund', { orderId: 'B' }),
  streams('As ', 'you like.'),
];

/** A served agent with a tool that reads, one that a person approves, and one that waits until it is let go. */
export class FrontDesk implements AsyncDisposable {
  /** The orders that were refunded. */
  readonly refunds: string[] = [];
  private letGo: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });
  private opened: { readonly runner: Runner; readonly server: AdornServer } | undefined;

  /** @param script what the model says, or a model */
  static async open(script: readonly ScriptedStep[] | Model): Promise<FrontDesk> {
    const desk = new FrontDesk();
    const model = script instanceof Model ? script : new ScriptedModel(...script);
    const runner = await createRunner(desk.agent(), { model });
    desk.opened = { runner, server: await serve(runner, { port: 0, page: false }) };
    return desk;
  }

  get runner(): Runner {
    if (!this.opened) throw new Error('The desk is not open.');
    return this.opened.runner;
  }

  /** The address of the agent. */
  get url(): string {
    return `${this.opened?.server.url ?? ''}/adorn/apps/desk`;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.opened?.server.token ?? ''}` };
  }

  /** Lets calls of `count_stock` end. */
  release(): void {
    this.letGo();
  }

  async json(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + path, { headers: this.headers });
    return (await response.json()) as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened?.server.close();
    await this.opened?.runner.close();
  }

  private agent() {
    const countStock = defineTool({
      name: 'count_stock',
      description: 'Count the stock.',
      effect: 'read',
      parameters: { type: 'object', properties: {} },
      run: async () => {
        await this.gate;
        return { count: 7 };
      },
    });
    const tools = [...orderTools(this.refunds), countStock, pageTools({ confirm: asksFor })];
    return defineAgent({ name: 'desk', description: 'Service desk.', model: 'scripted', tools });
  }
}

/** The page removes its rows if a person says yes. */
function asksFor(tool: string): string | false {
  return tool === 'clear_rows' && 'Remove the rows of the page?';
}
