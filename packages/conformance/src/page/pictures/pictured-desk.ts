import {
  agent,
  Clock,
  ContainerModule,
  createRunner,
  LlmAgent,
  type Runner,
  tool,
  type ToolContext,
} from '@adorn/core';
import { callsTool, callsTools, ManualClock, says, streams } from '@adorn/testing';

import { type MessageScript, ShopModel } from '../shop-model.js';

/** The 25th of November 2026, 09:00 UTC. */
const BEGIN = 1_795_597_200;
/** How many times longer the model takes than that of the shop. */
const SLOWNESS = 8;

const ORDER = parameters({ order: { type: 'string', description: 'As printed on the receipt.' } });
const PICKUP = parameters({ order: { type: 'string' }, day: { type: 'string' } });
const REFUND = parameters({
  order: { type: 'string' },
  euros: { type: 'number', exclusiveMinimum: 0 },
  reason: { type: 'string', enum: ['damaged', 'late', 'goodwill'] },
});

const SCRIPT: MessageScript = {
  'Where is my order A-17?': [
    callsTools(
      { name: 'find_order', args: { order: 'A-17' } },
      { name: 'track_parcel', args: { order: 'A-17' } },
    ),
    streams('Order `A-17`, a **desk lamp**, ', 'was delivered this morning.'),
  ],
  'It arrived broken. I want my money back.': [
    callsTool('refund_order', { order: 'A-17', euros: 39.9, reason: 'damaged' }),
    says('39.90 EUR are on their way to your account.'),
  ],
  'The sofa B-4 came four weeks late.': [
    callsTool('refund_order', { order: 'B-4', euros: 640, reason: 'late' }),
    says('640 EUR are on their way to your account.'),
  ],
  'Can I return it?': [
    callsTool('transfer_to_agent', { agent_name: 'returns' }),
    callsTool('find_pickups', { order: 'A-17' }),
    callsTool('book_pickup', { order: 'A-17', day: 'Friday' }),
    streams('It is picked up on Friday, ', 'and you need not pack it.'),
  ],
  'Where is my parcel?': [
    callsTool('track_parcel', { order: 'A-17' }),
    says('It was delivered this morning.'),
  ],
};

interface Order {
  readonly order: string;
}

interface RefundRequest extends Order {
  readonly euros: number;
  readonly reason: string;
}

class Orders {
  @tool({ description: 'Find an order.', effect: 'read', parameters: ORDER })
  async findOrder({ order }: Order, context: ToolContext): Promise<object> {
    await context.get(ManualClock).advance(180);
    return { order, status: 'delivered', lines: [{ title: 'Desk lamp', quantity: 1, euros: 39.9 }] };
  }

  @tool({ description: 'Look up where a parcel is.', effect: 'read', parameters: ORDER })
  async trackParcel({ order }: Order, context: ToolContext): Promise<object> {
    await context.get(ManualClock).advance(260);
    return { order, carrier: 'DHL', place: 'Berlin' };
  }

  /** Up to 100 EUR who asks approves it; above that two managers do. */
  @tool({
    description: 'Refund an order.',
    effect: 'destructive',
    parameters: REFUND,
    confirm: ({ order, euros }) => `Refund ${euros.toFixed(2)} EUR for order ${order}?`,
    approvers: ({ euros }) => (euros > 100 ? { role: 'manager', count: 2 } : 'requester'),
  })
  async refundOrder({ euros }: RefundRequest, context: ToolContext): Promise<object> {
    await context.get(ManualClock).advance(420);
    return { refunded: euros };
  }
}

class Pickups {
  @tool({ description: 'On which days an order can be picked up.', effect: 'read', parameters: ORDER })
  async findPickups(_order: Order, context: ToolContext): Promise<object> {
    await context.get(ManualClock).advance(380);
    return { days: ['Friday', 'Monday'] };
  }

  @tool({ description: 'Have an order picked up.', effect: 'write', parameters: PICKUP })
  async bookPickup({ day }: Order & { readonly day: string }, context: ToolContext): Promise<object> {
    await context.get(ManualClock).advance(740);
    return { booked: day };
  }
}

@agent({ name: 'returns', model: 'scripted', description: 'Takes goods back.', tools: [Pickups] })
class Returns extends LlmAgent {}

@agent({
  name: 'support',
  model: 'scripted',
  description: 'Customer support of a web shop.',
  tools: [Orders],
  subAgents: [Returns],
})
class Support extends LlmAgent {}

/** A desk of a shop whose clock goes by the same steps each time. */
export interface PicturedDesk {
  readonly runner: Runner;
  readonly clock: ManualClock;
}

export async function openPicturedDesk(): Promise<PicturedDesk> {
  const clock = new ManualClock(BEGIN);
  const model = new ShopModel(SCRIPT, (milliseconds) => clock.advance(milliseconds * SLOWNESS));
  const clocks = new ContainerModule(({ bind }) => {
    for (const token of [Clock, ManualClock]) bind<Clock>(token).toConstantValue(clock);
  });
  return { runner: await createRunner(Support, { model, modules: [clocks] }), clock };
}

function parameters(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) } as const;
}
