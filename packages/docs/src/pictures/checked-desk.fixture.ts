import { agent, LlmAgent, tool } from 'adorn';

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash' })
export class Desk extends LlmAgent {
  /** Refund an order. */
  @tool({ effect: 'destructive', confirm: (order) => `Refund ${order}?` })
  refund(order: string): { refunded: string } {
    return { refunded: order };
  }

  @tool
  process(data: unknown): string {
    return String(data);
  }
}
