import { agent, LlmAgent, tool } from 'adorn';

export class Orders {
  /** Track the parcel of an order. @param orderId Order number, such as "A-100". */
  @tool({ effect: 'read' })
  trackOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: 'on its way' };
  }
}

/** Orders and parcels: where they are, when they arrive. */
@agent({ tools: [Orders], instruction: 'Answer questions about orders and parcels. Be brief.' })
export class OrderAgent extends LlmAgent {}
