import { agent, LlmAgent, tool } from 'adorn';

class Refunds {
  /** Refund an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'write', confirm: (orderId) => `Refund ${orderId}?`, approvers: { role: 'lead' } })
  refund(orderId: string): { refunded: string } {
    return { refunded: orderId };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds] })
export class Desk extends LlmAgent {}
