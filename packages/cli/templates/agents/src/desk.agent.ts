import { agent, LlmAgent } from 'adorn';

import { BillingAgent } from './billing.agent.js';
import { OrderAgent } from './orders.agent.js';

/** Customer desk of a shop. Its sub-agents use its model unless they name one. */
@agent({
  model: 'gemini-2.5-flash',
  subAgents: [OrderAgent, BillingAgent],
  instruction: 'You are the desk of a shop. Hand over to the agent that knows the subject.',
})
export class Desk extends LlmAgent {}
