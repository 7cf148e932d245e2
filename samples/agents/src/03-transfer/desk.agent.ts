import { agent, LlmAgent, tool } from 'adorn';

class Invoices {
  /**
   * Find the open invoice of an order.
   * @param orderId Number of the order, such as "A-17".
   */
  @tool({ effect: 'read' })
  openInvoice(orderId: string): { orderId: string; euros: number } {
    return { orderId, euros: 40 };
  }
}

class Parcels {
  /**
   * Find the parcel of an order.
   * @param orderId Number of the order, such as "A-17".
   */
  @tool({ effect: 'read' })
  trackParcel(orderId: string): { orderId: string; place: string } {
    return { orderId, place: 'Oslo' };
  }
}

/** Answers questions about invoices and payments. */
@agent({ instruction: 'You are the billing office. Amounts are in euros.', tools: [Invoices] })
class Billing extends LlmAgent {}

/** Answers questions about parcels. */
@agent({ instruction: 'You are the shipping office. Say where the parcel is.', tools: [Parcels] })
class Shipping extends LlmAgent {}

/** The desk of a shop. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Transfer each question to the colleague who answers it. Answer greetings yourself.',
  subAgents: [Billing, Shipping],
})
export class Desk extends LlmAgent {}
