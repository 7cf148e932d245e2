import { agent, LlmAgent } from 'adorn';

import { CustomerTools } from './customer.tools.js';
import { DeliveredOrderTools } from './delivered-order.tools.js';
import { PendingOrderTools } from './pending-order.tools.js';
import { ShopTools } from './shop.tools.js';

/** Finds customers, and changes their addresses. */
@agent({ name: 'customers', instruction: 'Find the customer.', tools: [CustomerTools, ShopTools] })
class Customers extends LlmAgent {}

/** Cancels and changes orders that were not sent yet. */
@agent({ name: 'pending_orders', instruction: 'Change the order.', tools: [PendingOrderTools, ShopTools] })
class PendingOrders extends LlmAgent {}

/** Exchanges and takes back what was delivered. */
@agent({ name: 'delivered_orders', instruction: 'Take it back.', tools: [DeliveredOrderTools, ShopTools] })
class DeliveredOrders extends LlmAgent {}

/** The retail benchmark with three specialists: the agent that hears the customer has no tool but the transfer. */
@agent({
  name: 'triage',
  description: 'Helps the customers of a shop with their orders.',
  instruction: 'Transfer the customer to the agent whose work it is.',
  subAgents: [Customers, PendingOrders, DeliveredOrders],
})
export class Triage extends LlmAgent {}
