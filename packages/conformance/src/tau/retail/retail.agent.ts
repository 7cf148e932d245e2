import { agent, LlmAgent } from 'adorn';

import { CustomerTools } from './customer.tools.js';
import { DeliveredOrderTools } from './delivered-order.tools.js';
import { PendingOrderTools } from './pending-order.tools.js';
import { ShopTools } from './shop.tools.js';

/** The agent of the retail benchmark: all of its tools. */
@agent({
  name: 'retail_agent',
  description: 'Helps the customers of a shop with their orders.',
  instruction: 'Help the customer with the tools.',
  tools: [CustomerTools, PendingOrderTools, DeliveredOrderTools, ShopTools],
})
export class RetailAgent extends LlmAgent {}
