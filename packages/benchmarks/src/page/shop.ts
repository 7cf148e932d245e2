import { setTimeout } from 'node:timers/promises';

import {
  agent,
  createRunner,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
  tool,
  ToolContext,
} from '@adorn/core';
import { callsTool, callsTools, says, type ScriptedStep, streams } from '@adorn/testing';

function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', properties, required } as const;
}

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

/** Customer support of a web shop. */
@agent({
  name: 'support',
  model: 'scripted',
  description: 'Customer support of a web shop.',
  tools: [Orders],
  subAgents: [Returns],
})
export class Support extends LlmAgent {}

const REFUND = callsTool('refund', { orderId: 'A-17', cents: 3990, reason: 'damaged' });

/** What the model answers to a message, one step for each of its turns. */
const SCRIPT: Readonly<Record<string, readonly ScriptedStep[]>> = {
  Hello: [streams('Hello! ', 'I can **find orders**, ', 'track parcels ', 'and make refunds.')],
  'Where is A-17?': [
    callsTools(
      { name: 'find_order', args: { orderId: 'A-17' } },
      { name: 'track_parcel', args: { orderId: 'A-17' } },
    ),
    streams(
      'Order `A-17` is on its way:\n\n',
      '- carrier: **DHL**\n',
      '- place: Berlin\n',
      '- expected: 27 November',
    ),
  ],
  'Refund A-17': [REFUND, says('That is settled.')],
  'Note that Ada prefers mail': [callsTool('note', { text: 'Prefers mail.' }), says('I have noted it.')],
  'Count the stock': [callsTool('count_stock'), says('Counted.')],
  'Register a customer': [callsTool('register'), says('The customer is registered.')],
  'Can I return it?': [
    callsTool('transfer_to_agent', { agent_name: 'returns' }),
    streams('You can return it ', 'within 30 days.'),
  ],
  'Ask the warehouse': [callsTool('break_down'), says('The warehouse cannot be reached now.')],
  Fail: [{ errorCode: 'SAFETY', errorMessage: 'The answer was blocked.' }],
  'Tell me a long story': [
    streams(...Array.from({ length: 60 }, (_, index) => `Sentence ${String(index + 1)} of the story. `)),
  ],
};

/** A model that answers each message of the script by its steps, with pauses between the pieces. */
export class ShopModel extends Model {
  override readonly name = 'scripted';

  override async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const { message, turn } = placeIn(request);
    const step = SCRIPT[message]?.[turn] ?? says('I can only play my part.');
    const made = typeof step === 'function' ? await step(request) : step;
    const responses = Array.isArray(made) ? (made as readonly ModelResponse[]) : [made as ModelResponse];
    await setTimeout(80, undefined, { signal: request.signal });
    for (const response of responses) {
      if (response.partial === true && !request.stream) continue;
      await setTimeout(40, undefined, { signal: request.signal });
      const usageMetadata = { promptTokenCount: 412, candidatesTokenCount: 31, totalTokenCount: 443 };
      yield response.partial === true ? response : { usageMetadata, ...response };
    }
  }
}

/** The last message of the user, and how many turns the model has had since. */
function placeIn({ contents }: ModelRequest): { readonly message: string; readonly turn: number } {
  const last = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && SCRIPT[parts?.[0]?.text ?? ''] !== undefined,
  );
  const message = contents[last]?.parts?.[0]?.text ?? '';
  const since = contents.slice(last + 1);
  const answered = since.filter(({ parts = [] }) => parts.some((part) => part.functionCall !== undefined));
  const wasHandedOver = since.some(({ parts = [] }) =>
    parts.some(({ text = '' }) => text.includes('transfer_to_agent')),
  );
  return { message, turn: answered.length + (wasHandedOver && answered.length === 0 ? 1 : 0) };
}

/** A runner of the shop. */
export function openShop(): Promise<Runner> {
  return createRunner(Support, { model: new ShopModel() });
}
