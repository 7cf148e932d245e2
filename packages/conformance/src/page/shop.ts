import { setTimeout } from 'node:timers/promises';

import {
  agent,
  type AuthConfig,
  createRunner,
  defineAgent,
  defineTool,
  LlmAgent,
  type Runner,
  tool,
  ToolContext,
} from '@adorn/core';
import { liveSessions } from '@adorn/live';
import { oauth } from '@adorn/oauth';

import { ShopModel } from './shop-model.js';

function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', properties, required } as const;
}

/** A picture of 8 by 8 blue pixels. */
const BLUE_SQUARE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQ97+IFTEMLQkA/QpPwU0uGbQAAAAASUVORK5CYII=';

const ORDER = object({ orderId: { type: 'string', description: 'As printed on the receipt.' } });

/** The tools of the shop that the page is tested with. */
export class Orders {
  /** Refunds that were made. */
  static readonly refunds: object[] = [];

  @tool({
    description: 'Find an order. Use it for every question about one.',
    effect: 'read',
    parameters: ORDER,
  })
  async findOrder({ orderId }: { orderId: string }): Promise<object> {
    await setTimeout(120);
    return {
      orderId,
      status: 'shipped',
      total: 39.9,
      lines: [{ sku: 'LAMP-2', title: 'Desk lamp', quantity: 1 }],
    };
  }

  @tool({ description: 'Look up where a parcel is.', effect: 'read', parameters: ORDER })
  async trackParcel({ orderId }: { orderId: string }): Promise<object> {
    await setTimeout(200);
    return { orderId, carrier: 'DHL', place: 'Berlin', expected: '2026-11-27' };
  }

  @tool({
    description: 'Refund an order.',
    effect: 'destructive',
    confirm: 'Refund 39.90 EUR to the account that paid for the order?',
    approvers: 'requester',
    parameters: object({
      orderId: { type: 'string' },
      cents: { type: 'integer', minimum: 1 },
      reason: { type: 'string', enum: ['damaged', 'late', 'goodwill'] },
    }),
  })
  refund(args: { orderId: string; cents: number; reason: string }): object {
    Orders.refunds.push(args);
    return { refunded: args.cents };
  }

  @tool({
    description: 'Refund all that was paid for an order.',
    effect: 'destructive',
    confirm: 'Refund 390.00 EUR to the account that paid for the order?',
    approvers: { role: 'manager' },
    parameters: ORDER,
  })
  refundAll(args: { orderId: string }): object {
    Orders.refunds.push(args);
    return { refunded: 39_000 };
  }

  @tool({
    description: 'Write a note about the customer.',
    effect: 'write',
    parameters: object({ text: { type: 'string' } }),
  })
  async note({ text }: { text: string }, context: ToolContext): Promise<string> {
    context.state.set('note', text);
    context.state.set('user:contact', { channel: 'mail', since: '2026-11-25' });
    await context.saveArtifact('note.txt', { text });
    return 'noted';
  }

  @tool({ description: 'Draw a parcel.', effect: 'write', parameters: object({}) })
  async drawParcel(_args: object, context: ToolContext): Promise<object> {
    await context.saveArtifact('parcel.png', { inlineData: { mimeType: 'image/png', data: BLUE_SQUARE } });
    return { saved: 'parcel.png' };
  }

  /** Takes a minute, unless it is cancelled. */
  @tool({ description: 'Count the stock.', effect: 'read', parameters: object({}), timeout: 90_000 })
  async countStock(_args: object, { signal }: ToolContext): Promise<string> {
    await setTimeout(60_000, undefined, { signal });
    return 'counted';
  }

  @tool({ description: 'Register a customer.', effect: 'write', parameters: object({}) })
  async register(_args: object, context: ToolContext): Promise<string> {
    const schema = object({ name: { type: 'string' }, newsletter: { type: 'boolean' } }, ['name']);
    const given = await context.requestInput({ message: 'Who is the customer?', schema });
    return `registered ${(given as { name: string }).name}`;
  }

  @tool({ description: 'Always fails.', effect: 'read', parameters: object({}), exposeErrors: true })
  breakDown(): never {
    throw new Error('The warehouse does not answer.');
  }
}

/** Answers questions about returns. */
@agent({ name: 'returns', model: 'scripted', description: 'Answers questions about returns.' })
export class Returns extends LlmAgent {}

/** A runner of the shop. @param calendar the credential of the calendar that belongs to the user */
export function openShop(calendar: AuthConfig): Promise<Runner> {
  const readCalendar = defineTool({
    name: 'read_calendar',
    description: 'Read the calendar of the customer.',
    effect: 'read',
    auth: calendar,
    parameters: object({}),
    run: (_args: object, { credential }: ToolContext) => ({
      isRead: credential !== undefined,
      free: ['Friday'],
    }),
  });
  const shop = defineAgent({
    name: 'support',
    model: 'scripted',
    description: 'Customer support of a web shop.',
    tools: [Orders, readCalendar],
    subAgents: [Returns],
  });
  return createRunner(shop, { model: new ShopModel(), modules: [oauth(), liveSessions] });
}
