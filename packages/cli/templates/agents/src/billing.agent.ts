import { agent, LlmAgent, tool } from 'adorn';

export class Invoices {
  /** Find the invoice of an order. @param orderId Order number, such as "A-100". */
  @tool({ effect: 'read' })
  findInvoice(orderId: string): { orderId: string; euros: number; isPaid: boolean } {
    return { orderId, euros: 42, isPaid: true };
  }
}

/** Invoices and payments: amounts, what is paid, what is due. */
@agent({ tools: [Invoices], instruction: 'Answer questions about invoices and payments. Be brief.' })
export class BillingAgent extends LlmAgent {}
