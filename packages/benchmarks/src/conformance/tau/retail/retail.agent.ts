import { agent, LlmAgent } from 'adorn';

import { RetailTools } from './retail.tools.js';

/** The agent of the retail benchmark: all of its tools. */
@agent({
  name: 'retail_agent',
  description: 'Helps the customers of a shop with their orders.',
  instruction: 'Help the customer with the tools.',
  tools: [RetailTools],
})
export class RetailAgent extends LlmAgent {}
