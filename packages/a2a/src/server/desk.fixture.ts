import { agent, defineTool, LlmAgent } from '@adorn/core';

/** The orders that were refunded. */
export const refunds: unknown[] = [];

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  confirm: true,
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  run: ({ order }: { order: number }) => {
    refunds.push(order);
    return { refunded: order };
  },
} as never);

const askSize = defineTool({
  name: 'ask_size',
  description: 'Asks for a size.',
  parameters: { type: 'object', properties: {} },
  run: async (_args: object, context: { requestInput(request: object): unknown }) => ({
    size: await context.requestInput({
      message: 'Which size?',
      schema: { type: 'string', enum: ['S', 'M'] },
    }),
  }),
} as never);

/** Waits for an approval of a refund, and for a size. */
@agent({ name: 'desk', description: 'Answers customers.', tools: [refund, askSize] })
export class Desk extends LlmAgent {}
