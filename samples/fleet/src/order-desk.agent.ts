import { agent, LlmAgent, tool } from 'adorn';

const ORDERS: Readonly<Record<string, { status: string; total: number }>> = {
  W1017: { status: 'on its way', total: 40 },
  W1020: { status: 'delivered', total: 120 },
};

class Orders {
  /** Look up the status of an order. @param orderId Number of the order, such as W1017. */
  @tool({ effect: 'read' })
  trackOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: ORDERS[orderId]?.status ?? 'unknown' };
  }

  /** Refund an order. @param orderId Number of the order, such as W1017. */
  @tool({ confirm: true, idempotent: true })
  refundOrder(orderId: string): { orderId: string; refunded: number } {
    return { orderId, refunded: ORDERS[orderId]?.total ?? 0 };
  }
}

/** The order desk of a shop. Nothing in it knows that it runs on many machines. */
@agent({
  model: 'gemini-2.5-flash',
  tools: [Orders],
  instruction: 'You are the order desk of a shop. Look orders up before you say anything about them.',
})
export class OrderDesk extends LlmAgent {}
