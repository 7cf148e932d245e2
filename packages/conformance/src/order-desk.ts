import { defineAgent, defineTool } from '@adorn/core';

const orderId = { type: 'object', properties: { orderId: { type: 'string' } } } as const;

/** The tools that find an order, and refund one if a person approves. @param refunds the orders that were refunded */
export function orderTools(refunds: string[]) {
  const findOrder = defineTool({
    name: 'find_order',
    description: 'Find an order.',
    effect: 'read',
    parameters: orderId,
    run: (order: { orderId?: string }) => ({ ...order, status: 'shipped' }),
  });
  const refund = defineTool({
    name: 'refund',
    description: 'Refund an order.',
    confirm: 'Refund it?',
    parameters: orderId,
    run: ({ orderId: refunded = '' }: { orderId?: string }) => {
      refunds.push(refunded);
      return { refunded };
    },
  });
  return [findOrder, refund] as const;
}

/** An agent that finds orders, and refunds one if a person approves. @param refunds the orders that were refunded */
export function orderDesk(refunds: string[] = []) {
  return defineAgent({
    name: 'desk',
    description: 'Order desk.',
    model: 'scripted',
    tools: orderTools(refunds),
  });
}
